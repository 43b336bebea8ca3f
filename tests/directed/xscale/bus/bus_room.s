@ As many lines as leave room for another are asked for, one a clock, and the last is waited for.
@ proves: 0x11 clocks in which the 80200's bus unit has room for one more do not count
@ machine: xscale-80200
@ set: bus.width_bits = 256
@ vary: LATENCY memory.latency_cycles = 50, 300
@ expect: PRODUCT1 = 0
        .include "directed.inc"
_start: buffer_at r12
        ldr     r0, [r12]
        mov     r1, r0                  @ the page is known
        b       loads
        .balign 32
loads:  ldr     r0, [r12, #32]
        ldr     r1, [r12, #64]
        ldr     r2, [r12, #96]
        mov     r2, r2
        finish
        zeroed  buffer, 512
