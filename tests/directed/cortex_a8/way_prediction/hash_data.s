@ Two lines of one set are read in turn, ROUNDS times. SAME says whether the pages they lie in fold to
@ the same hash: 0x82 pages apart they do (bits 1 and 7 cancel), 0x80 pages apart they do not. When
@ the second comes in the hash already names the first one's way; from then on it names the other
@ one's each time.
@ proves: 0x49 the hash of a line that is not there names a way, or the line is in another: each counts
@ proves: 0x49 lines of one set with different hashes do not mislead
@ proves: 0x47 a way predicted wrong is replayed when the line is there
@ set: way_hash.enabled = yes
@ set: l1d.size_kb = 16
@ set: l1d.ways = 4
@ let: ROUNDS = 25
@ vary: SAME = 0, 1
@ expect: L1D_CACHE = 2 * ROUNDS
@ expect: L1D_CACHE_REFILL = 2
@ expect: L1D_HASH_MISS = SAME * (1 + 2 * (ROUNDS - 1))
@ expect-change: MEMORY_REPLAY = 2 * (ROUNDS - 1)
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        address r4, buffer
        address r5, far
loop:   ldr     r0, [r4]
        ldr     r0, [r5]
        repeat  r9
        finish
        zeroed  buffer, (0x80+2*SAME)*4096, 0x100000
        zeroed  far, 4096
