@ NEON and VFP accesses: an element access is unaligned when its address is no multiple of the
@ element, or of the alignment it asks for.
@ proves: 0x0F a vector access is unaligned by its element size
@ build: a32 t32
@ let: N = 10
@ expect: UNALIGNED_LDST_RETIRED = 3 * N
@ expect: LD_RETIRED = 5 * N
@ expect: ST_RETIRED = 2 * N
        .include "directed.inc"
_start: address r4, buffer + 1
        address r5, buffer + 2
        address r6, buffer + 4
        mov     r8, #N
loop:   vld1.8  {d0}, [r4]              @ bytes
        vld1.16 {d0}, [r4]              @ unaligned
        vld1.16 {d0}, [r5]
        vld1.32 {d0}, [r5]              @ unaligned
        vst1.32 {d0}, [r5]              @ unaligned
        vst1.32 {d0}, [r6]
        vldr    d0, [r6]                @ words
        repeat  r8
        finish
        zeroed  buffer, 64, 64
