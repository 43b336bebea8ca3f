@ A load whose address is the load's before it. The counter pairs with the last of an iteration, so the
@ branch fills one of the cycles the next one waits.
@ proves: 0x11 a loaded value reaches an address four cycles later
@ proves: 0x41 a pointer chase stalls three cycles a load
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * 4 * 8
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = N * (7 * 3 + 2)
        .include "directed.inc"
_start: address r5, buffer
        str     r5, [r5]
        mov     r8, #N
loop:   .rept   8
        ldr     r5, [r5]
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 64
