@ 1024 instructions that each need the one before, cold: 65 lines of 64 bytes in 2 pages. A fetch
@ miss that goes to memory takes 8 + 25 + 100 cycles. The first walk finds neither descriptor in
@ level 2, the second both. The system call that ends it costs an exception entry of 13.
@ proves: 0x56 cycles in which fetch misses and instruction walks leave nothing to issue count
@ proves: 0x11 every cycle counts: 1024 of the chain, 2 of the end, and those without an instruction
@ proves: 0x57 instructions issued are those executed when nothing is flushed
@ proves: 0x55 instructions of one step are one operation
@ set: l2.fetch_hit_cycles = 8
@ set: memory.minimum_cycles = 25
@ set: memory.latency_cycles = 100
@ set: walk.cycles = 24
@ set: exception.entry_cycles = 13
@ set: issue.alu_latency = 1
@ expect: ISSUE_EMPTY_CYCLES = 65 * (8 + 25 + 100) + 2 * 24 + 2 * (25 + 100) + 13
@ expect: CPU_CYCLES - ISSUE_EMPTY_CYCLES = 1024 + 2
@ expect: ISSUED_INSNS = 1027
@ expect: ISSUED_OPS = 1027
        .include "directed.inc"
_start: .rept   1024
        add     r0, r0, #1
        .endr
        finish
