// A pointer to itself at an odd address, the first half of a pair of 16 bytes: 4 + 7 cycles a round. The pair takes a
// load unit twice, as do nine more, one of which is within 16 aligned bytes of addresses that are multiples of 4 and
// takes it once: 9 * 2 + 1 in 11 cycles, for which two units do.
// proves: 0x0011 a load of 16 bytes that is not aligned to 4 completes later and takes its unit twice
// set: units.load = 2
// set: units.load_row_bytes = 0
// set: latency.load = 4
// set: latency.unaligned_quad = 7
// set: latency.load_pair_interval = 0
// set: l1d.banks = 0
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 11 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x2, x1, #16
        add     x1, x1, #33
        str     x1, [x1]
        number  x9, N
loop:   ldp     x1, x3, [x1]
        .rept   8
        ldur    q4, [x2, #1]
        .endr
        ldur    q5, [x2, #4]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
