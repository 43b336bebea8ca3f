// 2 loads and 1 store a round of a device, 4 bytes each.
// proves: 0x0013 an access to a device is one
// proves: 0x0066 a load
// proves: 0x0067 a store
// proves: 0x0004 no cache is asked
// proves: 0x004E the TLB is, by loads
// proves: 0x004F and by stores
// proves: 0x0060 a beat each load
// proves: 0x0061 a beat each store
// proves: 0x0019 both
// engine: bare
// vary: N = 100, 600
// expect-change: MEM_ACCESS = 3 * N
// expect-change: MEM_ACCESS_RD = 2 * N
// expect-change: MEM_ACCESS_WR = N
// expect-change: L1D_CACHE = 0
// expect-change: L1D_TLB_RD = 2 * N
// expect-change: L1D_TLB_WR = N
// expect-change: BUS_ACCESS_RD = 2 * N
// expect-change: BUS_ACCESS_WR = N
// expect-change: BUS_ACCESS = 3 * N
        .include "directed.inc"
_start: mov     x0, #0xff000000
        number  x9, N
loop:   ldr     w1, [x0, #0x10]         // INTENABLE
        ldr     w2, [x0, #0x10]
        str     wzr, [x0, #0x14]        // INTENCLEAR
        repeat  x9
        finish
