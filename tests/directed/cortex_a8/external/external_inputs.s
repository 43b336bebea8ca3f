@ Two inputs with pulses: each rising edge is one event. The clock of the pulses counts instructions.
@ proves: 0x70 a rising edge on PMUEXTIN0 is one event
@ proves: 0x71 a rising edge on PMUEXTIN1 is one event
@ proves: 0x72 edges on both inputs add up
@ build: a32 t32
@ engine: bare
@ pin: PMUEXTIN0=every:100i
@ pin: PMUEXTIN1=every:250i
@ vary: N = 1000, 3000
@ expect: INST_RETIRED = 1 + 2 * N + 4
@ expect: PMUEXTIN0 = (1 + 2 * N + 4) // 100
@ expect: PMUEXTIN1 = (1 + 2 * N + 4) // 250
@ expect: PMUEXTIN_ALL = (1 + 2 * N + 4) // 100 + (1 + 2 * N + 4) // 250
        .include "directed.inc"
_start: movw    r8, #N
loop:   repeat  r8
        finish
