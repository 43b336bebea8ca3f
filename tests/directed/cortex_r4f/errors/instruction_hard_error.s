@ An error in instructions that comes back: it is met, the line is fetched again, and it is met once more.
@ proves: 0x62 an error that is there again once the instructions were fetched anew is a livelock
@ proves: 0x4B each time it is met counts
@ build: a32 t32
@ engine: bare
@ inject: icache-data-hard@0x10040
@ vary: N = 3, 20
@ expect: INST_CACHE_DATA_ECC_ERROR = 2
@ expect: PROCESSOR_LIVE_LOCK = 1
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      one
        repeat  r8
        finish
        .balign 64
        .type   one, %function
one:    bx      lr
        .balign 64
