@ N bytes are written past the data cache, each to a line of its own.
@ proves: 0x16 a write of less than eight bytes to memory with ECC counts
@ machine: xscale-80200
@ set: product.ecc = yes
@ set: write_buffer.entries = 64
@ vary: N = 4, 30
@ expect: PRODUCT6 = N
@ expect-change: PRODUCT0 = N
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
loop:   strb    r0, [r4, #3]
        add     r4, r4, #32
        repeat  r8
        mov     r8, #1024               @ until the last has drained
wait:   repeat  r8, wait
        finish
        .bss
        .space  1024
