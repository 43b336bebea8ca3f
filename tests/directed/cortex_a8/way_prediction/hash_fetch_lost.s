@ Seven calls of functions that lie in one set of 4 ways filled in turn, victims in the same order. Pages
@ 0 and 0x82 have the same hash, the others have their own:
@   page 0 comes in;
@   page 0x82 comes in, and the hash names page 0's way: 1, it gets the hash;
@   page 0 is in another way than the hash names: 2, it gets the hash back;
@   pages 1, 2 and 3 come in, the third of them in page 0's way: nothing has the hash any more;
@   page 0x82 is there, and the hash does not know it: 3.
@ The calls lie in other sets, in 2 lines.
@ proves: 0x4A a line that is there although no way has its hash counts
@ set: way_hash.enabled = yes
@ set: l1i.size_kb = 16
@ set: l1i.ways = 4
@ set: l1i.replacement = round-robin
@ expect: L1I_CACHE_REFILL = 5 + 2
@ expect: L1I_HASH_MISS = 3
        .include "directed.inc"
        .macro  call page
        address r5, page\page
        blx     r5
        .endm
_start: call    0
        call    0x82
        call    0
        call    1
        call    2
        call    3
        call    0x82
        finish
        .org    0xf0200 @ at 0x100200
page0:  bx      lr
        .space  4096 - 4
page1:  bx      lr
        .space  4096 - 4
page2:  bx      lr
        .space  4096 - 4
page3:  bx      lr
        .space  (0x82 - 3) * 4096 - 4
page0x82:
        bx      lr
