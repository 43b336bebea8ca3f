@ An error of one bit in a doubleword behind port 1 of the BTCM.
@ proves: 0x69 a load that reads the doubleword is one event
@ proves: 0x69 once it is put right nothing counts any more
@ proves: 0x6A the load/store unit reports it
@ proves: 0x68 the other port sees nothing of it
@ proves: 0x6B the prefetch unit reports no error that a load met
@ build: a32 t32
@ engine: bare
@ set: btcm.base_kb = 4096
@ set: btcm.size_kb = 64
@ set: btcm.protection = ecc
@ inject: tcm-ecc@0x400008
@ vary: N = 1, 5, 20
@ expect: B1TCM_SINGLE_BIT_ECC_ERROR = 1
@ expect: B0TCM_SINGLE_BIT_ECC_ERROR = 0
@ expect: TCM_COR_ECC_ERROR_LOAD_STORE = 1
@ expect: TCM_COR_ECC_ERROR_PREFETCH = 0
@ expect: B1TCM_MULTI_BIT_ECC_ERROR = 0
@ expect: ATCM_SINGLE_BIT_ECC_ERROR = 0
        .include "directed.inc"
_start: address r4, word
        mov     r8, #N
loop:   ldr     r0, [r4, #8]
        repeat  r8
        finish
        zeroed  word, 4096, 4096
