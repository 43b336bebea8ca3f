@ The byte is loaded in cycle 0 and can be added to the remainder load_latency = 2 later; cycle 3
@ makes it an index; an address is needed a stage early, 2 cycles later: the table is read in cycle
@ 5 and its entry added in cycle 7, beside the branch. The rest pairs.
@ kernel: CRC-32 by table: one byte
@ set: branch.history_bits = 0
@ set: issue.load_latency = 2
@ set: issue.early_extra = 1
@ vary: N = 300, 900
@ expect-change: CPU_CYCLES = 8 * N
@ expect-change: INST_RETIRED = 9 * N
@ expect-change: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: address r4, bytes
        address r5, table
        mov     r6, #1024
warm:   subs    r6, r6, #4
        ldr     r1, [r5, r6]
        bne     warm
        mvn     r0, #0
        movw    r8, #N
loop:   ldrb    r1, [r4, r6]
        subs    r8, r8, #1
        eor     r2, r1, r0
        add     r6, r6, #1
        and     r2, r2, #255
        and     r6, r6, #255
        ldr     r3, [r5, r2, lsl #2]
        eor     r0, r3, r0, lsr #8
        bne     loop
        finish
        crc32_data
