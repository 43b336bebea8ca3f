@ As wrong_path.s, with the branch at the end of its page: the fetches that are thrown away need the
@ next page.
@ proves: 0x02 a speculative fetch that needs a walk counts
@ set: l1i.fetch_bytes = 8
@ vary: FETCHES branch.wrong_path_fetches = 0, 8
@ expect: BR_MIS_PRED = 2
@ expect: INST_RETIRED = 1 + 1 + 3
@ expect: L1I_TLB_REFILL = 3 + FETCHES // 8
@ expect-change: L1I_CACHE = 2 * FETCHES
        .include "directed.inc"
_start: b       last
        .balign 4096
        .space  4096 - 4
last:   b       away
        .balign 4096
        .space  4096 + 128
away:   finish
