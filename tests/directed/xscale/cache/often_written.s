@ LINES lines of one set have one half written three times; THROWN of them are thrown out.
@ proves: 0x0C a half line counts once, however often it was written
@ set: l1d.write_allocate = yes
@ set: write_buffer.entries = 64
@ let: LINES = 32
@ vary: THROWN = 0, 1, 20, 32
@ expect: DCACHE_HALF_LINE_WRITE_BACK = 1 * THROWN
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #LINES
fill:   ldr     r0, [r4]
        nop
        strb    r0, [r4, #1]
        str     r0, [r4, #4]
        strh    r0, [r4, #14]
        add     r4, r4, #1024
        repeat  r8, fill
        throw_out
        finish
        .bss
        .space  1024 * 64
