@ The same on a machine whose memory writes only when all lines that it was asked for are there: each
@ line waits for the one before it to be written.
@ proves: 0x11 a write waits for the reads before it, and a read for the writes
@ set: l2.write_allocate = no
@ set: l2.fill_buffers = 2
@ set: bus.width_bits = 64
@ set: bus.beat_cycles = 5
@ set: bus.write_beat_cycles = 5
@ set: bus.overlaps_writes = no
@ let: LINES = 32
@ let: COLD = 1 + 3 + 1
@ vary: WAIT memory.latency_cycles = 150, 200, 300
@ expect-change: CPU_CYCLES > WAIT * LINES
@ expect-change: CPU_CYCLES <= WAIT * (COLD + LINES)
        .include "directed.inc"
        .include "copies.inc"
