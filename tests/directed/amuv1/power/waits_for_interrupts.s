// 10 WFI a round, with an interrupt that is asserted and masked: each goes on at once, is an
// instruction, and takes no more than one that does nothing.
// proves: 0x0008 to wait for an interrupt is an instruction
// proves: 0x0011 waiting for an interrupt that is there takes no time asleep
// proves: 0x4004 waiting for an interrupt that is there takes no time asleep in constant cycles
// engine: bare
// set: clock.counter_khz = 2600000
// vary: N = 100, 600
// expect-change: INST_RETIRED = 12 * N
// expect-change: CPU_CYCLES < 6 * N
// expect-change: CNT_CYCLES < 6 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: mov     x0, #0xff000000
        mov     w1, #1
        str     w1, [x0, #0x10]         // INTENABLE
        str     w1, [x0, #0x18]         // SOFTINT
        number  x9, N
loop:   .rept   10
        wfi
        .endr
        repeat  x9
        finish
