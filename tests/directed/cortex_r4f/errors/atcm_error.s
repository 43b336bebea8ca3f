@ An error of one bit in a doubleword of instructions in the ATCM.
@ proves: 0x67 a fetch that reads the doubleword is one event
@ proves: 0x67 once it is put right nothing counts any more
@ proves: 0x6B the prefetch unit reports it
@ proves: 0x6A the load/store unit reports no error that a fetch met
@ build: a32 t32
@ engine: bare
@ set: atcm.base_kb = 64
@ set: atcm.size_kb = 64
@ set: atcm.protection = ecc
@ inject: tcm-ecc@0x10040
@ vary: N = 1, 5, 20
@ expect: ATCM_SINGLE_BIT_ECC_ERROR = 1
@ expect: ATCM_MULTI_BIT_ECC_ERROR = 0
@ expect: TCM_COR_ECC_ERROR_PREFETCH = 1
@ expect: TCM_COR_ECC_ERROR_LOAD_STORE = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      one
        repeat  r8
        finish
        .balign 64
        .type   one, %function
one:    bx      lr
        .balign 64
