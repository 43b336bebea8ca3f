// In each of N pages four loads go up by a line: the prefetcher fetches the four lines behind them,
// which nobody asks for. With it and without it the same cycles are lost.
// proves: 0x4005 a miss that only a prefetch waits for is none
// set: prefetch.lines = 4
// set: prefetch.pages = no
// set: memory.latency_cycles = 200
// vary: LINES prefetch.lines = 0, 4
// expect: STALL_BACKEND_MEM > 100 * 100
// expect-change: STALL_BACKEND_MEM = 0
// expect-change: CPU_CYCLES = 0
        .include "directed.inc"
_start: address x1, buffer
        number  x9, 100
        mov     x4, #4096
page:   mov     x8, #4
        mov     x2, x1
loop:   ldr     x3, [x2]
        add     x2, x2, #64
        eor     x3, x3, x3
        add     x2, x2, x3              // the next load waits for this one
        repeat  x8
        add     x1, x1, x4
        add     x1, x1, x3
        repeat  x9, page
        finish
        zeroed  buffer, 4096*101, 4096
