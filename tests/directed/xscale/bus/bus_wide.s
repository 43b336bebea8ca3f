@ Behind one store that drains, N times four words of 16 bytes join in a write buffer; so do a double
@ word and two half words and a word. Only the first was narrow.
@ proves: 0x16 a write of eight bytes and more does not count
@ machine: xscale-80200
@ set: product.ecc = yes
@ set: write_buffer.entries = 64
@ set: write_buffer.drain_cycles = 200
@ vary: N = 1, 10
@ expect: PRODUCT6 = 1
@ expect-change: PRODUCT0 = 3 * N
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
        strb    r0, [r4], #32
loop:   stm     r4, {r0-r3}
        add     r4, r4, #32
        strd    r0, r1, [r4, #8]
        add     r4, r4, #32
        strh    r0, [r4]
        str     r0, [r4, #4]
        strh    r0, [r4, #2]
        add     r4, r4, #32
        repeat  r8
        mov     r8, #4096               @ until the last has drained
wait:   repeat  r8, wait
        finish
        .bss
        .space  2048
