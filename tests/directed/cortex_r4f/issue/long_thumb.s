@ Code of 32-bit Thumb instructions, whose words are A32 instructions as well: neither lengths nor
@ addresses tell which they are.
@ proves: 0x11 instructions of T32 take their own cycles, not those of A32 instructions of the same bytes
@ proves: 0x5E two Thumb ALU operations of 32 bits do not issue together
@ build: t32
@ vary: N = 50, 100, 200
@ expect-change: INST_RETIRED = N * (4 * 3 + 2)
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: CPU_CYCLES = N * (4 * 3 + 2)
@ expect-change: LD_RETIRED = 0
@ expect-change: ST_RETIRED = 0
        .include "directed.inc"
_start: movw    r8, #N
        .balign 4
loop:   .rept   4
        add.w   r0, r1, r2
        add.w   r3, r4, r6, lsl #1
        isb
        .endr
        subs.w  r8, r8, #1
        bne.w   loop
        finish
