@ NEON stores past level 1, and the load behind it, of the same line, waits until NEON's data has come
@ and drained.
@ proves: 0x11 a load waits for what NEON stores to its line
@ let: LINES = 32
@ vary: LONG neon.store_cycles = 20, 50, 80
@ expect-change: CPU_CYCLES = LONG * LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   vstr    d0, [r4]
        ldr     r1, [r4, #8]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 4096, 4096
