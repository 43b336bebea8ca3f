@ Conditional accesses: r0 = r0 sets EQ. Of four pairs a time one passes and one fails.
@ proves: 0x06 a load that fails its condition does not count
@ proves: 0x07 a store that fails its condition does not count
@ proves: 0x08 instructions that fail their condition count
@ proves: 0x0F an unaligned access that fails its condition does not count
@ proves: 0x04 an access that fails its condition does not happen
@ build: a32 t32
@ let: N = 50
@ expect: LD_RETIRED = 2 * N
@ expect: ST_RETIRED = 2 * N
@ expect: UNALIGNED_LDST_RETIRED = 2 * N
@ expect: L1D_CACHE = 4 * N
@ expect: INST_RETIRED = 3 + N * (1 + 8 + T32 * 8 + 2) + 3
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   cmp     r0, r0
        it      eq
        ldreq   r1, [r4]
        it      ne
        ldrne   r1, [r4]
        it      eq
        streq   r1, [r4]
        it      ne
        strne   r1, [r4]
        it      eq
        ldrheq  r1, [r4, #1]
        it      ne
        ldrhne  r1, [r4, #1]
        it      eq
        streq   r1, [r4, #2]
        it      ne
        strne   r1, [r4, #2]
        repeat  r8
        finish
        zeroed  buffer, 64, 64
