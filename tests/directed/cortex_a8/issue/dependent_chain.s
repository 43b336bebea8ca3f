@ An iteration is 20 additions that each need the one before: 20 cycles, the counter pairs with the
@ first and the branch with the last.
@ proves: 0x11 an instruction waits for the result it needs
@ proves: 0x57 22 instructions are issued in 20 cycles
@ proves: 0x56 waiting for a result is no lack of instructions
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.alu_latency = 1
@ vary: N = 10, 60, 200
@ expect-change: CPU_CYCLES = 20 * N
@ expect-change: ISSUED_INSNS = 22 * N
@ expect-change: ISSUED_OPS = 22 * N
@ expect-change: ISSUE_EMPTY_CYCLES = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   20
        add     r0, r0, #1
        .endr
        bne     loop
        finish
