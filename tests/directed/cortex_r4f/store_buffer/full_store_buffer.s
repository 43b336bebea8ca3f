@ A store a line of memory that is not cacheable, which takes BUS cycles each to leave: more than the
@ loop's four. The buffer is full all the time, and the queue before it.
@ proves: 0x51 the queue waits for the store buffer
@ proves: 0x52 the pipeline waits for the queue
@ proves: 0x44 waiting for the queue is a stall of the load/store unit
@ proves: 0x11 a full store buffer takes a store each time one has left for the bus
@ build: a32 t32
@ set: regions.noncacheable_kb = 4096
@ set: regions.noncacheable_size_kb = 64
@ set: store_buffer.bus_cycles = 20
@ vary: N = 20, 40, 100
@ expect-change: CPU_CYCLES = 20 * N
@ expect-change: STALL_STORE_QUEUE_FULL_CYCLES = 16 * N
@ expect-change: STALL_STORE_BUFFER_FULL_CYCLES = 19 * N
@ expect-change: STALL_LSU_BUSY_CYCLES = 16 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   str     r0, [r4], #32
        isb
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
