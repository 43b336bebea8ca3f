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
_start: address r4, buffer
        address r5, target
        mov     r8, #LINES
        ldr     r0, [r4], #64           @ both pages are in the TLB
        str     r0, [r5], #64
loop:   vld1.8  {d0-d3}, [r4]!
        vst1.8  {d0-d3}, [r5]!
        vld1.8  {d0-d3}, [r4]!
        vst1.8  {d0-d3}, [r5]!
        subs    r8, r8, #1
        bne     loop
        vmov    r0, s0
        finish
        .bss
        .balign 4096
buffer: .space  4096
target: .space  4096
