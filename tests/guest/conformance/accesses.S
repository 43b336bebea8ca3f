/* Each access of encodings.def as a snippet, in both instruction sets, and the table of them. */
        .syntax unified
        .text

#define ENCODING(name, op1, crn, crm, op2, group)                               \
        snippets name, op1, c##crn, c##crm, op2;

        .macro snippets name, op1, crn, crm, op2
        .arm
        .balign 4
arm_read_\name:
        mrc p15, \op1, r0, \crn, \crm, \op2
        svc #1
arm_write_\name:
        mcr p15, \op1, r0, \crn, \crm, \op2
        svc #1
        .thumb
        .balign 4
thumb_read_\name:
        mrc p15, \op1, r0, \crn, \crm, \op2
        svc #1
        .balign 4
thumb_write_\name:
        mcr p15, \op1, r0, \crn, \crm, \op2
        svc #1
        .arm
        .balign 4
        .endm
#include "encodings.def"
#undef ENCODING

        .equ OPEN, 0
        .equ SHOWN, 1
        .equ CLOSED, 2
        .equ NONE, 3

        .section .rodata
#define ENCODING(name, op1, crn, crm, op2, group) text name;
        .macro text name
name_\name:
        .asciz "\name"
        .endm
#include "encodings.def"
#undef ENCODING

        .balign 4
        .global encodings, n_encodings
#define ENCODING(name, op1, crn, crm, op2, group) row name, group;
        .macro row name, group
        .word name_\name, \group
        .word arm_read_\name, arm_write_\name, thumb_read_\name, thumb_write_\name
        .endm
encodings:
#include "encodings.def"
encodings_end:
n_encodings:
        .word (encodings_end - encodings) / 24

        .section .note.GNU-stack, "", %progbits
