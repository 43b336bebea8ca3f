@ The byte is loaded in cycle 0, with the counter, and added in cycle 2. The index, made in cycle 3, is
@ an address 1 + 2 cycles later: the table is read in cycle 6, with an AND; its entry is added in
@ cycle 8, with the branch.
@ kernel: CRC-32 by table: one byte
@ set: issue.load_latency = 2
@ set: issue.address_extra = 2
@ vary: N = 400, 1200
@ expect-change: CPU_CYCLES = 9 * N
@ expect-change: INST_RETIRED = 9 * N
@ expect-change: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: address r4, bytes
        address r5, table
        mov     r6, #1024
warm:   subs    r6, r6, #4
        ldr     r1, [r5, r6]
        ldr     r1, [r4, r6, lsr #2]
        bne     warm
        mvn     r0, #0
        movw    r8, #N
loop:   ldrb    r1, [r4, r6]
        subs    r8, r8, #1
        add     r6, r6, #1
        eor     r2, r1, r0
        and     r2, r2, #255
        and     r6, r6, #255
        ldr     r3, [r5, r2, lsl #2]
        eor     r0, r3, r0, lsr #8
        bne     loop
        finish
        crc32_data
