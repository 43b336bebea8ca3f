@ As hash_data.s, on a machine that does not predict ways.
@ proves: 0x49 without way prediction nothing is misled
@ proves: 0x4A without way prediction nothing is misled
@ set: way_hash.enabled = no
@ set: l1d.size_kb = 16
@ set: l1d.ways = 4
@ let: ROUNDS = 25
@ expect: L1D_CACHE = 2 * ROUNDS
@ expect: L1D_HASH_MISS = 0
@ expect: L1I_HASH_MISS = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        address r4, buffer
        address r5, far
loop:   ldr     r0, [r4]
        ldr     r0, [r5]
        repeat  r9
        finish
        zeroed  buffer, 0x82*4096, 0x100000
        zeroed  far, 4096
