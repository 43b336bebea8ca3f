// A chase from line to line with a prefetcher that is a line ahead, within a page: it asks the shared
// cache for all but the first line of each of 32 pages and, where the chase begins anew, the 3 lines
// until it knows the stride again. Those are misses of level 2.
// proves: 0x00A0 prefetches read the shared cache
// proves: 0x0036 and the last level
// proves: 0x0060 and pass over the bus
// proves: 0x0017 a line that was prefetched is no refill of a miss
// proves: 0x0042 it is one of level 1
// set: prefetch.lines = 1
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L3D_CACHE_RD = 2048 * N
// expect-change: LL_CACHE_RD = 2048 * N
// expect-change: BUS_ACCESS_RD = 2 * 2048 * N
// expect-change: L2D_CACHE_REFILL = (32 + 3) * N
// expect-change: L1D_CACHE_REFILL_RD = 2048 * N
        .include "directed.inc"
_start: link
        number  x9, LINES * N
loop:   ldr     x1, [x1]
        subs    x9, x9, #1
        b.ne    loop
        finish
        .bss
        .balign 4096
buffer: .space  LINES * STEP
