@ A loop of 32 bytes from a boundary: when its branch goes back, the flash has the 16 bytes of the branch and
@ those behind it, and reads the first 16 anew.
@ proves: 0x11 a jump to what the flash has not read waits
@ proves: 0x40 it is a wait for instructions
@ machine: tms570ls
@ build: a32
@ set: atcm.read_bytes = 16
@ let: N = 100
@ vary: WAIT atcm.wait_cycles = 0, 1, 3, 7
@ expect-change: CPU_CYCLES = WAIT * (1 + N - 1)
@ expect-change: STALL_IFETCH_CYCLES = WAIT * (1 + N - 1)
        .include "directed.inc"
_start: mov     r8, #N
        .balign 16
loop:   subs    r8, r8, #1
        .rept   6
        nop
        .endr
        bne     loop
        finish
