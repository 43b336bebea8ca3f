@ The system call that cleans caches for a program, and the barriers of CP15, between reads of a line.
@ proves: 0x03 cache maintenance is no access that refills
@ proves: 0x04 cache maintenance is no access
@ proves: 0x01 cache maintenance is no fetch
@ let: N = 8
@ expect: L1D_CACHE = N
@ expect: L1D_CACHE_REFILL = 1
@ expect: L1D_TLB_REFILL = 1
@ expect: L1I_CACHE_REFILL = 2
@ expect: LD_RETIRED = N
@ expect: EXC_TAKEN = N + 1
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldr     r5, [r4]
        mcr     p15, 0, r6, c7, c10, 4  @ data synchronization barrier
        mcr     p15, 0, r6, c7, c5, 4   @ instruction synchronization barrier
        mov     r0, r4
        add     r1, r4, #64
        mov     r2, #0
        mov     r7, #0x0f0000
        add     r7, r7, #2              @ cacheflush
        svc     #0
        subs    r8, r8, #1
        bne     loop
        finish
        .bss
        .balign 64
buffer: .space  64
