@ Seven reads in a set of 4 ways that are filled in turn, victims in the same order. Pages 0 and 0x82
@ have the same hash, the others have their own:
@   page 0 comes in;
@   page 0x82 comes in, and the hash names page 0's way: 1, it gets the hash;
@   page 0 is in another way than the hash names: 2, it gets the hash back;
@   pages 1, 2 and 3 come in, the third of them in page 0's way: nothing has the hash any more;
@   page 0x82 is there, and the hash does not know it: 3.
@ proves: 0x49 a line that is there although no way has its hash counts
@ set: way_hash.enabled = yes
@ set: l1d.size_kb = 16
@ set: l1d.ways = 4
@ set: l1d.replacement = round-robin
@ expect: L1D_CACHE = 7
@ expect: L1D_CACHE_REFILL = 5
@ expect: L1D_HASH_MISS = 3
        .include "directed.inc"
        .macro  read page
        movw    r5, #(\page * 4096) & 0xffff
        movt    r5, #(\page * 4096) >> 16
        ldr     r0, [r4, r5]
        .endm
_start: address r4, buffer
        read    0
        read    0x82
        read    0
        read    1
        read    2
        read    3
        read    0x82
        finish
        zeroed  buffer, 0x83*4096, 0x100000
