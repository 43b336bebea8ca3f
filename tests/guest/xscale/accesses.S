/* Each access of encodings.def as a snippet, and the table of them. */
        .syntax unified
        .arch armv5te
        .arm
        .text

#define ENCODING(name, op1, crn, crm, op2, group)       \
        snippets name, op1, c##crn, c##crm, op2;

        .macro snippets name, op1, crn, crm, op2
        .balign 4
read_\name:
        mrc p14, \op1, r0, \crn, \crm, \op2
        svc #1
write_\name:
        mcr p14, \op1, r0, \crn, \crm, \op2
        svc #1
        .endm
#include "encodings.def"
#undef ENCODING

read_double:
        mrrc p14, 0, r0, r1, c0
        svc #1
write_double:
        mcrr p14, 0, r0, r1, c0
        svc #1
operation:
        cdp p14, 0, c0, c0, c0
        svc #1
store:  stc p14, c1, [r0]
        svc #1
load:   ldc p14, c1, [r0]
        svc #1

        .equ PRIVILEGED, 0
        .equ NONE, 1

        .section .rodata
#define ENCODING(name, op1, crn, crm, op2, group) text name;
        .macro text name
name_\name:
        .asciz "\name"
        .endm
#include "encodings.def"
#undef ENCODING
name_double:
        .asciz "two registers"
name_operation:
        .asciz "CDP"

        .balign 4
        .global encodings, n_encodings, memory_accesses
#define ENCODING(name, op1, crn, crm, op2, group) row name, group;
        .macro row name, group
        .word name_\name, \group
        .word read_\name, write_\name
        .endm
encodings:
#include "encodings.def"
        .word name_double, NONE, read_double, write_double
        .word name_operation, NONE, operation, operation
encodings_end:
n_encodings:
        .word (encodings_end - encodings) / 16
memory_accesses:
        .word store, load

        .section .note.GNU-stack, "", %progbits
