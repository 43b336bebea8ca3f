@ The same loop with stores that leave faster than they come.
@ proves: 0x51 a store buffer with room stalls nobody
@ proves: 0x52 nor does the queue before it
@ proves: 0x44 stores that are taken at once are no stall
@ build: a32 t32
@ set: regions.noncacheable_kb = 4096
@ set: regions.noncacheable_size_kb = 64
@ set: store_buffer.bus_cycles = 2
@ let: N = 100
@ expect: STALL_STORE_QUEUE_FULL_CYCLES = 0
@ expect: STALL_STORE_BUFFER_FULL_CYCLES = 0
@ expect: STALL_LSU_BUSY_CYCLES = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   str     r0, [r4], #32
        isb
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
