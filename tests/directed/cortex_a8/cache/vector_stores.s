@ VSTR to LINES lines that only memory has, and again when the write buffer has long drained and
@ level 2 has them; then to lines that an integer load brought into level 1.
@ proves: 0x4E a vector store that misses level 1 goes to level 2
@ proves: 0x4F a vector store hits level 2 when it has the line, and only then
@ proves: 0x4C a vector store to a line in level 1 hits
@ proves: 0x42 a vector store that misses is a store transaction
@ set: l1d.write_allocate = no
@ set: l2.write_allocate = yes
@ set: store_buffer.drain_cycles = 1
@ set: branch.history_bits = 0
@ let: LINES = 20
@ vary: PASSES = 1, 2, 5
@ expect: NEON_L1D_ACCESS = LINES * PASSES + 1
@ expect: NEON_L1D_HIT = 1
@ expect: NEON_L2_ACCESS = LINES * PASSES
@ expect: NEON_L2_HIT = LINES * (PASSES - 1)
@ expect: L2_STORE_BUFFERABLE = LINES * PASSES
@ expect: L2_STORE_MERGED = 0
@ expect: L1D_CACHE_REFILL = 1
        .include "directed.inc"
_start: mov     r9, #PASSES
again:  address r4, buffer
        mov     r8, #LINES
loop:   vstr    d0, [r4]
        add     r4, r4, #64
        repeat  r8
        repeat  r9, again
        ldr     r0, [r4]                @ the line behind the last
        vstr    d0, [r4, #8]
        finish
        zeroed  buffer, 64*LINES+64, 4096
