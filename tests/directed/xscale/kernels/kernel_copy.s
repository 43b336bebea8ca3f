@ LDM and STM of 4 registers issue for 2 + 4 cycles. The last word is there 3 + 3 cycles after LDM
@ began, as STM begins: it does not wait. 4 of them and 4 instructions of a cycle.
@ kernel: copy by LDM and STM: 32 bytes, in the data cache
@ machine: ixp425
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (4 * (2 + 4) + 4) * N
@ expect-change: INSTRUCTION = 8 * N
        .include "directed.inc"
_start: buffer_at r9
        add     r10, r9, #32
        ldr     r0, [r10]               @ stores that miss do not fill the cache
        mov     r8, #N
loop:   mov     r4, r9
        mov     r5, r10
        ldm     r4!, {r0-r3}
        stm     r5!, {r0-r3}
        ldm     r4!, {r0-r3}
        stm     r5!, {r0-r3}
        repeat  r8
        finish
        zeroed  buffer, 64
