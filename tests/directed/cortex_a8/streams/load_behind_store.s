@ A store misses and the load behind it, of the same line, waits until its entry has drained.
@ proves: 0x11 a load waits for a store to its line that is in the write buffer
@ set: l2.write_allocate = no
@ let: LINES = 32
@ vary: DRAIN store_buffer.drain_cycles = 50, 90, 200
@ expect-change: CPU_CYCLES = DRAIN * LINES
@ expect: WRITE_BUFFER_FULL_CYCLES = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4]
        ldr     r1, [r4, #4]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 4096, 4096
