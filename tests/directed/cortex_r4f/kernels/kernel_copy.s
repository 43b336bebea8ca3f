@ LDM and STM of 4 registers issue for 2 cycles, alone. The last two words of LDM are data for a store
@ 3 cycles after it began. The counter fills the first wait, the second stays empty, the branch
@ issues alone: (3 + 2) * 2 + 1.
@ kernel: copy by LDM and STM: 32 bytes, in the data cache
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 11 * N
@ expect-change: INST_RETIRED = 6 * N
        .include "directed.inc"
_start: address r4, buffer
        add     r5, r4, #32
        add     r6, r4, #16
        add     r9, r4, #48
        mov     r8, #N
loop:   ldm     r4, {r0-r3}
        subs    r8, r8, #1
        stm     r5, {r0-r3}
        ldm     r6, {r0-r3}
        stm     r9, {r0-r3}
        bne     loop
        finish
        zeroed  buffer, 64, 64
