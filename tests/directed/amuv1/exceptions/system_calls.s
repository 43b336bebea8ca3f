// N calls of getpid: entry and return each empty the pipeline; the kernel's own time is not there.
// proves: 0x0011 a system call costs the entry and the return of an exception
// proves: 0x0008 a system call is an instruction, the kernel's are not there
// set: exception.entry_cycles = 100
// set: exception.return_cycles = 50
// vary: N = 100, 600
// expect-change: INST_RETIRED = 4 * N
// expect-change: CPU_CYCLES >= 100 * N
// expect-change: CPU_CYCLES <= (100 + 50 + 10) * N
        .include "directed.inc"
_start: number  x9, N
loop:   mov     x8, #172
        svc     #0
        repeat  x9
        finish
