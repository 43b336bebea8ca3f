@ An error that comes back: it is met, the line is brought in again, and it is met once more.
@ proves: 0x62 an error that is there again once it was corrected is a livelock
@ proves: 0x4D each time it is met counts
@ build: a32 t32
@ engine: bare
@ inject: dcache-data-hard@0x400000
@ vary: N = 3, 20
@ expect: DATA_CACHE_DATA_ECC_ERROR = 2
@ expect: PROCESSOR_LIVE_LOCK = 1
        .include "directed.inc"
_start: address r4, word
        mov     r8, #N
loop:   ldr     r0, [r4]
        repeat  r8
        finish
        zeroed  word, 4096, 4096
