/* Hot loops of the kinds that programs of Debian spend their time in, as GCC 12 or a library's assembly has them.
 * accuracy/blocks compares their time on the core models with llvm-mca's. Those named sve_* need that extension. */
.arch armv8.2-a+crc+sve
.macro BLOCK name
ret
.balign 64
.type \name, %function
.global \name
\name:
1:
.endm

BLOCK copy_bytes
    ldrb w4, [x1, x3]
    strb w4, [x0, x3]
    add x3, x3, 1
    cmp x2, x3
    bne 1b
BLOCK copy_words
    ldr x4, [x1, x3, lsl 3]
    str x4, [x0, x3, lsl 3]
    add x3, x3, 1
    cmp x2, x3
    bne 1b
BLOCK fill_words
    str x1, [x0], 8
    cmp x2, x0
    bne 1b
BLOCK sum_words
    ldr x1, [x2], 8
    add x0, x0, x1
    cmp x3, x2
    bne 1b
BLOCK dot_double
    ldr d2, [x0, x3, lsl 3]
    ldr d1, [x1, x3, lsl 3]
    add x3, x3, 1
    fmadd d0, d2, d1, d0
    cmp x2, x3
    bne 1b
BLOCK saxpy
    ldr s2, [x1, x3, lsl 2]
    ldr s1, [x0, x3, lsl 2]
    fmadd s1, s2, s0, s1
    str s1, [x0, x3, lsl 2]
    add x3, x3, 1
    cmp x2, x3
    bne 1b
BLOCK fnv1a
    ldrb w1, [x2], 1
    eor w0, w1, w0
    mul w0, w0, w4
    cmp x3, x2
    bne 1b
BLOCK murmur
    ldr x1, [x2], 8
    mul x1, x1, x6
    ror x1, x1, 33
    mul x1, x1, x5
    eor x1, x1, x0
    ror x1, x1, 37
    add x1, x1, x1, lsl 2
    add x0, x1, x4
    cmp x3, x2
    bne 1b
BLOCK xorshift
    eor x0, x0, x0, lsl 13
    add x2, x2, 1
    eor x0, x0, x0, lsr 7
    eor x0, x0, x0, lsl 17
    cmp x1, x2
    bne 1b
BLOCK crc_table
    ldrb w3, [x1], 1
    eor w3, w3, w0
    and x3, x3, 255
    ldr w3, [x2, x3, lsl 2]
    eor w0, w3, w0, lsr 8
    cmp x4, x1
    bne 1b
BLOCK crc_insn
    ldr x2, [x1], 8
    crc32x w0, w0, x2
    cmp x3, x1
    bne 1b
BLOCK adler
    ldrb w3, [x0], 1
    add w1, w1, w3
    add w2, w2, w1
    cmp x4, x0
    bne 1b
BLOCK partition_count
    ldr w2, [x3], 4
    cmp w2, w1
    cinc x0, x0, lt
    cmp x4, x3
    bne 1b
BLOCK max_int
    ldr w2, [x1], 4
    cmp w0, w2
    csel w0, w0, w2, ge
    cmp x3, x1
    bne 1b
BLOCK minmax_swap
    ldr w1, [x0, 4]
    cmp w1, w2
    csel w3, w1, w2, le
    cmp w2, w1
    csel w2, w2, w1, ge
    str w3, [x0]
    str w2, [x0, 4]!
    cmp x4, x0
    bne 1b
BLOCK chase
    sub x2, x2, #1
    ldr x0, [x0]
    cmn x2, #1
    bne 1b
BLOCK list_sum
    ldp x1, x2, [x1]
    add x0, x0, x2
    cbnz x1, 1b
BLOCK divide
    ldr x2, [x3], 8
    udiv x2, x2, x1
    add x0, x0, x2
    cmp x4, x3
    bne 1b
BLOCK modexp
    mul x0, x0, x0
    add x3, x3, 1
    udiv x4, x0, x1
    msub x0, x4, x1, x0
    cmp x2, x3
    bne 1b
BLOCK gcd
    udiv x3, x0, x1
    mov x2, x1
    msub x1, x3, x1, x0
    mov x0, x2
    cbnz x1, 1b
BLOCK horner
    ldr d1, [x0], 8
    fmadd d0, d2, d0, d1
    cmp x1, x0
    bne 1b
BLOCK divide_doubles
    ldr d1, [x0]
    fdiv d1, d1, d0
    str d1, [x0], 8
    cmp x0, x1
    bne 1b
BLOCK normalise
    ldp s3, s2, [x0]
    ldr s1, [x0, 8]
    fmul s0, s2, s2
    fmadd s0, s3, s3, s0
    fmadd s0, s1, s1, s0
    fmul s3, s3, s0
    fmul s2, s2, s0
    fmul s1, s1, s0
    stp s3, s2, [x0]
    add x0, x0, 12
    str s1, [x0, -4]
    cmp x1, x0
    bne 1b
BLOCK int_to_float
    ldr s0, [x1, x3, lsl 2]
    scvtf s0, s0
    fmul s0, s0, s1
    str s0, [x0, x3, lsl 2]
    add x3, x3, 1
    cmp x2, x3
    bne 1b
BLOCK popcount
    ldr d0, [x2], 8
    cnt v0.8b, v0.8b
    addv b0, v0.8b
    fmov x1, d0
    add x0, x0, x1
    cmp x3, x2
    bne 1b
BLOCK mul_128
    ldr x6, [x1, x5, lsl 3]
    mul x4, x2, x6
    umulh x6, x2, x6
    adds x4, x4, x7
    str x4, [x0, x5, lsl 3]
    add x5, x5, 1
    cinc x7, x6, cs
    cmp x3, x5
    bne 1b
BLOCK matrix_row
    ldr w5, [x1, x4, lsl 2]
    ldr w6, [x0, x4, lsl 2]
    madd w5, w2, w5, w6
    str w5, [x0, x4, lsl 2]
    add x4, x4, 1
    cmp x3, x4
    bne 1b
BLOCK histogram
    ldrb w3, [x1], 1
    ldr w2, [x0, x3, lsl 2]
    add w2, w2, 1
    str w2, [x0, x3, lsl 2]
    cmp x4, x1
    bne 1b
BLOCK upper
    ldrb w1, [x0]
    sub w3, w1, #97
    sub w2, w1, #32
    cmp w3, 26
    and w2, w2, 255
    csel w1, w2, w1, cc
    strb w1, [x0], 1
    cmp x4, x0
    bne 1b
BLOCK base64
    ldrb w5, [x1, 1]
    add x1, x1, 3
    ldrb w3, [x1, -3]
    add x0, x0, 4
    ldrb w4, [x1, -1]
    lsl w5, w5, 8
    orr w3, w5, w3, lsl 16
    orr w4, w3, w4
    lsr w7, w3, 18
    ubfx x3, x3, 12, 6
    ubfx x5, x4, 6, 6
    and w4, w4, 63
    ldrb w7, [x2, w7, uxtw]
    strb w7, [x0, -4]
    ldrb w3, [x2, w3, uxtw]
    strb w3, [x0, -3]
    ldrb w3, [x2, w5, uxtw]
    strb w3, [x0, -2]
    ldrb w3, [x2, w4, sxtw]
    strb w3, [x0, -1]
    cmp x1, x6
    bne 1b
BLOCK interpret
    ldp x7, x5, [x1, -8]
    ldrb w6, [x0], 1
    and w4, w6, 1
    ldr x6, [x2, x6, lsl 3]
    add x5, x5, x7
    add x4, x8, w4, uxtw 3
    eor x5, x5, x6
    str x5, [x1, -8]
    add x1, x1, x4
    cmp x0, x3
    bne 1b
BLOCK add_arrays
    ldr q0, [x2, x3]
    ldr q1, [x1, x3]
    fadd v0.4s, v0.4s, v1.4s
    str q0, [x0, x3]
    add x3, x3, 16
    cmp x3, x4
    bne 1b
BLOCK sum_bytes
    ldr q1, [x0], 16
    uxtl v2.8h, v1.8b
    uxtl2 v1.8h, v1.16b
    uxtl v0.4s, v2.4h
    uaddw2 v0.4s, v0.4s, v2.8h
    uaddw v0.4s, v0.4s, v1.4h
    uaddw2 v0.4s, v0.4s, v1.8h
    add v3.4s, v3.4s, v0.4s
    cmp x1, x0
    bne 1b
BLOCK rgb_grey
    ld3 {v1.16b - v3.16b}, [x1], 48
    mov v0.16b, v1.16b
    umull v1.8h, v1.8b, v6.8b
    umull2 v0.8h, v0.16b, v6.16b
    umlal v1.8h, v2.8b, v7.8b
    umlal2 v0.8h, v2.16b, v7.16b
    umlal v1.8h, v3.8b, v5.8b
    umlal2 v0.8h, v3.16b, v5.16b
    uzp2 v0.16b, v1.16b, v0.16b
    str q0, [x0], 16
    cmp x0, x2
    bne 1b
BLOCK dot_bytes
    ldr q3, [x0, x3]
    ldr q1, [x1, x3]
    add x3, x3, 16
    umull v2.8h, v1.8b, v3.8b
    umull2 v1.8h, v1.16b, v3.16b
    uaddw v0.4s, v0.4s, v2.4h
    uaddw2 v0.4s, v0.4s, v2.8h
    uaddw v0.4s, v0.4s, v1.4h
    uaddw2 v0.4s, v0.4s, v1.8h
    cmp x2, x3
    bne 1b
BLOCK blend
    ldr q1, [x1, x4]
    ldr q2, [x2, x4]
    umull v0.8h, v1.8b, v4.8b
    umull2 v1.8h, v1.16b, v4.16b
    umlal v0.8h, v2.8b, v5.8b
    umlal2 v1.8h, v2.16b, v5.16b
    add v0.8h, v0.8h, v3.8h
    add v1.8h, v1.8h, v3.8h
    shrn v0.8b, v0.8h, 3
    shrn2 v0.16b, v1.8h, 3
    str q0, [x0, x4]
    add x4, x4, 16
    cmp x4, x3
    bne 1b
BLOCK axpy_double
    ldr q1, [x0, x2]
    ldr q2, [x1, x2]
    fmla v1.2d, v0.2d, v2.2d
    str q1, [x0, x2]
    add x2, x2, 16
    cmp x2, x3
    bne 1b
BLOCK memcpy_pairs
    stp q0, q1, [x0], #64
    ldp q0, q1, [x1], #64
    stp q2, q3, [x0, -32]
    ldp q2, q3, [x1, -32]
    subs x2, x2, 64
    b.hi 1b
BLOCK find_byte
    ldr q1, [x0, 16]!
    cmeq v1.16b, v1.16b, v0.16b
    shrn v1.8b, v1.8h, 4
    fmov x3, d1
    cbz x3, 1b
BLOCK chacha_quarters
    add v0.4s, v0.4s, v1.4s
    eor v3.16b, v3.16b, v0.16b
    rev32 v3.8h, v3.8h
    add v2.4s, v2.4s, v3.4s
    eor v4.16b, v1.16b, v2.16b
    shl v1.4s, v4.4s, 12
    sri v1.4s, v4.4s, 20
    add v0.4s, v0.4s, v1.4s
    eor v4.16b, v3.16b, v0.16b
    shl v3.4s, v4.4s, 8
    sri v3.4s, v4.4s, 24
    add v2.4s, v2.4s, v3.4s
    eor v4.16b, v1.16b, v2.16b
    shl v1.4s, v4.4s, 7
    sri v1.4s, v4.4s, 25
    ext v1.16b, v1.16b, v1.16b, 4
    ext v2.16b, v2.16b, v2.16b, 8
    ext v3.16b, v3.16b, v3.16b, 12
    subs w1, w1, 1
    b.ne 1b
BLOCK sve_add
    ld1w z1.s, p0/z, [x1, x4, lsl 2]
    ld1w z0.s, p0/z, [x2, x4, lsl 2]
    fadd z0.s, z0.s, z1.s
    st1w z0.s, p0, [x0, x4, lsl 2]
    add x4, x4, x5
    whilelo p0.s, x4, x3
    b.any 1b
BLOCK sve_axpy
    ld1d z2.d, p0/z, [x0, x3, lsl 3]
    ld1d z1.d, p0/z, [x1, x3, lsl 3]
    fmad z1.d, p1/m, z0.d, z2.d
    st1d z1.d, p0, [x0, x3, lsl 3]
    add x3, x3, x4
    whilelo p0.d, x3, x2
    b.any 1b
BLOCK sve_dot
    ld1w z4.s, p0/z, [x6, x3, lsl 2]
    ld1w z5.s, p0/z, [x5, x3, lsl 2]
    ld1w z2.s, p0/z, [x0, x3, lsl 2]
    ld1w z3.s, p0/z, [x1, x3, lsl 2]
    add x3, x3, x4
    fmla z1.s, p0/m, z4.s, z5.s
    fmla z0.s, p0/m, z2.s, z3.s
    cmp x7, x3
    bcs 1b
BLOCK sve_max
    ld1w z5.s, p0/z, [x2]
    ld1w z4.s, p0/z, [x2, #1, mul vl]
    add x3, x3, x4
    umax z2.s, p0/m, z2.s, z5.s
    umax z3.s, p0/m, z3.s, z4.s
    ld1w z5.s, p0/z, [x2, #2, mul vl]
    ld1w z4.s, p0/z, [x2, #3, mul vl]
    umax z0.s, p0/m, z0.s, z5.s
    add x2, x2, x5
    umax z1.s, p0/m, z1.s, z4.s
    cmp x6, x3
    bcs 1b
BLOCK sve_select
    ld1w z0.s, p0/z, [x1, x3, lsl 2]
    cmpgt p0.s, p0/z, z0.s, #0
    adr z0.s, [z0.s, z0.s, lsl 1]
    st1w z0.s, p0, [x0, x3, lsl 2]
    add x3, x3, x4
    whilelo p0.s, x3, x2
    b.any 1b
BLOCK sve_bytes
    ld1b z1.b, p0/z, [x1, x3]
    lsl z0.b, z1.b, #1
    eor z0.d, z0.d, z1.d
    st1b z0.b, p0, [x0, x3]
    whilelo p0.b, x3, x4
    add x3, x3, x5
    b.any 1b
BLOCK sve_gather
    ld1d z1.d, p0/z, [x2, x4, lsl 3]
    ld1d z0.d, p0/z, [x1, z1.d, lsl 3]
    st1d z0.d, p0, [x0, x4, lsl 3]
    add x4, x4, x5
    whilelo p0.d, x4, x3
    b.any 1b
BLOCK sve_convert
    ld1w z0.s, p0/z, [x1, x3, lsl 2]
    scvtf z0.s, p1/m, z0.s
    fmul z0.s, z0.s, z1.s
    st1w z0.s, p0, [x0, x3, lsl 2]
    add x3, x3, x4
    whilelo p0.s, x3, x2
    b.any 1b
    ret
