@ A swap reads and writes.
@ proves: 0x06 SWP and SWPB count as reads
@ proves: 0x07 SWP and SWPB count as writes
@ proves: 0x55 a swap is two operations, a load and a store
@ let: N = 20
@ expect: LD_RETIRED = 2 * N
@ expect: ST_RETIRED = 2 * N
@ expect: L1D_CACHE = 2 * N
@ expect: INST_RETIRED = 3 + 4 * N + 3
@ expect: ISSUED_OPS = ISSUED_INSNS + 2 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   swp     r0, r1, [r4]
        swpb    r0, r1, [r4]
        repeat  r8
        finish
        zeroed  buffer, 64, 64
