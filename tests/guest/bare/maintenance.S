/* What maintenance does to caches and branch prediction, as the monitor's own counters show it. Prints lines of
 * a name and a count; command.py has the arithmetic. */
        .include "virt.inc"
        .global _start
_start: ldr sp, =stack_top
        bl translation_on
        ldr r4, =data
        ldr r1, [r4]

        count 0x03                      /* L1D refills */
        mov r5, #100
1:      ldr r1, [r4]
        mcr p15, 0, r4, c7, c14, 1      /* DCCIMVAC */
        subs r5, r5, #1
        bne 1b
        counted "invalidated"

        ldr r1, [r4]
        count 0x03
        mov r5, #100
1:      ldr r1, [r4]
        mcr p15, 0, r4, c7, c10, 1      /* DCCMVAC */
        subs r5, r5, #1
        bne 1b
        counted "cleaned"

        mov r5, #64                     /* 64 lines that lie in 64 sets */
        mov r6, r4
1:      ldr r1, [r6], #64
        subs r5, r5, #1
        bne 1b
        count 0x03
        mov r5, #0                      /* every line of the first four sets */
1:      mcr p15, 0, r5, c7, c14, 2      /* DCCISW, level 1: way in bits 31:30, set above bit 5 */
        add r7, r5, #1 << 6
        mcr p15, 0, r7, c7, c14, 2
        add r7, r5, #2 << 6
        mcr p15, 0, r7, c7, c14, 2
        add r7, r5, #3 << 6
        mcr p15, 0, r7, c7, c14, 2
        adds r5, r5, #1 << 30
        bne 1b
        mov r5, #64
        mov r6, r4
1:      ldr r1, [r6], #64
        subs r5, r5, #1
        bne 1b
        counted "sets"

        mov r8, #0
        .balign 64
2:      count 0x01                      /* L1I refills: once to have it all there, then for the count */
        mov r5, #50
        b 1f
        .balign 64
1:      cmp r8, #0
        mcrne p15, 0, r5, c7, c5, 0     /* ICIALLU */
        isb
        subs r5, r5, #1
        bne 1b
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mrc p15, 0, r9, c9, c13, 2
        add r8, r8, #1
        cmp r8, #2
        bne 2b
        mov r1, r9
        ldr r0, =code_text
        bl print

        mov r8, #0
2:      count 0x10                      /* branches not predicted */
        mov r5, #100
1:      cmp r8, #0
        mcrne p15, 0, r5, c7, c5, 6     /* BPIALL */
        subs r5, r5, #1
        bne 1b
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mrc p15, 0, r9, c9, c13, 2
        mov r10, r11
        mov r11, r9
        add r8, r8, #1
        cmp r8, #2
        bne 2b
        mov r1, r10
        ldr r0, =predicted_text
        bl print
        mov r1, r11
        ldr r0, =forgotten_text
        bl print
        b power_off
        .ltorg

        .balign 32
vectors:
        .rept 8
        b .
        .endr
        .section .rodata
code_text: .asciz "code "
predicted_text: .asciz "predicted "
forgotten_text: .asciz "forgotten "
        .bss
        .balign 4096
data:   .space 4096
        .space 1024
stack_top:
