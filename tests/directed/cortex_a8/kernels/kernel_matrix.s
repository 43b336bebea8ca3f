@ The matrices are loaded 2 registers a cycle, in cycles 0 to 3. A factor is needed a stage early:
@ the first one wanted, loaded in cycle 3, in cycle 3 + 2 + 1 = 6. 8 multiplies issue for 2 cycles
@ each, cycles 6 to 21; accumulators do not wait. The last product, from cycle 20, is there 6 cycles
@ later and 2 less for the data of a store: STM issues in cycles 24 and 25, with the branch beside
@ the second.
@ kernel: matrix multiply, 2 by 2: two matrices of words read, their product written
@ set: branch.history_bits = 0
@ set: issue.multiply_latency = 6
@ set: issue.multiply_cycles = 2
@ set: issue.block_registers_per_cycle = 2
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 26 * N
@ expect-change: INST_RETIRED = 13 * N
        .include "directed.inc"
_start: address r4, first
        address r5, second
        address r13, product
        ldr     r0, [r13]               @ stores that miss do not fill the cache
        mov     r8, #N
loop:   ldm     r4, {r0-r3}
        subs    r8, r8, #1
        ldm     r5, {r6, r7, r12, r14}
        mul     r9, r1, r12
        mul     r10, r1, r14
        mla     r9, r0, r6, r9
        mla     r10, r0, r7, r10
        mul     r11, r2, r6
        mul     r7, r2, r7
        mla     r11, r3, r12, r11
        mla     r12, r3, r14, r7
        stm     r13, {r9-r12}
        bne     loop
        finish
        .data
        .balign 64
first:  .word   1, 2, 3, 4
second: .word   5, 6, 7, 8
product:
        .space  16
