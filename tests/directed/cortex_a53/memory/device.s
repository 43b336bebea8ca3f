// 2 loads and 1 store a round of a device, 4 bytes each.
// proves: 0x00C1 no cache takes part in them
// proves: 0x00C0 each is a request
// proves: 0x0013 an access to a device is one
// engine: bare
// vary: N = 100, 600
// expect-change: EXT_MEM_REQ_NC = 3 * N
// expect-change: EXT_MEM_REQ >= 3 * N
// expect-change: MEM_ACCESS = 3 * N
// expect-change: L1D_CACHE = 0
        .include "directed.inc"
_start: mov     x0, #0xff000000
        number  x9, N
loop:   ldr     w1, [x0, #0x10]         // INTENABLE
        ldr     w2, [x0, #0x10]
        str     wzr, [x0, #0x14]        // INTENCLEAR
        repeat  x9
        finish
