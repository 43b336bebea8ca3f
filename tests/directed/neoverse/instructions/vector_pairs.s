// Ten pairs of 128 bits are loaded, 16 bytes a cycle on each of two units: 10 cycles. One is stored by the unit that stores 8
// bytes a cycle: 4 cycles, in the same time.
// proves: 0x0011 a unit that moves a part of what is loaded or stored is taken for each part
// set: dispatch.vector_bytes = 0
// set: units.load = 2
// set: units.load_bytes = 16
// set: units.store = 1
// set: units.store_takes_load = no
// set: units.store_bytes = 8
// set: store_buffer.rewrite_cycles = 0
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 12 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .rept   10
        ldp     q0, q1, [x1]
        .endr
        .rept   3
        stp     q2, q3, [x1, #64]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 128, 64
