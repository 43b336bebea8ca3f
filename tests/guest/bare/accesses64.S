/* N rounds of seven accesses and a DC ZVA, for EL1 of QEMU's virt on any AArch64 processor. It begins with the MMU off,
 * prints an x and ends the machine. ENDLESS: its first instruction of floating point traps, to vectors that
 * cannot be fetched. */
        .arch   armv8-a
        .global _start
_start: adr     x1, buffer
        ldr     x2, [x1]                        /* uncached */
        str     x2, [x1, #8]
#ifndef ENDLESS
        mov     x0, #3 << 20                    /* CPACR_EL1.FPEN */
        msr     cpacr_el1, x0
#endif
        adr     x0, tables                      /* of 1 GiB blocks: devices, which are not executed, and memory */
        ldr     x1, =0x0060000000000401
        str     x1, [x0]
#include "../mmu64.inc"
        adr     x1, buffer
        mov     x2, #N
loop:   ldr     x3, [x1], #248
        stp     x3, x4, [x1, #56]               /* some cross a line, fewer a page */
        ldp     q0, q1, [x1, #-32]
        strb    w3, [x1, #4095]
        add     x11, x1, #64
        ldxr    w5, [x11]
        stxr    w7, w5, [x11]
        ldur    w6, [x1, #61]
        dc      zva, x1
        subs    x2, x2, #1
        b.ne    loop
        mov     x12, #0x9000000                 /* the UART */
        mov     w13, #'x'
        strb    w13, [x12]
        mov     x0, #0x8                        /* PSCI SYSTEM_OFF */
        movk    x0, #0x8400, lsl #16
        hvc     #0
        .ltorg
        .balign 4096
tables: .space  4096
buffer: .space  (N + 40) * 248
