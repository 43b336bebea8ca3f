@ Doublewords whole at once, and words of different lines: nothing to join.
@ proves: 0x50 stores to different doublewords do not merge, nor does one of a whole doubleword
@ build: a32 t32
@ let: N = 60
@ expect: STORE_BUFFER_MERGE = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   strd    r0, r1, [r4]
        str     r0, [r4, #32]
        str     r0, [r4, #64]
        strd    r0, r1, [r4, #8]
        add     r4, r4, #96
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
