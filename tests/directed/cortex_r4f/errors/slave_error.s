@ Another bus master reads a doubleword of the BTCM with an error of one bit, before the program begins.
@ proves: 0x6D the AXI slave port reports an error of one bit
@ proves: 0x68 the port of the BTCM sees it
@ proves: 0x6A the load/store unit has nothing to report
@ proves: 0x6C an error of one bit is not fatal
@ build: a32 t32
@ engine: bare
@ set: btcm.base_kb = 4096
@ set: btcm.size_kb = 64
@ set: btcm.protection = ecc
@ inject: tcm-ecc@0x400000
@ inject: axi-slave-read@0x400000
@ vary: N = 1, 20
@ expect: TCM_COR_ECC_ERROR_AXI_SLAVE = 1
@ expect: TCM_FATAL_ECC_ERROR_AXI_SLAVE = 0
@ expect: B0TCM_SINGLE_BIT_ECC_ERROR = 1
@ expect: TCM_COR_ECC_ERROR_LOAD_STORE = 0
        .include "directed.inc"
_start: address r4, word
        mov     r8, #N
loop:   ldr     r0, [r4]
        repeat  r8
        finish
        zeroed  word, 4096, 4096
