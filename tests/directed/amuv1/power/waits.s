// 10 YIELD, WFE and SEV a round: instructions, whose sleep takes no time.
// proves: 0x0011 time asleep does not count
// proves: 0x4004 time asleep does not count in constant cycles
// proves: 0x0008 to wait is an instruction, however long the core sleeps
// proves: 0x4005 time asleep is no memory stall
// vary: N = 100, 600
// set: clock.counter_khz = 2600000
// expect-change: INST_RETIRED = 22 * N
// expect-change: CPU_CYCLES < 11 * N
// expect-change: CNT_CYCLES < 11 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        sev
        wfe
        .endr
        repeat  x9
        finish
