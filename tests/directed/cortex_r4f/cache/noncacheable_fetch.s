@ A loop of eight bytes in memory that is not cacheable: each time round they are fetched again.
@ proves: 0x01 fetches from memory that is not cacheable refill nothing
@ proves: 0x58 they are no accesses to the cache
@ proves: 0x57 each of them is a request to memory that is not cacheable
@ proves: 0x43 they are requests on the bus
@ proves: 0x40 each is a gap of the memory's latency
@ build: a32 t32
@ set: regions.noncacheable_kb = 64
@ set: regions.noncacheable_size_kb = 64
@ vary: N = 50, 100, 200
@ expect-change: NON_CACHEABLE_ACCESS_AXI_MASTER = N
@ expect-change: EXT_MEMORY_REQUEST = N
@ expect-change: L1I_CACHE_REFILL = 0
@ expect-change: L1I_CACHE = 0
@ expect-change: STALL_IFETCH_CYCLES = 20 * N
@ expect-change: CPU_CYCLES = 22 * N
        .include "directed.inc"
_start: mov     r8, #N
        .balign 8
loop:   repeat  r8
        finish
