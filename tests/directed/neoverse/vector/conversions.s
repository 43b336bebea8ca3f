// A number that is converted to floating point and back: 6 and 5 cycles.
// proves: 0x0011 conversions between integer and floating-point registers have latencies of their own
// set: latency.core_to_float = 6
// set: latency.float_to_core = 5
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (6 + 5) * N
        .include "directed.inc"
_start: number  x9, N
loop:   scvtf   d1, x1
        fcvtzs  x1, d1
        repeat  x9
        finish
