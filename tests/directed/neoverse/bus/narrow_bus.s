// Lines of 64 bytes from memory over a bus of 128 bits.
// proves: 0x0060 a line is four beats of 16 bytes
// proves: 0x0019 nothing else passes
// set: bus.width_bits = 128
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 0
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: BUS_ACCESS_RD = 4 * 2048 * N
// expect-change: BUS_ACCESS = 4 * 2048 * N
        .include "directed.inc"
        chase
