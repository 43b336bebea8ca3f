// N calls of getpid: each is an exception taken and a return that no instruction of the program makes.
// proves: 0x0009 a system call is an exception
// proves: 0x000A a system call that came back is an exception return
// proves: 0x0082 a system call is a Supervisor Call
// vary: N = 1, 10, 300
// expect-change: EXC_TAKEN = N
// expect-change: EXC_RETURN = N
// expect-change: EXC_SVC = N
// expect: EXC_SVC = N + 1
// expect-change: EXC_UNDEF = 0
// expect-change: PC_WRITE_SPEC = N
        .include "directed.inc"
_start: number  x9, N
loop:   mov     x8, #172
        svc     #0
        repeat  x9
        finish
