@ A table branch to the instruction behind it: nine cycles. The load's offset waits for nothing.
@ proves: 0x11 TBB takes nine cycles
@ proves: 0x06 the table that TBB reads is a read
@ proves: 0x0D a table branch is no branch to an address it holds
@ build: t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (9 + 2)
@ expect-change: BR_MIS_PRED = N
@ expect-change: LD_RETIRED = N
@ expect-change: BR_IMMED_RETIRED = N
        .include "directed.inc"
_start: mov     r8, #N
        mov     r6, #0
        .balign 4
loop:   tbb     [pc, r6]
table:  .byte   (next - table) / 2, 0
next:   repeat  r8
        finish
