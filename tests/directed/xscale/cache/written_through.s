@ LINES lines of one set were written through; THROWN of them are thrown out.
@ proves: 0x0C a line that is written through does not count
@ set: l1d.write_back = no
@ set: l1d.write_allocate = yes
@ set: write_buffer.entries = 64
@ let: LINES = 32
@ vary: THROWN = 0, 1, 20, 32
@ expect: DCACHE_HALF_LINE_WRITE_BACK = 0 * THROWN
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #LINES
fill:   ldr     r0, [r4]
        nop
        str     r0, [r4, #12]
        add     r4, r4, #1024
        repeat  r8, fill
        throw_out
        finish
        .bss
        .space  1024 * 64
