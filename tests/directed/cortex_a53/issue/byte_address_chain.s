// The same by a halfword, which has no way of its own to the address: 4 cycles.
// proves: 0x00E5 an address that is no whole register comes a cycle later
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * N
// expect-change: AGU_DEP_STALL = 2 * N
        .include "directed.inc"
_start: number  x9, N
        address x2, buffer
        mov     x1, #0
        .balign 64
loop:
        ldrh    w1, [x2, x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 4096
