@ LINES lines of one set have a byte written; THROWN of them are thrown out.
@ proves: 0x16 a half line that is written back does not count
@ machine: xscale-80200
@ set: product.ecc = yes
@ set: l1d.write_allocate = yes
@ set: write_buffer.entries = 64
@ let: LINES = 32
@ vary: THROWN = 1, 32
@ expect: PRODUCT6 = 0
@ expect: DCACHE_HALF_LINE_WRITE_BACK = THROWN
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #LINES
fill:   ldr     r0, [r4]
        strb    r0, [r4, #5]
        add     r4, r4, #1024
        repeat  r8, fill
        mov     r8, #THROWN
clean:  ldr     r0, [r4], #1024
        repeat  r8, clean
        mov     r8, #2048               @ until the last has drained
wait:   repeat  r8, wait
        finish
        .bss
        .space  1024 * 64
