// 4 loads of two registers: 16 bytes, alone in two cycles each.
// proves: 0x0011 8 bytes are loaded in a cycle
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 * 2 + 1) * N
// expect-change: L1D_CACHE = 4 * N
        .include "directed.inc"
_start: number  x9, N
        address x2, buffer
        .balign 64
loop:
        .rept   4
        ldp     x3, x4, [x2]
        .endr
        subs    x9, x9, #1
        b.ne    loop
        finish
        .bss
        .balign 4096
buffer: .space  64
