// Each remainder is there after 2 cycles, for the next.
// kernel: CRC-32 by instruction: 16 bytes
// set: latency.crc = 2
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 16 * 2 * N
// expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
        .arch   armv8-a+crc
_start: number  x9, N
loop:   .rept   16
        crc32b  w0, w0, w1
        .endr
        repeat  x9
        finish
