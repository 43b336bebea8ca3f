// A store of 32 bytes at an address whose low 8 bits are 0, and a load of its upper half. The load
// waits for the store's data, which are there a cycle after the store is issued, and takes 6 cycles
// itself; the next store waits for it. Then a store to the upper half, and a load of all 32 bytes.
// A turn is a chain through memory of 2 * (1 + 6) cycles.
// proves: 0x0011 an access of 32 bytes is four granules wherever it begins
// set: latency.vector_load = 6
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 14 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   stp     q0, q1, [x1]
        ldr     q1, [x1, #16]
        str     q1, [x1, #16]
        ldp     q2, q1, [x1]
        repeat  x9
        finish
        zeroed  buffer, 256, 256
