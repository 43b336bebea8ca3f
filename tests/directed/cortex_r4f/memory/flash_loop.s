@ A loop whose end and beginning lie in the same 16 bytes, or in neighbours in the right order: its first
@ instruction has been read when the branch goes back, and the jump does not wait.
@ proves: 0x11 a jump into what the flash has read takes no wait states
@ machine: tms570ls
@ build: a32
@ set: atcm.read_bytes = 16
@ let: N = 100
@ vary: WAIT atcm.wait_cycles = 0, 1, 3, 7
@ expect-change: CPU_CYCLES = WAIT
        .include "directed.inc"
_start: mov     r8, #N
        .balign 16
loop:   subs    r8, r8, #1
        nop
        bne     loop
        nop
        finish
