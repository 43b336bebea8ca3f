// What the next byte needs is the remainder: EOR and AND take a cycle each, the table 4, and the EOR
// with a shifted operand 1, as logical operations do. The rest overlaps.
// kernel: CRC-32 by table: one byte
// set: latency.load = 4
// vary: N = 400, 1200
// expect-change: CPU_CYCLES = (1 + 1 + 4 + 1) * N
// expect-change: INST_RETIRED = 9 * N
        .include "directed.inc"
_start: address x4, bytes
        add     x5, x4, #256
        mov     x6, #1024
warm:   subs    x6, x6, #4
        ldr     w1, [x5, x6]
        b.ne    warm
        number  x9, N
        mov     w0, #-1
loop:   ldrb    w1, [x4, x6]
        add     x6, x6, #1
        and     x6, x6, #255
        eor     w2, w1, w0
        and     w2, w2, #255
        ldr     w3, [x5, w2, uxtw #2]
        eor     w0, w3, w0, lsr #8
        repeat  x9
        finish
        crc32_data
