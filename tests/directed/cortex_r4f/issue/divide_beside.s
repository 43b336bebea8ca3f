@ A divide whose quotient is not needed for long: it takes a cycle to issue and one to write.
@ proves: 0x54 a divide beside other work stalls for the cycle of its result
@ proves: 0x53 multiplies are no divides
@ build: t32
@ vary: N = 50, 100, 200
@ expect-change: INTEGER_DIV_EXECUTED = N
@ expect-change: STALL_INTEGER_DIV_CYCLES = N
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = 0
@ expect-change: CPU_CYCLES = N * (1 + 2 + 18 + 1 + 2)
        .include "directed.inc"
_start: mov     r8, #N
        mov     r1, #100
        mov     r2, #7
loop:   sdiv    r0, r1, r2
        mul     r4, r1, r2
        .rept   18
        add     r3, r1, r2
        .endr
        repeat  r8
        finish
