/* Inside IT blocks of a Cortex-A8: accesses to the monitor, writes of CONTEXTIDR, what is Undefined, an abort, and an
 * overflow interrupt behind each of the instructions, with ITSTATE in the SPSR. Status: the number of the first
 * check that is wrong. */
        .syntax unified
        .arch armv7-a

        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .equ VIC, 0xff000000
        .equ LINE, 1 << 20
        .equ NOWHERE, 0xc0000000

        .section .vectors, "ax"
        .balign 32
        .arm
        b start
        b undefined
        b .
        b .
        b data_abort
        b .
        b irq
        b .

        .text
        .arm
        .global start
start:
        ldr r0, =0x10000
        mcr p15, 0, r0, c12, c0, 0
        msr cpsr_c, #0xd2
        ldr sp, =stack_end - 256
        msr cpsr_c, #0xd7
        ldr sp, =stack_end - 512
        msr cpsr_c, #0xdb
        ldr sp, =stack_end - 768
        msr cpsr_c, #0xd3
        ldr sp, =stack_end
        ldr r0, =VIC
        ldr r1, =LINE
        str r1, [r0, #0x10]             /* INTENABLE */
        adr r0, thumb + 1
        bx r0

/* The check with the next number. */
        .macro check register, value
        .set checks, checks + 1
        ldr r12, =\value
        cmp \register, r12
        mov r12, #checks
        beq .Lright\@
        b finish
.Lright\@:
        .endm
        .macro pool
        b .Lbehind\@
        .ltorg
.Lbehind\@:
        .endm
        .set checks, 0

/* Leave ITSTATE in r7 and the address in r6, and go on behind the instruction of four bytes. */
        .macro handler back
        mrs r6, spsr
        lsr r7, r6, #8
        and r7, r7, #0xfc
        ubfx r8, r6, #25, #2
        orr r7, r7, r8
        tst r7, #7
        and r8, r7, #0xe0
        lsl r9, r7, #1
        and r9, r9, #0x1f
        orr r8, r8, r9
        moveq r8, #0                    /* ITSTATE behind it */
        ldr r9, =0x0600fc00
        bic r6, r6, r9
        and r9, r8, #0xfc
        orr r6, r6, r9, lsl #8
        and r9, r8, #3
        orr r6, r6, r9, lsl #25
        msr spsr_cxsf, r6
        sub r6, lr, #\back
        add r8, r6, #4
        movs pc, r8
        .endm
undefined:
        handler 2
data_abort:
        handler 8
        .ltorg

irq:
        push {r0, r1}
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mov r0, #1
        mcr p15, 0, r0, c9, c12, 3      /* FLAG */
        mrs r0, spsr
        lsr r7, r0, #8
        and r7, r7, #0xfc
        ubfx r1, r0, #25, #2
        orr r7, r7, r1
        sub r6, lr, #4
        pop {r0, r1}
        subs pc, lr, #4

a32_behind:
        mrc p15, 0, r1, c9, c13, 2      /* PMCNT: the load above */
        ldr pc, =back
        .ltorg

        .thumb
        .balign 4
thumb:
/* Reads and writes, of which the others know their conditions: 1 to 4. */
        movs r5, #0
        movs r1, #0
        cmp r5, #0
        itete eq
        mrceq p15, 0, r1, c9, c12, 0
        orrne r5, r5, #0x10
        orreq r5, r5, #1
        orrne r5, r5, #0x100
        check r1, 0x41002000
        check r5, 1
        movs r0, #0
        mcr p15, 0, r0, c9, c12, 5
        movs r2, #0x13
        movs r3, #0x14
        movs r4, #1
        itet ne
        mcrne p15, 0, r2, c9, c13, 1
        mcreq p15, 0, r3, c9, c13, 1
        addne r2, r2, #1
        mrc p15, 0, r1, c9, c13, 1
        check r1, 0x13
        movs r4, #1
        it ne
        mcrne p15, 0, r2, c9, c13, 1
        mrc p15, 0, r1, c9, c13, 1
        check r1, 0x14
        pool

/* Undefined, and the handler comes back into the block, where a read of the monitor is: 5 to 8. */
        movs r4, #0
        movs r5, #0
        movs r1, #0
        itttt eq
        addeq r5, #1
        mrceq p15, 0, r1, c9, c12, 6    /* PMCEID0: the core has none */
        mrceq p15, 0, r1, c9, c13, 1
        addeq r5, #4
3:      check r7, 0x02
        ldr r12, =3b - 10
        subs r6, r6, r12
        check r6, 0
        check r5, 5
        check r1, 0x14
        pool

/* An abort in a block with an access of the monitor and in one without: 9 to 13. */
        movs r4, #0
        movs r5, #0
        ldr r2, =NOWHERE
        itett eq
        mcreq p15, 0, r3, c9, c13, 1
        addne r5, #1
        ldreq.w r1, [r2]
        addeq r5, #4
        check r7, 0x04
        check r5, 4
        mrc p15, 0, r1, c9, c13, 1
        check r1, 0x14
        movs r5, #0
        cmp r5, #0
        itett eq
        addeq r5, #1
        addne r5, #2
        ldreq.w r1, [r2]
        addeq r5, #4
        check r7, 0x04
        check r5, 5
        pool

/* A window of counting whose ends are in blocks: 14. */
        movs r0, #8
        mcr p15, 0, r0, c9, c13, 1
        movs r0, #1
        mcr p15, 0, r0, c9, c12, 1
        movs r1, #3
        movs r2, #0
        ite eq
        mcreq p15, 0, r1, c9, c12, 0    /* PMNC: E, P */
        addne r5, r5, #1                /* 1: does not pass */
        nop                             /* 2 */
        itt ne                          /* 3 */
        mrcne p15, 0, r1, c9, c12, 0    /* 4 */
        addne r5, r5, #1                /* 5 */
        nop
        nop
        nop
        ite ne                          /* 9 */
        mcrne p15, 0, r1, c9, c12, 0    /* 10 */
        mcreq p15, 0, r2, c9, c12, 0
        mrc p15, 0, r1, c9, c13, 2
        check r1, 10

/* CONTEXTIDR, written once of twice: 15. Loads, one of two: 16. */
        movs r0, #0x0b
        mcr p15, 0, r0, c9, c13, 1
        movs r1, #3
        mcr p15, 0, r1, c9, c12, 0
        movs r2, #0
        ite eq
        mcreq p15, 0, r1, c13, c0, 1
        mcrne p15, 0, r1, c13, c0, 1
        mcr p15, 0, r2, c9, c12, 0
        mrc p15, 0, r1, c9, c13, 2
        check r1, 1
        movs r0, #0x06
        mcr p15, 0, r0, c9, c13, 1
        movs r1, #3
        ldr r3, =stack
        mcr p15, 0, r1, c9, c12, 0
        movs r2, #0
        itee eq
        ldreq r1, [r3]
        ldrne r1, [r3]
        mcrne p15, 0, r1, c9, c12, 3
        mcr p15, 0, r2, c9, c12, 0
        mrc p15, 0, r1, c9, c13, 2
        check r1, 1
        pool

/* A branch out of a block ends it: 17. */
        movs r5, #0
        cmp r5, #0
        itt eq
        mrceq p15, 0, r1, c9, c12, 0
        beq 4f
        adds r5, #1
4:      adds r5, #2
        check r5, 2
        pool

/* A32 code behind a branch that ended a block, where the library would not be stopped: 18. */
        movs r5, #0
        ldr r3, =a32_behind
        cmp r5, #0
        it eq
        bxeq r3
        .thumb_func
back:   check r1, 1
        pool

/* An overflow interrupt behind each instruction in turn: three checks each, from 19 on. */
        .macro interrupt n, where, itstate
        movs r0, #0
        mcr p15, 0, r0, c9, c12, 0      /* PMNC */
        movs r1, #8
        mcr p15, 0, r1, c9, c13, 1      /* EVTSEL */
        ldr r1, =-\n
        mcr p15, 0, r1, c9, c13, 2      /* PMCNT  */
        movs r1, #1
        mcr p15, 0, r1, c9, c12, 1      /* CNTENS */
        mcr p15, 0, r1, c9, c12, 3      /* FLAG   */
        mcr p15, 0, r1, c9, c14, 1      /* INTENS */
        movs r6, #0
        movs r7, #0xff
        cpsie i
        adr.w r11, 5f
        .balign 4
        mcr p15, 0, r1, c9, c12, 0      /* on */
5:      cmp r0, r0
        itete eq
        addeq r0, #1
        addne r0, #2
        addeq r0, #4
        addne r0, #8
        nop
        nop
        nop
        cpsid i
        movs r1, #0
        mcr p15, 0, r1, c9, c12, 0
        subs r6, r6, r11
        check r6, \where
        check r7, \itstate
        check r0, 5
        pool
        .endm
        interrupt 1, 2, 0
        interrupt 2, 4, 0x0b
        interrupt 3, 6, 0x16
        interrupt 4, 8, 0x0c
        interrupt 5, 10, 0x18
        interrupt 6, 12, 0
        interrupt 7, 14, 0

        movs r12, #0
finish:
        ldr r2, =APPLICATION_EXIT
        mov r3, r12
        push {r2, r3}
        mov r1, sp
        movs r0, #SYS_EXIT_EXTENDED
        svc #0xab
        b .
        .ltorg

        .bss
        .balign 8
stack:  .space 1024
stack_end:
