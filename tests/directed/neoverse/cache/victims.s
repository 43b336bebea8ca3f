// The shared cache has what level 2 has lost: lines of 1536 go round between a level 2 and a shared cache that hold 1024
// each. Each load misses level 2, gets its line out of the shared cache, and another one takes its place there.
// proves: 0x0029 a clean line that level 2 loses is written to the shared cache
// proves: 0x002B each line is read and another written
// proves: 0x00A0 each load reads
// proves: 0x002A none has to come from memory
// proves: 0x0018 a clean line is no write-back
// proves: 0x0061 it is two beats all the same
// set: bus.width_bits = 256
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 64
// set: llc.holds = victims
// let: LINES = 1536
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = 1536 * N
// expect-change: L2D_CACHE_WB = 0
// expect-change: L3D_CACHE_ALLOCATE = 1536 * N
// expect-change: L3D_CACHE = 2 * 1536 * N
// expect-change: L3D_CACHE_RD = 1536 * N
// expect-change: L3D_CACHE_REFILL = 0
// expect-change: BUS_ACCESS_WR = 2 * 1536 * N
        .include "directed.inc"
_start: mov     x8, #N
again:  address x1, buffer
        number  x9, LINES
loop:   ldr     x3, [x1], #64
        subs    x9, x9, #1
        b.ne    loop
        subs    x8, x8, #1
        b.ne    again
        finish
        .bss
        .balign 4096
buffer: .space  LINES * 64
