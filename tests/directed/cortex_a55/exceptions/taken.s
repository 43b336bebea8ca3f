// The program "taken" of the Neoverse cores.
// engine: bare
// proves: 0x0009 every exception counts, whatever it is and wherever it is taken to
// proves: 0x000A every exception return counts, in whatever level
// proves: 0x0086 an IRQ counts, an FIQ does not
// proves: 0x0087 an FIQ counts, an IRQ does not
// vary: N = 1, 10, 200
// expect-change: EXC_TAKEN = 8 * N
// expect-change: EXC_RETURN = 8 * N
// expect-change: EXC_IRQ = N
// expect-change: EXC_FIQ = N
        .include "../neoverse/exceptions/taken.s"
