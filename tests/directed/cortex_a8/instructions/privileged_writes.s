@ What User mode may not write is undefined there and so never executed: N times the software
@ increment register and N times the context ID register.
@ proves: 0x00 a write to the software increment register that User mode may not make counts nothing
@ proves: 0x0B a write to the context ID register that User mode may not make counts nothing
@ proves: 0x08 a register access that is undefined in this mode is not executed
@ let: N = 3
@ expect: SW_INCR = 0
@ expect: CID_WRITE_RETIRED = 0
@ expect: INST_RETIRED = 7 + 2 + N * (2 * 5 + 3) + 3
@ expect: EXC_TAKEN = 1 + 2 * N * 2 + 1
@ expect: EXC_RETURN = 1 + 2 * N * 2
        .include "directed.inc"
        .include "signal.inc"
_start: install 4                       @ SIGILL
        mov     r8, #N
        mov     r6, #1
loop:   mcr     p15, 0, r6, c9, c12, 4
        add     r5, r5, #1
        mcr     p15, 0, r6, c13, c0, 1
        repeat  r8
        finish
        handler
