@ Five pieces of T32 code around the ends of pages, N times. 20 instructions a round.
@ proves: 0x08 instructions at and across the end of a page count once, narrow and wide
@ proves: 0x02 an instruction across the end of a page needs the next page as well
@ proves: 0x06 a load across the end of a page counts once
@ build: t32
@ vary: N = 1, 10
@ expect: INST_RETIRED = 3 + N * (1 + 4 + 3 + 4 + 3 + 3 + 2) + 3
@ expect: LD_RETIRED = N
@ expect: PC_WRITE_RETIRED = N * 6 + N - 1
@ expect: L1I_TLB_REFILL = 1 + 5 * 2
        .include "directed.inc"
        .macro  before_page_end bytes   @ in pages of its own
        .balign 8192
        .space  4096 - \bytes
        .endm
_start: address r4, buffer
        mov     r8, #N
loop:   b.w     first
back:   repeat  r8
        finish

        before_page_end 8
first:  nop
        addw    r1, r1, #1              @ ends two bytes before the page
        ldr.w   r0, [r4]                @ across the end
        b.w     second
        before_page_end 4
second: nop                             @ narrow, and a narrow one behind it
        nop
        b.w     third
        before_page_end 8
third:  addw    r1, r1, #1
        nop                             @ narrow, and a wide one behind it
        addw    r1, r1, #1              @ across the end
        b.w     fourth
        before_page_end 4
fourth: nop                             @ all there is in this page
        addw    r1, r1, #1              @ across the end
        b.w     fifth
        before_page_end 4
fifth:  addw    r1, r1, #1              @ ends with the page
        nop
        b.w     back
        zeroed  buffer, 64, 64
