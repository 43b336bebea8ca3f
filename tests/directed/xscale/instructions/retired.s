@ Instructions that execute, some of them under a condition that fails; what a wrong prediction fetched
@ is thrown away.
@ proves: 0x07 each instruction counts once, a list or a multiply too
@ proves: 0x07 an instruction that fails its condition counts
@ proves: 0x07 what is fetched behind a mispredicted branch does not count
@ vary: N = 3, 100
@ expect: INSTRUCTION = 3 + N * (1 + 4 + 2 + 2 + 2) + 3
        .include "directed.inc"
_start: mov     r8, #N
        buffer_at r4
        mov     r5, #0
loop:   cmp     r8, #0
        moveq   r0, #1
        ldreq   r0, [r5]
        stmeq   r5, {r0-r3}
        muleq   r0, r1, r2
        ldm     r4, {r0-r3}
        mul     r0, r1, r2
        b       1f
        udf
1:      nop
        repeat  r8
        finish
        zeroed  buffer, 64
