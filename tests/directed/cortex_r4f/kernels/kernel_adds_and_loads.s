@ There is one ALU: additions take a cycle each, whether or not they need each other. What can issue
@ beside one is a load, of another word each time.
@ kernel: adds beside loads: 8 additions and 8 loads
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 9 * N
@ expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   subs    r8, r8, #1
        ldr     r1, [r4]
        .irp    offset, 4, 8, 12, 16, 20, 24, 28
        add     r0, r0, #1
        ldr     r1, [r4, #\offset]
        .endr
        add     r0, r0, #1
        bne     loop
        finish
        zeroed  buffer, 64, 64
