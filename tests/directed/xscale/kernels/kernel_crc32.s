@ One instruction a cycle. The byte, loaded in cycle 0, is there in cycle 3 for the first EOR; the
@ table is read in cycle 5 and its entry there in cycle 8; the branch is cycle 9.
@ kernel: CRC-32 by table: one byte
@ machine: ixp425
@ vary: N = 300, 900
@ expect-change: CPU_CYCLES = 10 * N
@ expect-change: INSTRUCTION = 9 * N
@ expect-change: DCACHE_MISS = 0
        .include "directed.inc"
_start: mov     r4, #0x200000           @ data
        add     r5, r4, #256
        mov     r6, #1280
warm:   subs    r6, r6, #4
        ldr     r1, [r4, r6]
        bne     warm
        mvn     r0, #0
        number  r8, N
loop:   ldrb    r1, [r4, r6]
        add     r6, r6, #1
        and     r6, r6, #255
        eor     r2, r1, r0
        and     r2, r2, #255
        ldr     r3, [r5, r2, lsl #2]
        subs    r8, r8, #1
        eor     r0, r3, r0, lsr #8
        bne     loop
        finish
        crc32_data
