/* Vectors and what C cannot say: stacks of the modes, the way into a handler and back, User mode.
 * For a core with a vector base address register, and for those whose vectors are at 0. */
        .syntax unified
        .arm
        .text

        .balign 32
vectors:
        b .                             /* reset        */
        ldr pc, =undefined_entry
        ldr pc, =svc_entry
        b .
        b .
        b .
        ldr pc, =irq_entry
        ldr pc, =fiq_entry
        .ltorg
vectors_end:

        .global install_vectors
        .type install_vectors, %function
install_vectors:
        mrs r3, cpsr
        ldr r2, =exception_stacks
        add r0, r2, #1024
        msr cpsr_c, #0xd2               /* IRQ, both masked */
        mov sp, r0
        add r0, r2, #2048
        msr cpsr_c, #0xd1               /* FIQ */
        mov sp, r0
        add r0, r2, #3072
        msr cpsr_c, #0xdb               /* Undefined */
        mov sp, r0
        msr cpsr_c, r3
        ldr r0, =vectors
#ifdef CORE_CORTEX_A8
        mcr p15, 0, r0, c12, c0, 0      /* VBAR */
#else
        mov r1, #0
        ldr r2, =vectors_end
1:      ldr r12, [r0], #4
        str r12, [r1], #4
        cmp r0, r2
        blo 1b
#endif
        bx lr

/* The handler gets the address of the instruction that was not executed because of it. */
irq_entry:
        sub lr, lr, #4
        push {r0-r3, r12, lr}
        mov r0, lr
        bl on_interrupt
        ldm sp!, {r0-r3, r12, pc}^

fiq_entry:
        sub lr, lr, #4
        push {r0-r3, r12, lr}
        mov r0, lr
        bl on_fast_interrupt
        ldm sp!, {r0-r3, r12, pc}^

        .weak on_interrupt, on_fast_interrupt
on_interrupt:
on_fast_interrupt:
        bx lr

/* Counted, and the instruction is left out. */
undefined_entry:
        push {r0, r1}
        ldr r0, =undefined_count
        ldr r1, [r0]
        add r1, r1, #1
        str r1, [r0]
        pop {r0, r1}
        movs pc, lr

/* The end of what ran in User mode. */
svc_entry:
        ldr r1, =user_return
        ldmia r1, {r4-r11, sp, lr}
        msr cpsr_c, #0xd3
        bx lr

/* Calls a function without arguments in User mode. It must end with its return value and SVC 0:
 * user_end() is that. */
        .global call_as_user
        .type call_as_user, %function
call_as_user:
        ldr r1, =user_return
        stmia r1, {r4-r11, sp, lr}
        msr cpsr_c, #0xdf               /* System: User's registers */
        ldr sp, =user_stack + 1024
        ldr lr, =user_end
        msr cpsr_c, #0xd3
        mov r2, #0x10
        msr spsr_cxsf, r2
        mov lr, r0
        movs pc, lr
user_end:
        svc #0

        .global unmask_interrupts
        .type unmask_interrupts, %function
unmask_interrupts:
        mrs r0, cpsr
        bic r0, r0, #0xc0
        msr cpsr_c, r0
        bx lr

        .global mask_interrupts
        .type mask_interrupts, %function
mask_interrupts:
        mrs r0, cpsr
        orr r0, r0, #0xc0
        msr cpsr_c, r0
        bx lr
        .ltorg

        .bss
        .balign 8
exception_stacks: .space 3072
user_stack:       .space 1024
user_return:      .space 40
        .global undefined_count
undefined_count:  .space 4
