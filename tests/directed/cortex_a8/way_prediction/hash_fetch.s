@ Two lines of code in one set of the cache run in turn, ROUNDS times: each is a branch. SAME says
@ whether their pages fold to the same hash: 0x82 pages apart they do, 0x80 pages apart not.
@ proves: 0x4A the hash of a line that is not there names a way, or the line is in another: each counts
@ proves: 0x4A lines of one set with different hashes do not mislead
@ set: way_hash.enabled = yes
@ set: l1i.size_kb = 16
@ set: l1i.ways = 4
@ let: ROUNDS = 25
@ vary: SAME = 0, 1
@ expect: L1I_CACHE_REFILL = 3
@ expect: L1I_HASH_MISS = SAME * (1 + 2 * (ROUNDS - 1))
        .include "directed.inc"
_start: mov     r8, #ROUNDS
        b       near
again:  repeat  r8, near
        finish
        .org    0xf0200 @ at 0x100200
near:   b       far
        .space  (0x80 + 2 * SAME) * 4096 - 4
far:    b       again
