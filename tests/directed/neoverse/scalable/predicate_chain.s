// N rounds of a chain of predicates: five AND 1, three ZIP1 2 cycles, a comparison 4 that waits for it.
// proves: 0x0011 an instruction of SVE waits for the predicates that it reads
// scalable: SVE
// vary: N = 100, 200, 600
// expect-change: CPU_CYCLES = (5 + 3 * 2 + 4) * N
        .include "directed.inc"
        .arch   armv8.2-a+sve
_start: number  x9, N
        ptrue   p0.b
        ptrue   p1.b
loop:   .rept   5
        and     p1.b, p1/z, p1.b, p0.b
        .endr
        .rept   3
        zip1    p1.b, p1.b, p1.b
        .endr
        cmpeq   p1.b, p1/z, z0.b, z0.b
        sub     x9, x9, #1
        cbnz    x9, loop
        finish
