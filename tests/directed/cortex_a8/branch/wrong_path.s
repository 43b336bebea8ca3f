@ A branch is taken for the first time and was not predicted: the fetches behind it, in lines that
@ nothing else uses, are thrown away.
@ proves: 0x50 speculative fetches count
@ proves: 0x01 a speculative fetch that refills the cache counts
@ set: l1i.fetch_bytes = 8
@ vary: FETCHES branch.wrong_path_fetches = 0, 8, 16
@ expect: BR_MIS_PRED = 1
@ expect: INST_RETIRED = 15 + 1 + 3
@ expect-change: L1I_CACHE = FETCHES
@ expect-change: L1I_CACHE_REFILL = FETCHES // 8
@ expect-change: L2_ACCESS = FETCHES // 8
        .include "directed.inc"
_start: .rept   15
        nop
        .endr
        b       away                    @ the last of its line
        .space  1024
away:   finish
