@ Each of the 16 stores of a line needs the load/store pipe for a cycle: 16 cycles. The counter, the
@ pointer's four instructions and the branch take the other slot of cycles 0 to 3, 14 and 15. An
@ address is needed a stage early: of the pointer that MOV makes in cycle 14, with no latency of its
@ own, in cycle 14 + 0 + 1 at the earliest, and the next round's first store issues in cycle 16.
@ kernel: write stream, level 1: 16 words of a line, to 4 KB that the data cache has
@ set: branch.history_bits = 0
@ vary: N = 100, 300
@ expect-change: CPU_CYCLES = 16 * N
@ expect-change: INST_RETIRED = 22 * N
@ expect-change: ST_RETIRED = 16 * N
@ expect-change: L2_STORE_BUFFERABLE = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #64                 @ stores that miss do not fill the cache: reads do
fill:   ldr     r0, [r4], #64
        repeat  r8, fill
        address r4, buffer
        mov     r8, #N
loop:   subs    r8, r8, #1
        str     r0, [r4]
        str     r1, [r4, #4]
        add     r5, r4, #64
        str     r2, [r4, #8]
        bic     r5, r5, #4096
        str     r3, [r4, #12]
        mov     r6, r4
        .irp    offset, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52
        str     r3, [r4, #\offset]
        .endr
        str     r2, [r4, #56]
        mov     r4, r5
        str     r3, [r6, #60]
        bne     loop
        finish
        zeroed  buffer, 4096, 8192
