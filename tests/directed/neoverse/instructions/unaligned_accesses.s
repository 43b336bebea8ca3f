// N rounds of accesses one byte from alignment, and of the same ones aligned; single bytes are never unaligned, and a pair is
// aligned to one of its registers.
// proves: 0x0068 loads from unaligned addresses count once, aligned ones and bytes do not
// proves: 0x0069 stores to unaligned addresses count once, aligned ones and bytes do not
// proves: 0x006A loads and stores of unaligned addresses are added up
// vary: N = 1, 10, 500
// expect-change: UNALIGNED_LD_SPEC = 3 * N
// expect-change: UNALIGNED_ST_SPEC = 2 * N
// expect-change: UNALIGNED_LDST_SPEC = 5 * N
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
loop:   ldur    x2, [x1, #1]
        ldurh   w2, [x1, #3]
        ldp     x2, x3, [x1, #8]
        ldur    q0, [x1, #8]
        ldrb    w2, [x1, #1]
        ldr     x2, [x1, #8]
        stur    w2, [x1, #2]
        stur    x2, [x1, #4]
        strb    w2, [x1, #3]
        str     x2, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
