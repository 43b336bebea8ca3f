// 4 stores of two registers: 16 bytes, alone in a cycle each.
// proves: 0x0011 16 bytes are stored in a cycle
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 + 1) * N
// expect-change: ST_DEP_STALL = 0
        .include "directed.inc"
_start: number  x9, N
        address x2, buffer
        .balign 64
loop:
        .rept   4
        stp     x3, x4, [x2]
        .endr
        subs    x9, x9, #1
        b.ne    loop
        finish
        .bss
        .balign 4096
buffer: .space  64
