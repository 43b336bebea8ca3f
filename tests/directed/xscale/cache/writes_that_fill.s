@ Words are written to N lines, ROUNDS times. Where a write that misses fills its line, the first misses.
@ proves: 0x0B a store that finds the line an earlier one filled does not count
@ set: l1d.write_allocate = yes
@ let: N = 50
@ vary: ROUNDS = 1, 4
@ expect: DCACHE_MISS = N
@ expect: DCACHE_ACCESS = N * ROUNDS
@ expect: DCACHE_HALF_LINE_WRITE_BACK = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
again:  buffer_at r4
        mov     r8, #N
loop:   str     r0, [r4], #32
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 32*50
