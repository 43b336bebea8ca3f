@ A store-exclusive that holds no reservation writes nothing.
@ proves: 0x07 a store-exclusive counts when it writes
@ proves: 0x07 a store-exclusive that lost its reservation does not count
@ build: a32 t32
@ let: N = 20
@ expect: LD_RETIRED = 2 * N
@ expect: ST_RETIRED = 2 * N
@ expect: INST_RETIRED = 3 + N * (2 + 3 + 2 + 2) + 3
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldrex   r0, [r4]
        strex   r1, r0, [r4]
        ldrex   r0, [r4]
        clrex
        strex   r1, r0, [r4]
        strex   r1, r0, [r4]
        str     r1, [r4, #4]
        repeat  r8
        finish
        zeroed  buffer, 64, 64
