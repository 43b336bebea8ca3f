// N rounds in EL1 of an SVC, an undefined instruction, a load from where nothing is, a jump there, an HVC to EL2, an SMC to EL3,
// an IRQ and an FIQ; every handler returns.
// engine: bare
// proves: 0x0009 every exception counts, whatever it is and wherever it is taken to
// proves: 0x000A every exception return counts, in whatever level
// proves: 0x0081 an undefined instruction counts, calls, aborts and interrupts do not
// proves: 0x0082 an SVC counts, HVC and SMC do not
// proves: 0x0083 an Instruction Abort counts, a Data Abort does not
// proves: 0x0084 a Data Abort counts, an Instruction Abort does not
// proves: 0x0086 an IRQ counts, an FIQ does not
// proves: 0x0087 an FIQ counts, an IRQ does not
// proves: 0x0088 an SMC counts, HVC and SVC do not
// proves: 0x008A an HVC counts, SMC and SVC do not
// vary: N = 1, 10, 200
// expect-change: EXC_TAKEN = 8 * N
// expect-change: EXC_RETURN = 8 * N
// expect-change: EXC_UNDEF = N
// expect-change: EXC_SVC = N
// expect-change: EXC_PABORT = N
// expect-change: EXC_DABORT = N
// expect-change: EXC_IRQ = N
// expect-change: EXC_FIQ = N
// expect-change: EXC_SMC = N
// expect-change: EXC_HVC = N
// expect-change: EXC_TRAP_PABORT = 0
// expect-change: EXC_TRAP_DABORT = 0
// expect-change: EXC_TRAP_OTHER = 0
// expect-change: EXC_TRAP_IRQ = 0
// expect-change: EXC_TRAP_FIQ = 0
        .include "directed.inc"
        vector_tables
_start: use_vector_tables
        mov     x0, #0x531              // RW, HCE, NS
        msr     scr_el3, x0
        mov     x0, #1 << 31            // RW
        msr     hcr_el2, x0
        mov     x0, #0x3c5              // to EL1
        msr     spsr_el3, x0
        return_to_main
        number  x10, 0x70000000         // nothing is there
        eret
main:   adr     x20, 1f
        svc     #0
1:      adr     x20, 2f
        udf     #0
2:      adr     x20, 3f
        ldr     x0, [x10]
3:      adr     x20, 4f
        br      x10
4:      adr     x20, 5f
        hvc     #0
5:      adr     x20, 6f
        smc     #0
6:      msr     daifclr, #3
        adr     x20, 7f
        mov     w0, #1
        str     w0, [x21, #0x18]        // SOFTINT
0:      b       0b
7:      msr     daifclr, #3
        adr     x20, 8f
        mov     w0, #2
        str     w0, [x21, #0x18]
0:      b       0b
8:      repeat  x9, main
        finish
