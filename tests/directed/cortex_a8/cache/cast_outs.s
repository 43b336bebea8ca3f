@ Each of 8 lines of a set of 4 ways is read and written; then 4 clean lines push out the last 4.
@ proves: 0x42 cast-outs are no store transactions
@ proves: 0x43 a line cast out of level 1 is an access to level 2
@ proves: 0x44 a line cast out into level 2, which has it, does not miss
@ set: l1d.size_kb = 16
@ set: l1d.ways = 4
@ set: l1d.replacement = lru
@ set: l2.size_kb = 256
@ expect: L1D_CACHE_REFILL = 12
@ expect: L2_STORE_BUFFERABLE = 0
@ expect: L2_ACCESS = 12 + 8 + 2 * 12 + L1I_CACHE_REFILL + 2 * L1I_TLB_REFILL
@ expect: L2_CACHE_MISS = 12 + L1I_CACHE_REFILL + 3
@ expect: AXI_WRITE_BEATS = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #8
        mov     r10, #4096
loop:   ldr     r0, [r4]
        str     r0, [r4], r10
        repeat  r8
        mov     r8, #4
clean:  ldr     r0, [r4], r10
        repeat  r8, clean
        finish
        zeroed  buffer, 4096*12, 65536
