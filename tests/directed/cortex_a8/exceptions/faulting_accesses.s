@ N loads and N stores of memory that is not there, in the middle of straight code. None executes;
@ the handler's own load and store do.
@ proves: 0x06 a load that faults is not executed
@ proves: 0x07 a store that faults is not executed
@ proves: 0x09 a data abort is an exception taken
@ let: N = 4
@ expect: LD_RETIRED = N * (2 + 2)
@ expect: ST_RETIRED = N * 2
@ expect: INST_RETIRED = 7 + 4 + N * (2 * 5 + 7) + 3
@ expect: EXC_TAKEN = 1 + 2 * N * 2 + 1
@ expect: EXC_RETURN = 1 + 2 * N * 2
        .include "directed.inc"
        .include "signal.inc"
_start: install 11                      @ SIGSEGV
        address r4, action
        mov     r8, #N
        mov     r9, #0x08000000         @ nothing is mapped there
loop:   ldr     r0, [r4]
        add     r6, r6, #1
        ldr     r0, [r9]
        ldr     r0, [r4]
        add     r6, r6, #1
        str     r0, [r9]
        add     r6, r6, #1
        repeat  r8
        finish
        handler
