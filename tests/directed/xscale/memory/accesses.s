@ Each kind of access, N times, to a line that is there.
@ proves: 0x0A a load or store counts, whatever its width
@ proves: 0x0A LDM and STM count once for each word
@ proves: 0x0A LDRD and STRD count twice
@ proves: 0x0A SWP counts its read and its write
@ proves: 0x0A an access whose condition fails does not count
@ proves: 0x0B an access that finds its line does not count
@ vary: N = 10, 100
@ expect-change: DCACHE_ACCESS = (4 + 3 + 4 + 4 + 2 + 2 + 2) * N
@ expect-change: DCACHE_MISS = 0
        .include "directed.inc"
_start: buffer_at r10
        mov     r8, #N
loop:   ldr     r0, [r10]
        ldrh    r0, [r10, #2]
        ldrsb   r0, [r10, #3]
        ldrb    r0, [r10, #5]
        str     r0, [r10]
        strh    r0, [r10, #2]
        strb    r0, [r10, #3]
        ldm     r10, {r0-r3}
        stm     r10, {r0-r3}
        ldrd    r0, r1, [r10]
        strd    r0, r1, [r10]
        swp     r0, r1, [r10]
        cmp     r8, #0
        ldreq   r0, [r10]
        stmeq   r10, {r0-r3}
        repeat  r8
        finish
        zeroed  buffer, 64
