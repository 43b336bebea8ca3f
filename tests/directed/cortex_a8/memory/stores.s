@ Every form of store. A body of 15 stores and one load runs N times.
@ proves: 0x07 one for every instruction that writes data, whatever its width or number of registers
@ proves: 0x07 loads are no writes
@ build: a32 t32
@ let: N = 100
@ expect: ST_RETIRED = 15 * N
@ expect: LD_RETIRED = N
@ expect: INST_RETIRED = 3 + N * (15 + 1 + 1 + 2) + 3
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   str     r0, [r4]
        strb    r0, [r4, #1]
        strh    r0, [r4, #2]
        strd    r0, r1, [r4, #8]
        stm     r4, {r0-r3}
        str     r0, [r4], #4
        str     r0, [r4, #-4]!
        vstr    s0, [r4]
        vstr    d0, [r4]
        vstmia  r4, {d0-d7}
        vst1.8  {d0, d1}, [r4]
        vst4.16 {d0, d1, d2, d3}, [r4]
        vst1.8  {d0[3]}, [r4]
        vpush   {d0}
        vpop    {d0}
        push    {r0, r1}
        add     sp, sp, #8
        repeat  r8
        finish
        zeroed  buffer, 256, 64
