@ The same with four fill buffers: four reads at a time wait for memory once. COLD lines come before: of
@ code, of page tables, and the first of data.
@ proves: 0x11 reads of NEON that miss wait for memory together
@ set: l2.fill_buffers = 4
@ set: bus.width_bits = 64
@ set: bus.beat_cycles = 5
@ let: LINES = 32
@ let: COLD = 1 + 3 + 1
@ vary: WAIT memory.latency_cycles = 150, 200, 300
@ expect-change: CPU_CYCLES = WAIT * (COLD + LINES // 4)
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
        ldr     r0, [r4], #64           @ the page is in the TLB
loop:   vldr    d0, [r4]
        add     r4, r4, #64
        repeat  r8
        vmov    r0, s0
        finish
        zeroed  buffer, 4096, 4096
