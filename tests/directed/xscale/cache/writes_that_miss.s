@ Words are written to N lines, ROUNDS times. Where a write that misses fills no line, each misses.
@ proves: 0x0B a store that finds its line not in the data cache counts
@ proves: 0x0C a write that goes past the data cache is no write-back
@ set: l1d.write_allocate = no
@ let: N = 50
@ vary: ROUNDS = 1, 4
@ expect: DCACHE_MISS = N * ROUNDS
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
