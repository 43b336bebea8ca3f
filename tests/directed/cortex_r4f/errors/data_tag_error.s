@ An error of one bit in the tag of a line of data: the first load brings the line in, the second meets
@ the error, corrects it, and brings the line in again.
@ proves: 0x4C an error in the tag is one event, met by the first load that finds the line in the cache
@ proves: 0x4C once it is put right nothing counts any more
@ proves: 0x61 an error of one bit in the tag is not fatal
@ build: a32 t32
@ engine: bare
@ inject: dcache-tag-ecc@0x400000
@ vary: N = 2, 5, 20
@ expect: DATA_CACHE_TAG_ECC_ERROR = 1
@ expect: DATA_CACHE_DATA_ECC_ERROR = 0
@ expect: DATA_CACHE_DATA_FATAL_ECC_ERROR = 0
@ expect: DATA_CACHE_TAG_FATAL_ECC_ERROR = 0
@ expect: PROCESSOR_LIVE_LOCK = 0
@ expect: L1D_CACHE_REFILL = 2
        .include "directed.inc"
_start: address r4, word
        mov     r8, #N
loop:   ldr     r0, [r4]
        repeat  r8
        finish
        zeroed  word, 4096, 4096
