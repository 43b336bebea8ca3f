@ NEON copies lines to memory while later lines are on their way from there: two fill buffers, so two
@ lines wait for memory together, and what is written does not add to it. COLD lines come before: of
@ code, of page tables, and the first of data.
@ proves: 0x11 memory writes while lines are on their way, where the machine says so
@ set: l2.write_allocate = no
@ set: l2.fill_buffers = 2
@ set: bus.width_bits = 64
@ set: bus.beat_cycles = 5
@ set: bus.write_beat_cycles = 5
@ set: bus.overlaps_writes = yes
@ let: LINES = 32
@ let: COLD = 1 + 3 + 1
@ vary: WAIT memory.latency_cycles = 150, 200, 300
@ expect-change: CPU_CYCLES = WAIT * (COLD + LINES // 2)
        .include "directed.inc"
        .include "copies.inc"
