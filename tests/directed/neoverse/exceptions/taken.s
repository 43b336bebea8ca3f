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
        .macro  vectors level
        .balign 2048
vectors_\level:
        .rept   4
        .balign 128
        msr     elr_el\level, x20
        eret
        .balign 128
        b       interrupt_\level
        .balign 128
        b       interrupt_\level
        .balign 128
        b       interrupt_\level
        .endr
interrupt_\level:
        str     w22, [x21, #0x1c]       // SOFTINTCLEAR
        msr     elr_el\level, x20
        eret
        .endm
        vectors 1
        vectors 2
        vectors 3
_start: adr     x0, vectors_1
        msr     vbar_el1, x0
        adr     x0, vectors_2
        msr     vbar_el2, x0
        adr     x0, vectors_3
        msr     vbar_el3, x0
        mov     x0, #0x531              // RW, HCE, NS
        msr     scr_el3, x0
        mov     x0, #1 << 31            // RW
        msr     hcr_el2, x0
        mov     x0, #0x3c5              // to EL1
        msr     spsr_el3, x0
        adr     x0, main
        msr     elr_el3, x0
        mov     x21, #0xff000000        // of interrupts: line 0 is an IRQ, line 1 an FIQ, both software's
        mov     w0, #3
        str     w0, [x21, #0x10]        // INTENABLE
        mov     w0, #2
        str     w0, [x21, #0x0c]        // INTSELECT
        mov     w22, #3
        number  x9, N
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
8:      subs    x9, x9, #1
        b.ne    main
        finish
