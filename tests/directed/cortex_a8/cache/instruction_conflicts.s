@ LINES lines of code, one cache way apart, run in turn, ROUNDS times. Each is a branch to the next;
@ they share a set of 4 ways with nothing else.
@ proves: 0x01 as many lines as a set has ways stay; with one more, least recently used, all miss
@ proves: 0x12 every branch counts
@ set: l1i.size_kb = 16
@ set: l1i.ways = 4
@ set: l1i.replacement = lru
@ set: itlb.entries = 32
@ let: ROUNDS = 20
@ vary: LINES = 4, 5
@ expect: L1I_CACHE_REFILL = 1 + 4 * (5 - LINES) + (LINES - 4) * LINES * ROUNDS
@ expect: L1I_TLB_REFILL = 1 + LINES
@ expect: BR_PRED = ROUNDS * (LINES + 1) + 1
@ expect: PC_WRITE_RETIRED = ROUNDS * (LINES + 1)
@ expect: INST_RETIRED = 2 + ROUNDS * (LINES + 2) + 3
        .include "directed.inc"
_start: mov     r8, #ROUNDS
        b       chain
again:  repeat  r8, chain
        finish
        .balign 4096
        .space  512
        .set    line, 0
chain:  .rept   LINES - 1
        b       . + 4096
        .space  4092
        .endr
        b       again
