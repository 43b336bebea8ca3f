@ LINES dirty lines are thrown out one after the other, each with two dirty halves, and one write
@ buffer there is. The second half waits where the wait for the first ends, without a clock between.
@ proves: 0x09 an unbroken run of waits counts once
@ proves: 0x08 dirty half lines wait for a write buffer
@ set: write_buffer.entries = 1
@ set: memory.latency_cycles = 10
@ set: bus.width_bits = 256
@ set: l1d.write_allocate = yes
@ let: LINES = 32
@ vary: DRAIN write_buffer.drain_cycles = 300, 500, 900
@ expect: DCACHE_HALF_LINE_WRITE_BACK = 2 * LINES
@ expect: DCACHE_BUFFER_STALL = LINES
@ expect-change: DCACHE_BUFFER_STALL_CYCLES = (2 * LINES - 1) * DRAIN
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #LINES
dirty:  str     r0, [r4]                @ lines of one set
        str     r0, [r4, #16]
        add     r4, r4, #1024
        .rept   16
        mov     r11, r11                @ until the line is there
        .endr
        repeat  r8, dirty
        mov     r8, #LINES
clean:  ldr     r0, [r4], #1024
        repeat  r8, clean
        finish
        .bss
        .space  1024 * 64
