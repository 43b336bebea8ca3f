// The same, but that the other operand is shifted: a cycle each.
// proves: 0x00E4 only the operand that is shifted is needed early
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 20 * N
// expect-change: OTHER_INTERLOCK_STALL = 0
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   20
        add     x1, x1, x2, lsl #1
        .endr
        repeat  x9
        finish
