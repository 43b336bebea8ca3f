@ N undefined instructions, each handled: the instruction is not executed, the handler is.
@ proves: 0x08 an undefined instruction is not executed
@ proves: 0x09 an undefined instruction is an exception taken
@ proves: 0x0A the return from the handled fault is an exception return
@ vary: N = 1, 7
@ expect: INST_RETIRED = 7 + 1 + N * (5 + 1 + 3) + 3
@ expect: LD_RETIRED = N
@ expect: ST_RETIRED = N
@ expect: EXC_TAKEN = 1 + 2 * N + 1
@ expect: EXC_RETURN = 1 + 2 * N
        .include "directed.inc"
        .include "signal.inc"
_start: install 4                       @ SIGILL
        mov     r8, #N
loop:   add     r6, r6, #1
        udf     #0
        add     r5, r5, #1
        repeat  r8
        finish
        handler
