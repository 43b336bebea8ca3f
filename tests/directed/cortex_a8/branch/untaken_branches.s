@ 64 times three instructions, the last a branch that fails: the branches stand in either half of
@ their groups of 8 bytes. All code runs straight on: 2 + 192 + 3 instructions in 99 groups.
@ proves: 0x50 a branch that is not taken starts no new access
@ proves: 0x10 a branch that was not predicted and is not taken is no flush
@ proves: 0x54 branches that are not taken do not count
@ proves: 0x56 branches that are not taken lose no cycles
@ set: l1i.fetch_bytes = 8
@ set: l2.fetch_hit_cycles = 8
@ set: memory.minimum_cycles = 25
@ set: memory.latency_cycles = 100
@ set: walk.cycles = 24
@ set: exception.entry_cycles = 13
@ expect: INST_RETIRED = 2 + 3 * 64 + 3
@ expect: L1I_CACHE = 99
@ expect: BR_PRED = 64
@ expect: BR_MIS_PRED = 0
@ expect: BR_PREDICTABLE_TAKEN = 0
@ expect: L1I_CACHE_REFILL = 13
@ expect: ISSUE_EMPTY_CYCLES = 13 * (8 + 25 + 100) + 24 + 2 * (25 + 100) + 13
        .include "directed.inc"
_start: cmp     r0, r0
        nop
        .rept   64
        nop
        nop
        bne     _start
        .endr
        finish
