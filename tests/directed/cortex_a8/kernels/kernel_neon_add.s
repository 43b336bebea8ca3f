@ The integer pipeline is done in 4 cycles and then waits for NEON, whose queue is full. There the
@ load of 4 D registers takes the permute pipe for 2 cycles, and its data can be added 1 cycle after
@ it starts. The additions start in cycles 1 and 2; the second result is there alu_latency = 3
@ later, in cycle 5; the store takes it and the pipe for 2 cycles: the next load starts in cycle 7.
@ kernel: NEON add stream: 8 words loaded, added to and stored
@ set: branch.history_bits = 0
@ set: neon.alu_latency = 3
@ set: neon.load_latency = 1
@ set: neon.instruction_queue = 16
@ vary: N = 200, 600
@ expect-change: CPU_CYCLES = (2 + 3 + 2) * N
@ expect-change: INST_RETIRED = 7 * N
@ expect-change: NEON_L2_ACCESS = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #64                 @ NEON loads that miss do not fill the cache
fill:   ldr     r0, [r4], #64
        subs    r8, r8, #1
        bne     fill
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
        .bss
        .balign 8192
buffer: .space  4096
