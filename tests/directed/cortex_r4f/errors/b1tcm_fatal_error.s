@ An error of two bits in a doubleword behind port 1 of the BTCM. Where it aborts the load, the handler has
@ it done again.
@ proves: 0x66 a load that reads the doubleword is one event
@ proves: 0x4F the load/store unit reports it
@ proves: 0x65 the other port sees nothing of it
@ proves: 0x6A an error of two bits is none that can be corrected
@ proves: 0x4E the prefetch unit reports no error that a load met
@ build: a32 t32
@ engine: bare
@ set: btcm.base_kb = 4096
@ set: btcm.size_kb = 64
@ set: btcm.protection = ecc
@ inject: tcm-ecc-fatal@0x400008
@ vary: N = 5, 20
@ expect: B1TCM_MULTI_BIT_ECC_ERROR = 1
@ expect: B0TCM_MULTI_BIT_ECC_ERROR = 0
@ expect: TCM_FATAL_ECC_ERROR_LOAD_STORE = 1
@ expect: TCM_FATAL_ECC_ERROR_PREFETCH = 0
@ expect: B1TCM_SINGLE_BIT_ECC_ERROR = 0
@ expect: TCM_COR_ECC_ERROR_LOAD_STORE = 0
        .include "directed.inc"
_start: address r4, word
        mov     r8, #N
loop:   ldr     r0, [r4, #8]
        repeat  r8
        finish
        zeroed  word, 4096, 4096
        retry_aborts
