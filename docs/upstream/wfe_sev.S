// Two processors hand a turn to and fro, 2000 times, by WFE and SEV; then the machine powers off.
// docs/upstream/idle-callback.md.
        .global _start
_start: ldr     x0, =0xc4000003         // PSCI CPU_ON of processor 1
        mov     x1, #1
        adr     x2, second
        mov     x3, #0
        hvc     #0
        mov     w5, #0
        mov     w6, #1
        bl      play
        ldr     x0, =0x84000008         // PSCI SYSTEM_OFF
        hvc     #0
        b       .
second: mov     w5, #1
        mov     w6, #0
        bl      play
1:      wfi
        b       1b
play:   adr     x4, turn                // w5: whose turn it is waited for, w6: whose it is next
        mov     w7, #2000
2:      ldar    w0, [x4]
        cmp     w0, w5
        b.eq    3f
        wfe
        b       2b
3:      stlr    w6, [x4]
        dsb     sy
        sev
        subs    w7, w7, #1
        b.ne    2b
        ret
        .ltorg
        .align  6
turn:   .word   0
