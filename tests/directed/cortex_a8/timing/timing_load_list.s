@ LDM of 3 or 4 registers issues for 2 cycles, of 2 for one. SUBS and BNE join one of 2 and one of 3.
@ proves: 0x11 a list of three or four registers takes two cycles to issue, one of two takes one
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 4 * (1 + 2 + 2) * N
@ expect-change: ISSUED_OPS = (4 * (1 + 2 + 2) + 2) * N
        .include "directed.inc"
_start: address r4, buffer
        ldr     r1, [r4]
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        ldm     r4, {r0-r1}
        ldm     r4, {r0-r2}
        ldm     r4, {r0-r3}
        .endr
        bne     loop
        finish
        zeroed  buffer, 128, 64
