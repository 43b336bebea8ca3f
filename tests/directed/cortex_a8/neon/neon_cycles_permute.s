@ Permutes, loads and stores, none of which waits for another: the cycles beside each add up.
@ proves: 0x11 permutes, loads and stores of NEON take their pipe for as many cycles as the manual tells
@ set: branch.history_bits = 0
@ set: l1d.neon_allocate = yes
@ let: CYCLES = 1 + 1 + 1 + 1 + 2 + 1 + 2 + 1 + 3 + 3 + 2 + 2 + 3 + 3 + 2 + 2 + 4 + 2 + 1 + 4 + 3
@ vary: N = 20, 100
@ expect-change: CPU_CYCLES = CYCLES * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   subs    r8, r8, #1
        vrev64.8 q0, q8                 @ 1
        vdup.8  q1, d16[1]              @ 1
        vmovn.i16 d4, q8                @ 1
        vext.8  d6, d16, d18, #3        @ 1
        vext.8  q4, q8, q9, #3          @ 2
        vtrn.8  d10, d11                @ 1
        vtrn.8  q6, q7                  @ 2
        vzip.8  d20, d21                @ 1
        vzip.8  q11, q12                @ 3
        vuzp.8  q13, q14                @ 3
        vtbl.8  d30, {d16}, d18         @ 2
        vtbl.8  d31, {d16, d17}, d18    @ 2
        vtbl.8  d30, {d16-d18}, d19     @ 3
        vtbl.8  d31, {d16-d19}, d19     @ 3
        vldr    d0, [r4]                @ 2
        vstr    d16, [r4, #8]           @ 2
        vldm    r4, {d0-d4}             @ 4
        vld1.8  {d0, d1}, [r4]          @ 2
        vld1.8  {d0, d1}, [r4:128]      @ 1
        vld4.8  {d0-d3}, [r4]           @ 4
        vst1.8  {d16-d19}, [r4]         @ 3
        bne     loop
        finish
        zeroed  buffer, 64, 64
