@ Firmware, also of a guest, that counts down for a while and ends with status 3, by semihosting; with FOR_EVER it
@ begins again.
        .syntax unified
        .arm
        .globl  start
start:  ldr     r4, =3000000
1:      subs    r4, r4, #1
        bne     1b
        .ifdef  FOR_EVER
        b       start
        .endif
        mov     r0, #0x20               @ SYS_EXIT_EXTENDED
        ldr     r1, =block
        svc     0x123456
        b       .
block:  .word   0x20026, 3
