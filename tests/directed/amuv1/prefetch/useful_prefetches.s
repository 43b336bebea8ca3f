// The same loads through whole pages: what the prefetcher fetches in time is no stall.
// proves: 0x4005 a prefetch in time takes the stall away, a late one leaves what remains of it
// set: memory.latency_cycles = 200
// vary: LINES prefetch.lines = 0, 1, 16
// expect-change: STALL_BACKEND_MEM < 0
// expect-change: CPU_CYCLES < 0
        .include "directed.inc"
_start: address x1, buffer
        number  x9, 64 * 100
loop:   ldr     x3, [x1]
        add     x1, x1, #64
        eor     x3, x3, x3
        add     x1, x1, x3              // the next load waits for this one
        repeat  x9
        finish
        zeroed  buffer, 4096*101, 4096
