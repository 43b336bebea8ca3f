// N rounds of a chain: FADD 2, FMUL 3, eight FMLA 2 from accumulator to accumulator and the last 2 more, MUL of doublewords 5,
// ADD 2, LSL 2, COMPACT 3 cycles. A predicate waits for its own chain, AND 1 and ZIP1 2 cycles, beside it.
// proves: 0x0011 latencies of SVE add up along a chain, those of predicates beside it
// scalable: SVE
// vary: N = 100, 200, 600
// expect-change: CPU_CYCLES = (2 + 3 + 8 * 2 + 2 + 5 + 2 + 2 + 3) * N
        .include "directed.inc"
        .arch   armv8.2-a+sve
_start: number  x9, N
        ptrue   p0.b
        ptrue   p1.b
loop:   fadd    z0.d, z0.d, z1.d
        fmul    z0.d, z0.d, z1.d
        .rept   8
        fmla    z0.d, p0/m, z1.d, z2.d
        .endr
        mul     z0.d, p0/m, z0.d, z1.d
        add     z0.d, z0.d, z1.d
        lsl     z0.d, z0.d, #1
        compact z0.d, p0, z0.d
        and     p1.b, p1/z, p1.b, p0.b
        zip1    p1.b, p1.b, p1.b
        repeat  x9
        finish
