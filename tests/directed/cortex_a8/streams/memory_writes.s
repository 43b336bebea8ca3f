@ A word of each 16 bytes is stored to, in lines that no cache takes: 4 parts of 2 beats a line go to
@ memory, which takes BEAT cycles a beat, longer than the stores themselves.
@ proves: 0x11 stores that pass the caches are as slow as memory takes them
@ proves: 0x46 of a line, the parts that are written are
@ set: l2.write_allocate = no
@ set: bus.width_bits = 64
@ let: LINES = 64
@ vary: BEAT bus.write_beat_cycles = 10, 20, 40
@ expect: AXI_WRITE_BEATS = 8 * LINES
@ expect-change: CPU_CYCLES > 8 * BEAT * (LINES - 9 - 1)
@ expect-change: CPU_CYCLES <= 8 * BEAT * LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   .rept   4
        str     r0, [r4], #16
        .endr
        repeat  r8
        finish
        zeroed  buffer, 4096, 4096
