// Code of 128 KB, more than the instruction cache has, that level 2 holds: a branch a line. Dispatch waits for
// the front end, 10 cycles a line and the one that its taken branch ends.
// proves: 0x0014 each line is looked up
// proves: 0x0001 each is missing
// proves: 0x4006 each waits
// proves: 0x0026 each looks up the TLB
// proves: 0x0002 its pages are known
// proves: 0x0035 nothing is walked
// proves: 0x0050 each asks level 2
// proves: 0x0042 code is no data
// proves: 0x0023 dispatch has no instruction
// proves: 0x0024 the back end is not to blame
// proves: 0x003C all stalls are the front end's
// proves: 0x003E all slots but those of the branches
// proves: 0x003D the back end leaves none empty
// proves: 0x003F all that is not used
// set: branch.late_cycles = 0
// set: branch.directs_fetch = no
// set: l1i.size_kb = 4
// set: l1i.ways = 4
// set: l2.size_kb = 256
// set: dispatch.width = 5
// set: l2.hit_cycles = 10
// vary: N = 2, 3, 5
// expect-change: L1I_CACHE = 2048 * N
// expect-change: L1I_CACHE_REFILL = 2048 * N
// expect-change: L1I_CACHE_LMISS = 2048 * N
// expect-change: L1I_TLB = 2048 * N
// expect-change: L1I_TLB_REFILL = 0
// expect-change: ITLB_WALK = 0
// expect-change: L2D_CACHE_RD = 2048 * N
// expect-change: L1D_CACHE_REFILL = 0
// expect-change: STALL_FRONTEND >= 2048 * 10 * N
// expect-change: STALL_FRONTEND <= 2048 * 11 * N
// expect-change: STALL_BACKEND = 0
// expect-change: STALL = STALL_FRONTEND
// expect-change: STALL_SLOT_BACKEND = 0
// expect-change: STALL_SLOT_FRONTEND = 5 * CPU_CYCLES - INST_RETIRED
// expect-change: STALL_SLOT = STALL_SLOT_FRONTEND
        .include "directed.inc"
_start: number  x9, N
        b       code
        .balign 64
code:   .rept   2047
        b       . + 64
        .balign 64
        .endr
        subs    x9, x9, #1
        b.eq    out
        address x1, code
        br      x1
        .balign 64
out:    finish
