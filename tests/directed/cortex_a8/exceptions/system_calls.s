@ N calls of getpid, as many that fail their condition, and the exit, which does not return.
@ proves: 0x09 a system call is an exception taken
@ proves: 0x0A the return from a system call is an exception return
@ proves: 0x09 a system call that fails its condition is none
@ proves: 0x0C a system call is no software change of the PC
@ build: a32 t32
@ vary: N = 1, 25
@ expect: EXC_TAKEN = N + 1
@ expect: EXC_RETURN = N
@ expect: PC_WRITE_RETIRED = N - 1
@ expect: INST_RETIRED = 2 + N * (3 + T32 + 2) + 3
        .include "directed.inc"
_start: mov     r8, #N
        mov     r7, #20
loop:   svc     #0
        cmp     r0, r0
        it      ne
        svcne   #0
        repeat  r8
        finish
