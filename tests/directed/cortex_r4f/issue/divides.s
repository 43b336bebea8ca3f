@ Two divides in an iteration whose quotients the next instruction needs.
@ proves: 0x53 SDIV and UDIV count once each
@ proves: 0x54 an instruction waits nine cycles for a quotient of SDIV, eight for one of UDIV
@ proves: 0x41 that is no stall of a dependency
@ build: t32
@ vary: N = 50, 100, 200
@ expect-change: INTEGER_DIV_EXECUTED = 2 * N
@ expect-change: STALL_INTEGER_DIV_CYCLES = (9 + 8) * N
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = 0
@ expect-change: CPU_CYCLES = N * ((10 + 1 + 1) + (9 + 1 + 1) + 2)
        .include "directed.inc"
_start: mov     r8, #N
        mov     r1, #100
        mov     r2, #7
loop:   sdiv    r0, r1, r2
        add     r3, r0, r4
        isb
        udiv    r0, r1, r2
        add     r3, r0, r4
        isb
        repeat  r8
        finish
