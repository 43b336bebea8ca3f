// A number that goes through memory six times a round. A store is issued for a cycle and a load takes 4. Three of these
// loads get the number from the store queue: a half of a store, two halves of two stores, and a half and what the
// cache has. The others begin elsewhere or have other bytes, too: the store is written the cycle after it retires,
// and 5 cycles later they read the cache.
// proves: 0x0011 a load waits until a store is written that does not forward to it
// set: dispatch.width = 8
// set: units.store = 2
// set: store_buffer.unforwarded_cycles = 5
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (3 * (1 + 4) + 3 * (1 + 1 + 5 + 4)) * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   str     x2, [x1]
        ldr     w2, [x1, #4]
        str     w2, [x1, #32]
        str     w2, [x1, #36]
        ldr     x2, [x1, #32]
        stp     x2, x2, [x1, #64]
        ldp     x2, x3, [x1, #72]
        str     x2, [x1, #96]
        ldrb    w2, [x1, #97]
        strh    w2, [x1, #130]
        ldr     w2, [x1, #128]
        str     x2, [x1, #160]
        ldur    x2, [x1, #161]
        repeat  x9
        finish
        zeroed  buffer, 256, 64
