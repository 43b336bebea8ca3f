@ proves: 0x04 accesses to a TCM are none to the cache
@ proves: 0x58 nor are fetches from one
@ proves: 0x43 nor are they requests on the bus
@ build: a32 t32
@ machine: tms570ls
@ let: N = 100
@ expect: L1D_CACHE = 0
@ expect: L1I_CACHE = 0
@ expect: EXT_MEMORY_REQUEST = 0
@ expect: LD_RETIRED = N
@ expect: ST_RETIRED = N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldr     r0, [r4]
        str     r0, [r4], #32
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
