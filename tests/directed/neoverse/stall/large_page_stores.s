// Pages have 16 KB. A store across 4096 bytes is in one of them, and drains in the 2 cycles that its two lines take; one across 16384
// is in two of them, and drains for 9 cycles longer.
// proves: 0x0011 a store across pages takes as long wherever a page of the system ends
// set: memory.page_kb = 16
// set: store_buffer.page_cycles = 9
// vary: N = 200, 700
// expect-change: CPU_CYCLES = (2 + 11) * N
        .include "directed.inc"
        .macro  store at
        address x1, buffer
        number  x3, \at
        add     x1, x1, x3
        number  x9, N
1:      str     x2, [x1]
        subs    x9, x9, #1
        b.ne    1b
        .endm
_start: store   4092
        store   16380
        finish
        .bss
        .balign 16384
buffer: .space  32768
