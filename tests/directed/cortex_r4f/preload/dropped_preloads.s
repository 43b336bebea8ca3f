@ Four preloads of lines that are not there, with two linefill buffers and a slow memory: two start,
@ two are dropped. Then lines are preloaded that are there.
@ proves: 0x56 a preload without a free linefill buffer is dropped
@ proves: 0x55 one that is dropped starts no linefill
@ proves: 0x55 a preload of a line that is there starts none
@ proves: 0x56 nor is it dropped
@ build: a32 t32
@ set: memory.latency_cycles = 1000
@ expect: PLD_INST_LINE_FILL = 2
@ expect: PLD_INST_NO_LINE_FILL = 2
        .include "directed.inc"
_start: address r4, buffer
        ldr     r0, [r4]
        .balign 32
        ldr     r0, [r4]
        pld     [r4, #64]
        pld     [r4, #128]
        pld     [r4, #192]
        pld     [r4, #256]
        pld     [r4, #64]
        pld     [r4]
        finish
        zeroed  buffer, 8192, 4096
