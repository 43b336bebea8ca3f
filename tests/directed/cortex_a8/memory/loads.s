@ Every form of load. A body of 19 loads, one preload and one store runs N times.
@ proves: 0x06 one for every instruction that reads data, whatever its width or number of registers
@ proves: 0x06 preloads and stores are no reads
@ build: a32 t32
@ let: N = 100
@ expect: LD_RETIRED = 19 * N
@ expect: ST_RETIRED = N
@ expect: INST_RETIRED = 3 + N * (19 + 1 + 1 + 1 + 2) + 3
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldr     r0, [r4]
        ldrb    r0, [r4, #1]
        ldrh    r0, [r4, #2]
        ldrsb   r0, [r4, #3]
        ldrsh   r0, [r4, #4]
        ldrd    r0, r1, [r4, #8]
        ldm     r4, {r0-r3}
        ldr     r0, [r4], #4
        ldr     r0, [r4, #-4]!
        ldrex   r0, [r4]
        clrex
        ldrexd  r0, r1, [r4]
        ldrexb  r0, [r4]
        vldr    s0, [r4]
        vldr    d0, [r4]
        vldmia  r4, {d0-d7}
        vld1.8  {d0, d1}, [r4]
        vld4.16 {d0, d1, d2, d3}, [r4]
        vld1.8  {d0[3]}, [r4]
        pld     [r4]
        push    {r0, r1}
        pop     {r0, r1}
        repeat  r8
        finish
        zeroed  buffer, 256, 64
