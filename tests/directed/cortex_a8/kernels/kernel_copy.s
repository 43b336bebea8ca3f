@ LDM and STM of 4 registers move 2 a cycle, in the older slot, and something else may issue beside
@ their last cycle only: 8 of them are 16 cycles, which hide the moves, the counter and the branch.
@ STM wants its data in the first cycle: r2 and r3, loaded in the cycle before, have the latency of
@ 2 but are wanted 2 cycles later than an address would be, so it does not wait. MOV gives r5 to
@ the address of the STM behind it in time, as it has no latency but for the early stage.
@ kernel: copy by LDM and STM: 64 bytes, in the data cache
@ set: branch.history_bits = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * 2 * N
@ expect-change: INST_RETIRED = 12 * N
        .include "directed.inc"
_start: address r9, source
        address r10, copy
        ldr     r0, [r10]               @ stores that miss do not fill the cache
        mov     r8, #N
        mov     r4, r9
loop:   ldm     r4!, {r0-r3}
        mov     r5, r10
        stm     r5!, {r0-r3}
        subs    r8, r8, #1
        ldm     r4!, {r0-r3}
        stm     r5!, {r0-r3}
        ldm     r4!, {r0-r3}
        stm     r5!, {r0-r3}
        ldm     r4, {r0-r3}
        mov     r4, r9
        stm     r5, {r0-r3}
        bne     loop
        finish
        zeroed  source, 64, 64
        zeroed  copy, 64
