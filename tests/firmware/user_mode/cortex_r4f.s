@ In front of a program for Linux: where its stack is, and the registers it begins with. As firmware it
@ begins at start, with what an operating system has done by then: VFP is on and no interrupt masked.
@ What memory is, the machine says.
        .syntax unified
        .arch   armv7-r
        .fpu    vfpv3-d16
        .section .start, "ax"
        .arm
        .global start, linux

        .macro  number register, value
        movw    \register, #:lower16:\value
        movt    \register, #:upper16:\value
        .endm

start:  mrc     p15, 0, r0, c1, c0, 2
        orr     r0, r0, #0xf << 20
        mcr     p15, 0, r0, c1, c0, 2   @ CPACR
        isb
        mov     r0, #1 << 30
        vmsr    fpexc, r0
        cpsie   if
linux:  number  sp, stack_end
        number  r12, _start
        mov     r0, #0
        mov     r1, #0
        mov     r2, #0
        bx      r12

        .section .start.stack, "aw", %nobits
        .space  65536
stack_end:
