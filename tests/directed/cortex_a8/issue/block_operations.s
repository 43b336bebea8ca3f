@ Block transfers issue two registers a cycle.
@ proves: 0x55 every step of an LDM or STM is an operation
@ proves: 0x57 an LDM or STM is counted once
@ set: branch.history_bits = 0
@ set: issue.block_registers_per_cycle = 2
@ vary: N = 10, 60
@ expect-change: ISSUED_INSNS = 6 * N
@ expect-change: ISSUED_OPS = (1 + 2 + 4 + 3 + 2 + 1) * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   subs    r8, r8, #1
        ldm     r4, {r0-r3}
        ldm     r4, {r0-r3, r5-r7, r9}
        stm     r4, {r0-r3, r5, r6}
        stm     r4, {r0-r2}
        bne     loop
        finish
        zeroed  buffer, 64, 64
