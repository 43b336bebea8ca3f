@ A branch that is taken every second time, beginning with the first: it comes in as weakly taken and
@ goes to and fro between the two weak histories, wrong each time.
@ proves: 0x06 a taken branch comes into the branch target buffer as weakly taken
@ proves: 0x01 the cycles of a wrong prediction do not count
@ vary: N = 10, 40, 200
@ expect-change: ICACHE_NO_DELIVER_CYCLES = 0
@ expect: BRANCH = 2 * N
@ expect: BRANCH_MISS = N + 2
        .include "directed.inc"
_start: mov     r8, #N
loop:   tst     r8, #1                  @ N is even: the first time it is taken
        beq     1f
        nop
1:      repeat  r8
        finish
