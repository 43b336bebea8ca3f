@ A preload of each line, far enough ahead; the load that tells its address reads it N later.
@ proves: 0x55 a preload that starts a linefill counts
@ proves: 0x56 while a linefill buffer is free no preload is dropped
@ proves: 0x03 a preload's linefill is none by a read, and the read behind it finds the line
@ proves: 0x43 a preload's linefill is a request
@ proves: 0x06 a preload is no read
@ build: a32 t32
@ set: memory.latency_cycles = 2
@ set: linefill.transfer_cycles = 0
@ vary: N = 20, 50, 100
@ expect-change: PLD_INST_LINE_FILL = N
@ expect-change: PLD_INST_NO_LINE_FILL = 0
@ expect-change: L1D_CACHE_REFILL = 0
@ expect-change: EXT_MEMORY_REQUEST = N
@ expect-change: LD_RETIRED = N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   pld     [r4, #128]
        ldr     r0, [r4]
        add     r4, r4, #32
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
