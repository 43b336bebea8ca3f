// The core at 2600 MHz, the system counter at four other frequencies: as many ticks as fit the
// cycles, to the tick.
// proves: 0x4004 the ratio of counters 0 and 1 is that of the frequencies
// proves: 0x4004 counter 1 stands still between two ticks
// set: clock.mhz = 2600
// vary: KHZ clock.counter_khz = 25000, 62500, 1000000, 1050000, 2600000
// expect: CNT_CYCLES * 2600000 <= CPU_CYCLES * KHZ
// expect: (CNT_CYCLES + 1) * 2600000 > CPU_CYCLES * KHZ
// expect-change: CPU_CYCLES = 0
// expect-change: INST_RETIRED = 0
        .include "directed.inc"
_start: number  x9, 12345
loop:   add     x1, x1, #1
        add     x1, x1, #1
        add     x1, x1, #1
        repeat  x9
        finish
