@ Firmware has one frame at 64 addresses, and reads and writes it at one after another, by a pointer that
@ it reads from memory: its main TLB has 32 entries.
@ proves: 0x05 each address of a frame has an entry of its own
@ engine: bare
@ vary: N = 2, 5
@ expect-change: L1D_TLB_REFILL = 64 * N
@ expect-change: LD_RETIRED = 512 * N
@ expect-change: ST_RETIRED = 321 * N
        .include "directed.inc"
        .include "translation.inc"
        .macro  small_pages
        address r1, small
        orr     r2, r1, #1
        str     r2, [r0, #4 * 5]        @ the megabyte at 0x500000
        mov     r3, #0x600000
        orr     r3, r3, #0x7e           @ write-back, write-allocate; a small page
        mov     r2, #64
2:      str     r3, [r1], #4
        repeat  r2, 2b
        .endm
_start: translate small_pages
        address r9, pointer
        mov     r6, #2
        mov     r7, #N
again:  mov     r4, #0x500000
        str     r4, [r9]
        mov     r8, #64
loop:   ldr     r5, [r9]
        ldr     r0, [r5, #8]
        str     r0, [r5, r6, lsl #3]
        ldm     r5!, {r0, r1, r2}
        ldrd    r0, r1, [r5], #4
        strh    r0, [r5, #-4]!
        stmdb   r5!, {r0, r1}
        cmp     r8, #0
        ldrne   r0, [r5, #2]!
        ldrsb   r1, [r5, -r6]
        ldr     r1, [r5, -r6, asr #1]
        strd    r0, r1, [r5, #2]
        ldr     r5, [r9]
        add     r5, r5, #0x1000
        str     r5, [r9]
        repeat  r8
        repeat  r7, again
        finish
        zeroed  table, 16384, 16384
        zeroed  small, 1024
        zeroed  pointer, 64
