@ The system call that cleans caches for a program, and the barriers of CP15, between reads of a
@ line. An iteration runs into 5 groups of 8 bytes up to the system call, and 1 behind it.
@ proves: 0x03 cache maintenance is no access that refills
@ proves: 0x04 cache maintenance is no access
@ proves: 0x01 cache maintenance is no fetch
@ proves: 0x50 cache maintenance is no access to the instruction cache
@ vary: N = 8, 20
@ expect: L1D_CACHE = N
@ expect: L1D_CACHE_REFILL = 1
@ expect: L1D_TLB_REFILL = 1
@ expect: L1I_CACHE_REFILL = 2
@ expect: LD_RETIRED = N
@ expect: EXC_TAKEN = N + 1
@ expect-change: L1I_CACHE = (5 + 1) * N
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
        repeat  r8
        finish
        zeroed  buffer, 64, 64
