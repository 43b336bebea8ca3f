@ LOADS lines are asked for, one a clock, and the last is waited for. The bus unit has room for four:
@ it is full from the fourth until the first line comes, and again when a fifth took the
@ place of the first, until the second comes a clock later.
@ proves: 0x11 clocks in which the 80200's bus unit has no room for a request count
@ machine: xscale-80200
@ set: fill_buffer.entries = 6
@ set: pend_buffer.entries = 6
@ set: bus.width_bits = 256
@ set: bus.beat_cycles = 1
@ let: LOADS = 5
@ vary: LATENCY memory.latency_cycles = 50, 80, 300
@ expect: PRODUCT1 = LATENCY - 3 + 1
        .include "directed.inc"
_start: buffer_at r12
        ldr     r0, [r12]
        mov     r1, r0                  @ the page is known
        b       loads
        .balign 32
loads:  ldr     r0, [r12, #32]
        ldr     r1, [r12, #64]
        ldr     r2, [r12, #96]
        ldr     r3, [r12, #128]
        ldr     r4, [r12, #160]
        mov     r4, r4
        finish
        .bss
        .space  512
