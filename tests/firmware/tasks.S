/* Vectors, start and the switch of tests/firmware/tasks.c. */
#ifdef __aarch64__
        .balign 2048
vectors:
        b give_up                       /* synchronous, from SP_EL0 */

        .text
        .global start, start_first, finish
start:  ldr x0, =vectors
        msr vbar_el3, x0
        ldr x0, =stacks_end
        mov sp, x0
        bl run

give_up:
        msr spsel, #0
        .irp pair, "x19, x20", "x21, x22", "x23, x24", "x25, x26", "x27, x28", "x29, x30"
        stp \pair, [sp, #-16]!
        .endr
        mrs x2, elr_el3
        mrs x3, spsr_el3
        stp x2, x3, [sp, #-16]!
        ldr x0, =current
        ldr x0, [x0]
        mov x1, sp
        str x1, [x0]
        msr spsel, #1
        bl choose
start_first:
        msr spsel, #0
        ldr x0, =current
        ldr x0, [x0]
        ldr x1, [x0]
        mov sp, x1
        ldp x2, x3, [sp], #16
        msr elr_el3, x2
        msr spsr_el3, x3
        .irp pair, "x29, x30", "x27, x28", "x25, x26", "x23, x24", "x21, x22", "x19, x20"
        ldp \pair, [sp], #16
        .endr
        eret

finish: mov w0, #0x18                   /* SYS_EXIT */
        ldr x1, =reason
        hlt #0xf000

        .data
        .balign 8
reason: .quad 0x20026, 0
#else
        .syntax unified
        .arm
        .section .vectors, "ax"
        b .
        b .
        b give_up
        .rept 5
        b .
        .endr

        .text
        .global start, start_first, finish, switch_to
        .type switch_to, %function
        .type start, %function
start:  ldr sp, =stacks_end
#ifndef SWITCH_LDM
        cps #0x1f
        ldr sp, =stacks_end - 512
#endif
        bl run

switch_to:
        push {r4-r11, lr}
        str sp, [r0]
        ldr sp, [r1]
        pop {r4-r11, pc}

#ifdef SWITCH_LDM
give_up:
        push {r0}
        stmdb sp, {sp}^
        nop
        sub sp, sp, #4
        pop {r0}                        /* User mode's SP */
        str lr, [r0, #-4]!
        mov lr, r0
        pop {r0}
        stmdb lr, {r0-lr}^
        nop
        sub lr, lr, #60
        mrs r0, spsr
        str r0, [lr, #-4]!
        ldr r0, =current
        ldr r0, [r0]
        str lr, [r0]
        bl choose
start_first:
        ldr r0, =current
        ldr r0, [r0]
        ldr lr, [r0]
        ldr r0, [lr], #4
        msr spsr_cxsf, r0
        ldmia lr, {r0-lr}^
        nop
        ldr lr, [lr, #60]
        movs pc, lr
#elif defined SWITCH_SRS
give_up:
        srsdb sp!, #0x1f
        cps #0x1f
        push {r0-r12, lr}
        ldr r0, =current
        ldr r0, [r0]
        str sp, [r0]
        bl choose
start_first:
        ldr r0, =current
        ldr r0, [r0]
        ldr sp, [r0]
        pop {r0-r12, lr}
        rfeia sp!
#else
give_up:
start_first:
        b .
#endif

finish: mov r0, #0x18                   /* SYS_EXIT */
        ldr r1, =0x20026
        svc #0x123456
#endif
        .bss
        .balign 16
        .space 2048
stacks_end:
