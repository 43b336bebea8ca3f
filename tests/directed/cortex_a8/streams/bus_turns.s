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
_start: address r4, buffer
        address r5, target
        mov     r8, #LINES
        ldr     r0, [r4], #64           @ both pages are in the TLB
        str     r0, [r5], #64
loop:   vld1.8  {d0-d3}, [r4]!
        vld1.8  {d4-d7}, [r4]!
        vst1.8  {d0-d3}, [r5]!
        vst1.8  {d4-d7}, [r5]!
        subs    r8, r8, #1
        bne     loop
        vmov    r0, s0
        finish
        .bss
        .balign 4096
buffer: .space  4096
target: .space  4096
