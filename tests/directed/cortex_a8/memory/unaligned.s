@ Accesses at every offset from an aligned address. Replays cost, and only where a boundary of 16
@ bytes (loads) or 8 bytes (stores) is crossed.
@ proves: 0x0F an access counts when its address is no multiple of its size
@ proves: 0x0F byte accesses and aligned ones never count
@ proves: 0x48 an unaligned load is replayed when it crosses 16 bytes, and not when it stays within
@ proves: 0x48 an unaligned store is replayed when it crosses 8 bytes, and not when it stays within
@ proves: 0x47 the replay of an unaligned access counts among all replays
@ build: a32 t32
@ set: replay.load_boundary_bytes = 16
@ set: replay.store_boundary_bytes = 8
@ set: l2.size_kb = 256
@ vary: N = 1, 20
@ expect: UNALIGNED_LDST_RETIRED = N * (3 + 1 + 3 + 1 + 2 + 1)
@ expect: UNALIGNED_ACCESS_REPLAY = N * (1 + 0 + 1 + 0 + 2)
@ expect: LD_RETIRED = 1 + N * 11
@ expect: ST_RETIRED = N * 7
@ expect-change: MEMORY_REPLAY = UNALIGNED_ACCESS_REPLAY
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
        ldr     r0, [r4]
loop:   ldr     r0, [r4, #1]            @ 3 unaligned loads, the last crosses 16
        ldr     r0, [r4, #6]
        ldr     r0, [r4, #13]
        ldrh    r0, [r4, #7]            @ unaligned, does not cross 16
        str     r0, [r4, #1]            @ 3 unaligned stores, the last crosses 8
        str     r0, [r4, #2]
        str     r0, [r4, #5]
        strh    r0, [r4, #1]            @ unaligned, does not cross 8
        ldr     r0, [r4, #30]           @ 2 that cross
        str     r0, [r4, #23]
        ldrh    r0, [r4, #3]            @ unaligned, does not cross
        ldr     r0, [r4, #12]           @ aligned, or bytes
        ldrb    r0, [r4, #15]
        ldrh    r0, [r4, #14]
        ldrd    r2, r3, [r4, #4]        @ words of its own alignment
        ldm     r4, {r2, r3}
        str     r0, [r4, #4]
        strb    r0, [r4, #7]
        repeat  r8
        finish
        zeroed  buffer, 64, 64
