/* A loop of TURNS turns with the bits ON of SCTLR set, each with a load and a branch; the first 64 MiB are at their own
 * addresses, cacheable. It ends by semihosting. caches.py has the arithmetic. */
#ifdef __aarch64__
        .text
        .global _start
_start: adrp x0, tables
        ldr x1, =0x40000705             /* a block of 1 GiB, write-back */
        str x1, [x0, #8]
        msr ttbr0_el3, x0
        ldr x1, =0x80803519             /* TCR_EL3: 39 bits, write-back walks */
        msr tcr_el3, x1
        mov x1, #0xff00                 /* MAIR_EL3: 1 Normal write-back */
        msr mair_el3, x1
        tlbi alle3
        dsb sy
        isb
        mrs x1, sctlr_el3
        ldr x2, =ON | 1                 /* M */
        orr x1, x1, x2
        msr sctlr_el3, x1
        isb
        ldr x4, =TURNS
        ldr x0, =word
        .balign 64
1:      ldr x1, [x0]
        subs x4, x4, #1
        b.ne 1b
        mov w0, #0x18
        ldr x1, =leave
        hlt #0xf000
        .data
        .balign 8
word:   .quad 0
leave:  .quad 0x20026, 0
        .bss
        .balign 4096
tables: .space 4096
#else
        .syntax unified
        .arm
        .text
        .global _start
_start:
#ifndef CORTEX_R4F
        ldr r0, =tables
        ldr r1, =0xc1e                  /* a section: full access, C, B */
        mov r2, #0
1:      orr r3, r1, r2, lsl #20
        str r3, [r0, r2, lsl #2]
        add r2, r2, #1
        cmp r2, #64
        bne 1b
        mcr p15, 0, r0, c2, c0, 0
        mvn r1, #0
        mcr p15, 0, r1, c3, c0, 0
        mcr p15, 0, r1, c8, c7, 0
#endif
        mrc p15, 0, r2, c1, c0, 0
        ldr r1, =FIRST
        orr r3, r2, r1
        mcr p15, 0, r3, c1, c0, 0
        nop
        ldr r1, =ON
        orr r3, r2, r1
        mcr p15, 0, r3, c1, c0, 0
        nop
        ldr r0, =word
        ldr r4, =TURNS
        .balign 64
1:      ldr r1, [r0]
        .rept NOPS
        nop
        .endr
        subs r4, r4, #1
        bne 1b
        mov r0, #0x18
        ldr r1, =0x20026
        svc 0x123456
        .ltorg
        .data
        .balign 4
word:   .word 0
        .bss
        .balign 16384
tables: .space 16384
#endif
