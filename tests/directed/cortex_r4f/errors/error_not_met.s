@ Errors that nothing meets: in a line that one load brings in and none finds there, and in the data of a
@ line that is only stored to.
@ proves: 0x4D an error in a line that no load finds in the cache does not count
@ proves: 0x4D a store does not meet an error in the data
@ proves: 0x4B an error in a line of instructions that is fetched once does not count
@ build: a32 t32
@ engine: bare
@ inject: dcache-data-ecc@0x400000
@ inject: dcache-data-ecc@0x400040
@ inject: icache-data-ecc@0x10040
@ vary: N = 2, 20
@ expect: DATA_CACHE_DATA_ECC_ERROR = 0
@ expect: DATA_CACHE_TAG_ECC_ERROR = 0
@ expect: INST_CACHE_DATA_ECC_ERROR = 0
@ expect: ST_RETIRED = N
        .include "directed.inc"
_start: address r4, word
        ldr     r0, [r4]
        mov     r8, #N
loop:   str     r0, [r4, #64]
        repeat  r8
        bl      one
        finish
        .balign 64
        .type   one, %function
one:    bx      lr
        .balign 64
        zeroed  word, 4096, 4096
