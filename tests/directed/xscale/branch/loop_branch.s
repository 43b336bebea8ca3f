@ A loop's branch, N times. The first time it is not known and taken, and comes into the branch target
@ buffer; the last time it is predicted taken and is not.
@ proves: 0x05 a loop's branch counts each time
@ proves: 0x06 a taken branch that is not in the branch target buffer is mispredicted
@ proves: 0x06 a branch that is predicted taken and is not is mispredicted
@ proves: 0x06 a branch that is predicted right does not count
@ build: a32 t32
@ vary: N = 2, 3, 50, 200
@ expect: BRANCH = N
@ expect: BRANCH_MISS = 2
@ expect: PC_CHANGED = N - 1
        .include "directed.inc"
_start: movs    r6, #N
loop:   nop
        repeat  r6
        finish
