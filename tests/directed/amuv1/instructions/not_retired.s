// The undefined instruction ends the program: 4 instructions before it count, it does not.
// proves: 0x0008 an instruction that is undefined does not count
// status: 132
// expect: INST_RETIRED = 4
        .include "directed.inc"
_start: mov     x0, #1
        mov     x1, #2
        add     x0, x0, x1
        nop
        udf     #0
        nop
