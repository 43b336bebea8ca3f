@ Vector transfers of 64 bytes that start in the middle of a line, and integer accesses beside them.
@ proves: 0x4D a vector transfer counts every line it touches, loads and stores
@ proves: 0x4D integer accesses do not count
@ proves: 0x4E a vector store that misses goes to level 2
@ let: PAIRS = 10
@ expect: NEON_L1D_ACCESS = 4 * PAIRS
@ expect: NEON_L1D_HIT = 0
@ expect: L1D_CACHE = 4 * PAIRS + 1
@ expect: NEON_L2_ACCESS + L2_STORE_MERGED = 4 * PAIRS
@ expect: L2_STORE_BUFFERABLE = 2 * PAIRS
        .include "directed.inc"
_start: address r4, buffer + 32
        mov     r8, #PAIRS
loop:   vldm    r4, {d0-d7}
        vstm    r4, {d0-d7}
        add     r4, r4, #128
        repeat  r8
        address r4, other
        ldr     r0, [r4]
        finish
        zeroed  buffer, 128*PAIRS, 4096
        zeroed  other, 64, 64
