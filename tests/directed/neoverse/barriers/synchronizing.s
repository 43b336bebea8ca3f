// A loop with an ISB, whose next instruction is fetched 20 cycles after it has retired: the turn of a
// loop of three instructions takes 22 cycles, those of the ISB's own issue and the taken branch's.
// proves: 0x0011 an ISB refills the pipeline
// proves: 0x0023 from the front end
// set: barrier.instruction_cycles = 20
// vary: N = 100, 1000
// expect-change: CPU_CYCLES >= 21 * N
// expect-change: CPU_CYCLES <= 25 * N
// expect-change: STALL_FRONTEND >= 19 * N
        .include "directed.inc"
_start: number  x9, N
loop:   isb
        repeat  x9
        finish
