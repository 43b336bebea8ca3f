@ NEON copies lines between memory and itself: the bus passes 8 beats of a line that is read and 8 of one that is written, 5
@ cycles each, and turns around in between. Lines wait for the bus alone, except the first and last ones, because four of them
@ are on their way together.
@ proves: 0x11 a line that is written after one that was read takes the bus's turnaround
@ set: l2.write_allocate = no
@ set: l2.fill_buffers = 4
@ set: memory.latency_cycles = 50
@ set: bus.width_bits = 64
@ set: bus.beat_cycles = 5
@ set: bus.write_beat_cycles = 5
@ set: bus.overlaps_writes = yes
@ let: LINES = 32
@ vary: TURN memory.turnaround_cycles = 20, 30, 50
@ expect-change: CPU_CYCLES >= TURN * (LINES - 8)
@ expect-change: CPU_CYCLES <= TURN * LINES
        .include "directed.inc"
        .include "copies.inc"
