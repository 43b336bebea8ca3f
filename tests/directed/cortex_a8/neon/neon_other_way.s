@ Moves from core registers to NEON, and NEON reads and writes.
@ proves: 0x58 a move to NEON is nothing to wait for, nor is a load or a store
@ expect: NEON_MRC_STALL_CYCLES = 0
        .include "directed.inc"
_start: mov     r8, #20
        address r4, buffer
loop:   vmov    s0, r0
        vmov    d1, r0, r1
        vdup.32 d2, r0
        vldr    d3, [r4]
        vstr    d3, [r4, #8]
        repeat  r8
        finish
        zeroed  buffer, 64, 64
