@ N system calls that come back, N that fail their condition, and the last one that does not.
@ proves: 0x09 a system call is an exception taken
@ proves: 0x09 a system call that fails its condition is none
@ proves: 0x0A the return from a system call is an exception return
@ proves: 0x0C a system call is no software change of the PC
@ let: N = 20
@ expect: EXC_TAKEN = N + 1
@ expect: EXC_RETURN = N
@ expect: PC_WRITE_RETIRED = N - 1
        .include "directed.inc"
_start: mov     r8, #N
loop:   mov     r7, #20                 @ getpid
        svc     #0
        cmp     r8, #0
        svceq   #0
        repeat  r8
        finish
