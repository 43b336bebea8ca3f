// N rounds in EL0, with calls routed to EL2, aborts and interrupts to EL3: an SVC, a load from where nothing is, a jump there,
// an IRQ and an FIQ; every handler returns.
// engine: bare
// proves: 0x0009 exceptions that are taken beyond EL1 count
// proves: 0x0081 what is taken to EL2 does not count
// proves: 0x0082 an SVC that is taken to EL2 does not count
// proves: 0x008B an Instruction Abort that is taken to EL3 counts
// proves: 0x008C a Data Abort that is taken to EL3 counts
// proves: 0x008D an SVC that is taken to EL2 counts, aborts and interrupts do not
// proves: 0x008E an IRQ that is taken to EL3 counts, an FIQ does not
// proves: 0x008F an FIQ that is taken to EL3 counts, an IRQ does not
// vary: N = 1, 10, 200
// expect-change: EXC_TAKEN = 5 * N
// expect-change: EXC_RETURN = 5 * N
// expect-change: EXC_TRAP_PABORT = N
// expect-change: EXC_TRAP_DABORT = N
// expect-change: EXC_TRAP_OTHER = N
// expect-change: EXC_TRAP_IRQ = N
// expect-change: EXC_TRAP_FIQ = N
// expect-change: EXC_UNDEF = 0
// expect-change: EXC_SVC = 0
// expect-change: EXC_PABORT = 0
// expect-change: EXC_DABORT = 0
// expect-change: EXC_IRQ = 0
// expect-change: EXC_FIQ = 0
        .include "directed.inc"
        vector_tables
_start: use_vector_tables
        mov     x0, #0x53f              // RW, HCE, EA, FIQ, IRQ, NS
        msr     scr_el3, x0
        mov     x0, #1 << 27            // TGE
        movk    x0, #0x8800, lsl #16    // and RW
        msr     hcr_el2, x0
        mov     x0, #0x3c0              // to EL0
        msr     spsr_el3, x0
        return_to_main
        number  x10, 0x70000000         // nothing is there
        eret
main:   adr     x20, 1f
        svc     #0
1:      adr     x20, 3f
        ldr     x0, [x10]
3:      adr     x20, 4f
        br      x10
4:      adr     x20, 7f
        mov     w0, #1
        str     w0, [x21, #0x18]        // SOFTINT
0:      b       0b
7:      adr     x20, 8f
        mov     w0, #2
        str     w0, [x21, #0x18]
0:      b       0b
8:      repeat  x9, main
        finish
