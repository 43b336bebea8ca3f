@ Preloads by every form of address, of a new line each, and no load that tells where: the engine does.
@ proves: 0x55 a preload counts whatever its address is made of
@ proves: 0x56 while a linefill buffer is free none is dropped
@ build: a32 t32
@ engine: bare
@ set: memory.latency_cycles = 2
@ set: linefill.transfer_cycles = 0
@ let: FORMS = 5
@ vary: N = 5, 10, 20
@ expect-change: PLD_INST_LINE_FILL = (FORMS + 3 - 3 * T32) * N
@ expect-change: PLD_INST_NO_LINE_FILL = 0
@ expect-change: L1D_CACHE = 0
        .include "directed.inc"
_start: address r4, buffer
        add     r5, r4, #0x8000
        mov     r8, #N
        mov     r6, #0x1000
        mov     r7, #0x800
        mov     r9, #0x6000
        mov     r10, #0x40000
loop:   pld     [r4]
        isb
        pld     [r4, #0x800]
        isb
        pld     [r5, #-128]
        isb
        pld     [r5, r6]
        isb
        pld     [r4, r7, lsl #2]
        .if     T32 == 0
        isb
        pld     [r5, -r6, lsl #1]
        isb
        pld     [r4, r9, lsr #1]
        isb
        pld     [r4, r10, ror #4]
        .endif
        add     r4, r4, #32
        add     r5, r5, #32
        repeat  r8
        finish
        zeroed  buffer, 0x10000, 4096
