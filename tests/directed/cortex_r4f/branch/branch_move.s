@ Each iteration has one branch that is never predicted: nine cycles instead of one.
@ proves: 0x11 MOV PC,LR takes nine cycles
@ proves: 0x10 a branch that is not predicted flushes
@ proves: 0x40 the flush is a gap of eight cycles
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (1 + 9 + 2)
@ expect-change: BR_MIS_PRED = N
@ expect-change: STALL_IFETCH_CYCLES = 8 * N
        .include "directed.inc"
_start: mov     r8, #N
        adr     r6, leaf
loop:   bl      leaf
        repeat  r8
        finish
leaf:   mov     pc, lr
