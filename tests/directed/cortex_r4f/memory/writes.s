@ Every form of store. A body of 9 stores runs N times, two more fail.
@ proves: 0x07 one for every instruction that writes data, whatever its width or number of registers
@ proves: 0x07 a store that fails its condition does not count
@ proves: 0x07 a store-exclusive that lost its reservation does not count
@ let: N = 100
@ expect: ST_RETIRED = 9 * N
@ expect: LD_RETIRED = N
@ expect: INST_RETIRED = 3 + N * (9 + 1 + 2 + 2 + 2) + 3
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   str     r0, [r4]
        strb    r0, [r4, #1]
        strh    r0, [r4, #2]
        strd    r0, r1, [r4, #8]
        stm     r4, {r0-r3}
        push    {r0, r1}
        vstr    s0, [r4]
        vstmia  r4, {d0-d3}
        ldrex   r0, [r4]
        strex   r1, r0, [r4]            @ stores
        strex   r1, r0, [r4]            @ does not
        add     sp, sp, #8
        cmp     r8, #0
        streq   r0, [r4]
        repeat  r8
        finish
        zeroed  buffer, 256, 4096
