@ An error of two bits in the tag of a line of data. Where it aborts the load, the handler has it done again.
@ proves: 0x61 an error of two bits in the tag is fatal and one event
@ proves: 0x4C an error of two bits is none that can be corrected
@ build: a32 t32
@ engine: bare
@ inject: dcache-tag-ecc-fatal@0x400000
@ vary: N = 5, 20
@ expect: DATA_CACHE_TAG_FATAL_ECC_ERROR = 1
@ expect: DATA_CACHE_DATA_FATAL_ECC_ERROR = 0
@ expect: DATA_CACHE_DATA_ECC_ERROR = 0
@ expect: DATA_CACHE_TAG_ECC_ERROR = 0
        .include "directed.inc"
_start: address r4, word
        mov     r8, #N
loop:   ldr     r0, [r4]
        repeat  r8
        finish
        zeroed  word, 4096, 4096
        retry_aborts
