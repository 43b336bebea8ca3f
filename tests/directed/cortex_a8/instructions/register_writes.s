@ Privileged writes of registers: each counts as its own event, when its condition passes. Z is set in
@ every second round.
@ proves: 0x00 a write to the register counts, writes to the registers beside it do not
@ proves: 0x00 a write that fails its condition does not count
@ proves: 0x0B a write to the context ID register counts, a read of it and writes to others do not
@ proves: 0x0B a write that fails its condition does not count
@ proves: 0x08 register writes that fail their condition are executed
@ build: a32 t32
@ engine: bare
@ vary: N = 100, 300
@ expect-change: SW_INCR = 2 * N + N // 2
@ expect-change: CID_WRITE_RETIRED = N + N // 2
@ expect-change: INST_RETIRED = (12 + 3 * T32) * N
        .include "directed.inc"
_start: movw    r8, #N
        mov     r0, #1
loop:   ands    r1, r8, #1
        mcr     p15, 0, r0, c9, c12, 4  @ SWINC
        mcr     p15, 0, r0, c9, c12, 3  @ FLAG
        mcr     p15, 0, r0, c9, c12, 4
        it      eq
        mcreq   p15, 0, r0, c9, c12, 4
        mcr     p15, 0, r0, c9, c12, 5  @ PMNXSEL
        mrc     p15, 0, r2, c13, c0, 1  @ CONTEXTIDR
        mcr     p15, 0, r0, c13, c0, 1
        it      ne
        mcrne   p15, 0, r0, c13, c0, 1
        mcr     p15, 0, r0, c13, c0, 2  @ TPIDRURW
        subs    r8, r8, #1
        it      ne
        bne     loop
        finish
