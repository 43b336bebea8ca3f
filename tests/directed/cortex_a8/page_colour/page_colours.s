@ 64 pages are read ROUNDS times, 32 KiB of data cache in 4 ways, frames scattered: the pages whose
@ bit 12 differs from their frame's count in every round, and no others.
@ proves: 0x4B accesses to a page whose frame has the other colour count, every one of them and no others
@ set: l1d.size_kb = 32
@ set: l1d.ways = 4
@ set: memory.page_map = scattered
@ set: random.seed = 1
@ let: PAGES = 64
@ other-colour: ALIASES = 0x400, PAGES
@ vary: ROUNDS = 1, 5, 7
@ expect: L1D_CACHE = PAGES * ROUNDS
@ expect: L1D_PAGE_COLOUR_ALIAS = ALIASES * ROUNDS
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        mov     r10, #4096
again:  address r4, buffer
        mov     r8, #PAGES
loop:   ldr     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 4096*PAGES, 4096
