@ 16 loads that each need the address the one before has loaded: 2 cycles for a load's result and 1
@ more for an address, which is needed a stage early. The counter and the branch issue beside them.
@ kernel: pointer chase, level 1: 16 pointers in as many lines
@ set: branch.history_bits = 0
@ set: issue.load_latency = 2
@ set: issue.early_extra = 1
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 16 * (2 + 1) * N
@ expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: address r4, nodes
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   16
        ldr     r4, [r4]
        .endr
        bne     loop
        finish
        .data
        .balign 64
nodes:  .rept   15
        .word   . + 64
        .space  60
        .endr
        .word   nodes
