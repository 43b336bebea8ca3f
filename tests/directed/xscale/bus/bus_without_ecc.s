@ N bytes are written past the data cache, each to a line of its own, to memory without ECC.
@ proves: 0x16 a narrow write to memory without ECC does not count
@ machine: xscale-80200
@ set: product.ecc = no
@ set: write_buffer.entries = 64
@ vary: N = 4, 30
@ expect: PRODUCT6 = 0 * N
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
