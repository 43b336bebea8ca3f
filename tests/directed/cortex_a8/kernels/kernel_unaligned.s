@ Each load takes a cycle and crosses 16 bytes, which is a replay of 8 cycles. The counter and the
@ branch pair.
@ kernel: unaligned loads: 8 words across 16-byte boundaries
@ set: branch.history_bits = 0
@ set: replay.load_boundary_bytes = 16
@ set: replay.unaligned_cycles = 8
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * (1 + 8) * N
@ expect-change: INST_RETIRED = 10 * N
@ expect-change: UNALIGNED_ACCESS_REPLAY = 8 * N
        .include "directed.inc"
_start: address r4, buffer
        ldr     r0, [r4]
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   2
        .irp    offset, 13, 14, 31, 46
        ldr     r0, [r4, #\offset]
        .endr
        .endr
        bne     loop
        finish
        zeroed  buffer, 64, 64
