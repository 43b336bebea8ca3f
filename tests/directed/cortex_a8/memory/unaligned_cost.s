@ N loads and N stores that cross their boundary are replayed.
@ proves: 0x48 the replays of unaligned accesses take time, the same for each
@ set: replay.load_boundary_bytes = 16
@ set: replay.store_boundary_bytes = 8
@ let: N = 20
@ vary: REPLAY replay.unaligned_cycles = 8, 16
@ expect: UNALIGNED_ACCESS_REPLAY = 2 * N
@ expect-change: CPU_CYCLES = 2 * N * REPLAY
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
        ldr     r0, [r4]
loop:   ldr     r0, [r4, #14]
        str     r0, [r4, #22]
        repeat  r8
        finish
        zeroed  buffer, 64, 64
