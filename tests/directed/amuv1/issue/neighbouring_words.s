// A load waits for stores to its own bytes, not for late ones to other bytes of the same doubleword:
// rounds overlap, and six multiplications keep two units busy. With the wait a round took 4 + 6 * 2 + 1 cycles.
// proves: 0x0011 a load does not wait for a store to neighbouring bytes
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 3 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   ldr     w2, [x1, #4]
        .rept   6
        mul     w2, w2, w2
        .endr
        strh    w2, [x1, #2]
        strb    w2, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
