// A load whose address the load before brings: 3 cycles, in the first of which the subtraction is issued, in the second the branch.
// proves: 0x00E5 a load waits for its address
// proves: 0x0006 a load counts
// proves: 0x0004 it asks the data cache
// proves: 0x0013 and accesses memory
// proves: 0x0003 which has the line
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 3 * N
// expect-change: AGU_DEP_STALL = N
// expect-change: OTHER_INTERLOCK_STALL = 0
// expect-change: LD_RETIRED = N
// expect-change: ST_RETIRED = 0
// expect-change: L1D_CACHE = N
// expect-change: MEM_ACCESS = N
// expect-change: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
        str     x1, [x1]
        .balign 64
loop:
        ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 4096
