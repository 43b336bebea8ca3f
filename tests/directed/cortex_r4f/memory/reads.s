@ Every form of load. A body of 11 loads, one preload, two stores runs N times.
@ proves: 0x06 one for every instruction that reads data, whatever its width or number of registers
@ proves: 0x06 SWP reads
@ proves: 0x06 preloads, stores and loads that fail their condition are no reads
@ proves: 0x07 SWP writes
@ proves: 0x07 loads and preloads are no writes
@ let: N = 100
@ expect: LD_RETIRED = 12 * N
@ expect: ST_RETIRED = 2 * N
@ expect: INST_RETIRED = 3 + N * (12 + 7) + 3
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldr     r0, [r4]
        ldrb    r0, [r4, #1]
        ldrh    r0, [r4, #2]
        ldrsb   r0, [r4, #3]
        ldrd    r0, r1, [r4, #8]
        ldm     r4, {r0-r3}
        ldr     r0, [r4], #4
        ldr     r0, [r4, #-4]!
        ldrex   r0, [r4]
        clrex
        vldr    d0, [r4]
        vldmia  r4, {d0-d7}
        swp     r0, r1, [r4]
        pld     [r4]
        push    {r0, r1}
        cmp     r8, #0
        ldreq   r0, [r4]
        repeat  r8
        finish
        zeroed  buffer, 256, 4096
