@ PLI names an instruction; loads beside it name data by the same register.
@ proves: 0x55 PLI starts no linefill of data
@ proves: 0x56 nor is it dropped
@ build: a32 t32
@ vary: N = 5, 10, 20
@ expect-change: PLD_INST_LINE_FILL = 0
@ expect-change: PLD_INST_NO_LINE_FILL = 0
@ expect-change: L1D_CACHE_REFILL = N
@ expect-change: LD_RETIRED = N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   pli     [r4, #128]
        ldr     r0, [r4], #32
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
