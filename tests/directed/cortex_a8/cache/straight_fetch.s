@ 1024 instructions of 4 bytes in a row and the three of the end: 4108 bytes from 0x10000. They span
@ 514 groups of 8 bytes, 65 lines of 64 and 2 pages.
@ proves: 0x50 one access for each aligned group the program runs into
@ proves: 0x01 one refill for each line, however many instructions a fetch brings
@ proves: 0x01 fetches served by the refill of a line already on its way do not count
@ proves: 0x02 one walk for each page
@ proves: 0x43 an instruction refill is one access to level 2, a walk is two
@ proves: 0x44 what is in no cache misses: 65 lines of code, 1 of first and 1 of second level table
@ proves: 0x45 a line of 64 bytes is 8 packets of 64 bits
@ build: a32 t32
@ set: l1i.fetch_bytes = 8
@ set: l1i.line_bytes = 64
@ set: bus.width_bits = 64
@ expect: INST_RETIRED = 1027
@ expect: L1I_CACHE = 514
@ expect: L1I_CACHE_REFILL = 65
@ expect: L1I_TLB_REFILL = 2
@ expect: L1D_CACHE = 0
@ expect: L2_ACCESS = 65 + 2 * 2
@ expect: L2_CACHE_MISS = 65 + 1 + 1
@ expect: AXI_READ_BEATS = (65 + 1 + 1) * 8
@ expect: AXI_WRITE_BEATS = 0
@ expect: ISSUED_INSNS = 1027
@ expect: BR_MIS_PRED = 0
@ expect: BR_PRED = 0
        .include "directed.inc"
_start:
        .rept   1024
        movw    r0, #1
        .endr
        finish
