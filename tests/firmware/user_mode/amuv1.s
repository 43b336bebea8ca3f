// In front of a program for Linux: where its stack is. As firmware it begins at start, with what an
// operating system has done by then: the first gigabyte at its own addresses, cacheable, by a table
// that is there already; floating point on.
// No branch but the last instruction, which predictors see.
        .section .start, "ax"
        .global start, linux

        .macro  number register, value
        movz    \register, #((\value) & 0xffff)
        movk    \register, #((\value) >> 16), lsl #16
        .endm

start:  msr     cptr_el3, xzr
        mov     x0, #0xff               // write-back, read- and write-allocate
        msr     mair_el3, x0
        adr     x0, table
        msr     ttbr0_el3, x0
        number  x0, 0x80803519          // 39 bits, tables cacheable and Inner Shareable
        msr     tcr_el3, x0
        tlbi    alle3
        dsb     sy
        isb
        number  x0, 0x30c51835          // I, C, M
        msr     sctlr_el3, x0
        isb
linux:  adrp    x1, stack_end
        mov     sp, x1
        mov     x0, #0
        mov     x1, #0
        b       _start

        .section .start.table, "a"
        .balign 4096
table:  .quad   0x741                   // a block of the memory of MAIR's first kind
        .space  4096 - 8

        .section .start.stack, "aw", %nobits
        .space  65536
        .balign 4096
stack_end:
