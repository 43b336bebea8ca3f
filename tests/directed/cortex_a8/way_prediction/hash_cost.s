@ As hash_data.s with pages of the same hash: 2 * (ROUNDS - 1) reads find their line in another way than
@ the hash names, and each costs the replay.
@ proves: 0x11 the replay after a way predicted wrong takes its cycles
@ set: way_hash.enabled = yes
@ set: l1d.size_kb = 16
@ set: l1d.ways = 4
@ let: ROUNDS = 25
@ vary: COST way_hash.replay_cycles = 0, 8, 20
@ expect: L1D_HASH_MISS = 1 + 2 * (ROUNDS - 1)
@ expect-change: CPU_CYCLES = COST * 2 * (ROUNDS - 1)
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
