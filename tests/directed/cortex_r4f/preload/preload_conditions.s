@ Conditional preloads, which the engine tells when they happen.
@ proves: 0x55 a preload that fails its condition does nothing
@ build: t32
@ engine: bare
@ set: memory.latency_cycles = 2
@ set: linefill.transfer_cycles = 0
@ vary: N = 5, 10, 20
@ expect-change: PLD_INST_LINE_FILL = N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   cmp     r8, #0
        itt     ne
        pldne   [r4]
        addne   r4, r4, #32
        it      eq
        pldeq   [r4, #0x800]
        repeat  r8
        finish
        zeroed  buffer, 0x10000, 4096
