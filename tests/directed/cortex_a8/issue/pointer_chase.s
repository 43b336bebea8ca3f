@ 10 loads that each need the address the one before has loaded: 2 cycles for a load's result and 1
@ more for an address, which is needed a stage early.
@ proves: 0x11 a load's result is there after its latency
@ proves: 0x56 waiting for loaded data is no lack of instructions
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.load_latency = 2
@ set: issue.early_extra = 1
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 10 * (2 + 1) * N
@ expect-change: ISSUE_EMPTY_CYCLES = 0
        .include "directed.inc"
_start: address r4, buffer
        str     r4, [r4]
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   10
        ldr     r4, [r4]
        .endr
        bne     loop
        finish
        zeroed  buffer, 64, 64
