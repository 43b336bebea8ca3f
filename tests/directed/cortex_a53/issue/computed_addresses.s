// An addition and a load from its result, 8 times: the address is there 3 cycles after the addition was issued, beside the next one.
// The loop's last two instructions fill the cycle after the last load's.
// proves: 0x00E5 an address that was added comes after 3 cycles
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (8 * 3 + 1) * N
// expect-change: AGU_DEP_STALL = 8 * 2 * N
        .include "directed.inc"
        rounds
        .rept   8
        add     x1, x2, #8
        ldr     x3, [x1]
        .endr
        end_rounds
