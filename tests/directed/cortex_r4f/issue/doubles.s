@ proves: 0x5D double-precision arithmetic, comparison, square root and conversion count
@ proves: 0x5D single precision, moves, loads and stores of doubles do not
@ build: a32 t32
@ let: N = 30
@ expect: DP_FLOAT_INST_EXECUTED = 9 * N
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   vadd.f64 d0, d1, d2
        vmul.f64 d0, d1, d2
        vmls.f64 d0, d1, d2
        vneg.f64 d0, d1
        vabs.f64 d0, d1
        vsqrt.f64 d0, d1
        vcmp.f64 d0, d1
        vcvt.f64.f32 d0, s4
        vcvt.s32.f64 s0, d1
        vadd.f32 s0, s1, s2
        vcvt.f32.s32 s0, s1
        vmov.f64 d0, d1
        vldr    d0, [r5]
        vstr    d0, [r5]
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
