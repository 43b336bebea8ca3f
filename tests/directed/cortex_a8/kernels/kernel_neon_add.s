@ The integer pipeline is done in 4 cycles and then waits for NEON, whose queue is full. There the
@ load of 4 D registers from an address of no stated alignment takes the permute pipe for cycles 1 to
@ 3, the second of which nothing else can start in: the additions start in cycles 3 and 4. Their
@ results are there alu_latency = 3 later, in cycles 6 and 7; the store reads a pair of registers in
@ each of its cycles, of which it takes 3 as well, 6 to 8: the next load starts in cycle 9.
@ kernel: NEON add stream: 8 words loaded, added to and stored
@ set: branch.history_bits = 0
@ set: neon.alu_latency = 3
@ set: neon.load_latency = 1
@ set: neon.instruction_queue = 16
@ vary: N = 200, 600
@ expect-change: CPU_CYCLES = (2 + 3 + 3) * N
@ expect-change: INST_RETIRED = 7 * N
@ expect-change: NEON_L2_ACCESS = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #64                 @ NEON loads that miss do not fill the cache
fill:   ldr     r0, [r4], #64
        repeat  r8, fill
        address r4, buffer
        movw    r8, #N
loop:   subs    r8, r8, #1
        vld1.32 {q0, q1}, [r4]
        vadd.i32 q0, q0, q8
        vadd.i32 q1, q1, q8
        vst1.32 {q0, q1}, [r4]!
        bic     r4, r4, #4096
        bne     loop
        finish
        zeroed  buffer, 4096, 8192
