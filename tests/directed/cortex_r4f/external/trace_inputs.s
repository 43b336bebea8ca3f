@ Two inputs from the trace unit: one with pulses, one that is held.
@ proves: 0x48 a rising edge on ETMEXTOUT[0] is one event
@ proves: 0x49 an input that stays high is one event, however long
@ build: a32 t32
@ engine: bare
@ pin: ETMEXTOUT0=every:100i
@ pin: ETMEXTOUT1=1
@ vary: N = 1000, 3000
@ expect: INST_RETIRED = 1 + 2 * N + 4
@ expect: ETMEXTOUT0 = (1 + 2 * N + 4) // 100
@ expect: ETMEXTOUT1 = 1
        .include "directed.inc"
_start: movw    r8, #N
loop:   repeat  r8
        finish
