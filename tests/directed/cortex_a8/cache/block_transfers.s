@ Transfers of several registers across line and page boundaries: 8 bytes before a boundary they
@ take 16 bytes, so each touches two lines. Pairs of lines are 256 bytes apart, PAIRS pairs.
@ proves: 0x03 every line that an LDM or POP brings in counts
@ proves: 0x04 every line that an LDM, STM, PUSH or POP touches counts
@ proves: 0x06 a block load counts once, whatever it touches
@ proves: 0x05 a transfer across a page boundary may walk twice
@ build: a32 t32
@ let: PAIRS = 12
@ expect: LD_RETIRED = 2 * PAIRS + 1
@ expect: ST_RETIRED = 2 * PAIRS
@ expect: L1D_CACHE = 8 * PAIRS + 2
@ expect: L1D_CACHE_REFILL = 2 * PAIRS + 2
@ expect: L1D_TLB_REFILL = 3
@ expect: UNALIGNED_LDST_RETIRED = 0
        .include "directed.inc"
_start: address r4, buffer + 56
        mov     r8, #PAIRS
loop:   ldm     r4, {r0-r3}             @ brings two lines in
        stm     r4, {r0-r3}
        mov     sp, r4
        add     sp, sp, #16
        push    {r0-r3}                 @ the same 16 bytes
        pop     {r0-r3}
        add     r4, r4, #256
        repeat  r8
        address r4, buffer + 8184
        ldm     r4, {r0-r3}             @ two pages, neither seen before
        finish
        zeroed  buffer, 16384, 4096
