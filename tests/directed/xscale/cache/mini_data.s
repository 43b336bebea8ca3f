@ Lines in the pages of the mini data cache, which has 2 ways: N lines of one set are read over and over.
@ proves: 0x0A accesses to the mini data cache count
@ proves: 0x0B misses of the mini data cache count
@ set: mini_data.first_mb = 4
@ set: mini_data.size_mb = 1
@ let: ROUNDS = 20
@ vary: N = 2, 3, 4
@ expect: DCACHE_ACCESS = N * ROUNDS
@ expect: DCACHE_MISS = N * (1 + (N + 1) // 4 * (ROUNDS - 1))
        .include "directed.inc"
_start: mov     r9, #ROUNDS
again:  buffer_at r4
        mov     r8, #N
loop:   ldr     r0, [r4], #1024
        add     r1, r0, r0              @ wait for it
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 4096
