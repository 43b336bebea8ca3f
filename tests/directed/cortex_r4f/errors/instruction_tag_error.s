@ An error in the tag of a line of instructions: the call that brings the line in does not find it in the
@ cache, the second call does, meets the error, and has the line fetched again.
@ proves: 0x4A an error in the tag is one event, met by the first fetch that finds the line in the cache
@ proves: 0x4A once it is put right nothing counts any more
@ build: a32 t32
@ engine: bare
@ inject: icache-tag-ecc@0x10040
@ vary: N = 2, 5, 20
@ expect: INST_CACHE_TAG_ECC_ERROR = 1
@ expect: INST_CACHE_DATA_ECC_ERROR = 0
@ expect: PROCESSOR_LIVE_LOCK = 0
@ expect-change: L1I_CACHE_REFILL = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      one
        repeat  r8
        finish
        .balign 64
        .type   one, %function
one:    bx      lr
        .balign 64
