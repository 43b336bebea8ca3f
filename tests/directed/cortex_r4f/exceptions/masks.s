@ proves: 0x46 FIQ is not masked in a user program
@ proves: 0x47 IRQ is not masked in a user program
@ build: a32 t32
@ expect: FIQ_DISABLED_CYCLES = 0
@ expect: IRQ_DISABLED_CYCLES = 0
@ expect: CPU_CYCLES > 0
        .include "directed.inc"
_start: nop
        finish
