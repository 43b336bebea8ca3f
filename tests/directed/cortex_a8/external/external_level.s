@ An input that is held: it rose once, and the other never.
@ proves: 0x70 an input that stays high is one event, however long
@ proves: 0x71 an input that stays low is none
@ proves: 0x72 both inputs are one event then
@ build: a32 t32
@ engine: bare
@ pin: PMUEXTIN0=1
@ vary: N = 100, 1000
@ expect: PMUEXTIN0 = 1
@ expect: PMUEXTIN1 = 0
@ expect: PMUEXTIN_ALL = 1
        .include "directed.inc"
_start: movw    r8, #N
loop:   repeat  r8
        finish
