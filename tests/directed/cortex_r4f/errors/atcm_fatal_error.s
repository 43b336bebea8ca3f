@ An error of two bits in a doubleword of instructions in the ATCM. Where it aborts the fetch, the handler has
@ it done again.
@ proves: 0x64 a fetch that reads the doubleword is one event
@ proves: 0x4E the prefetch unit reports it
@ proves: 0x4F the load/store unit reports no error that a fetch met
@ proves: 0x6B an error of two bits is none that can be corrected
@ build: a32 t32
@ engine: bare
@ set: atcm.base_kb = 64
@ set: atcm.size_kb = 64
@ set: atcm.protection = ecc
@ inject: tcm-ecc-fatal@0x10040
@ vary: N = 5, 20
@ expect: ATCM_MULTI_BIT_ECC_ERROR = 1
@ expect: ATCM_SINGLE_BIT_ECC_ERROR = 0
@ expect: TCM_FATAL_ECC_ERROR_PREFETCH = 1
@ expect: TCM_FATAL_ECC_ERROR_LOAD_STORE = 0
@ expect: TCM_COR_ECC_ERROR_PREFETCH = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      one
        repeat  r8
        finish
        .balign 64
        .type   one, %function
one:    bx      lr
        .balign 64
        retry_aborts
