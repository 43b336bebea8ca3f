@ The first KB of the buffer is not cacheable. A list of two words across its end has the attributes of
@ its first; the next word is stored as the cacheable memory it is, while the buffer holds the word
@ before it. Once a turn there is nothing across, or the store is to the line behind.
@ proves: 0x59 a store to a line of which the buffer holds data of another kind of memory counts
@ proves: 0x59 one to another line does not, nor does one where no access lies across
@ proves: 0x50 a store whose line waits as another kind of memory joins nothing
@ build: a32 t32
@ set: regions.noncacheable_kb = 4096
@ set: regions.noncacheable_size_kb = 1
@ vary: N = 20, 50, 200
@ expect-change: STORE_BUFFER_ATTRIBUTE_CLASH = N
@ expect-change: STORE_BUFFER_MERGE = 0
        .include "directed.inc"
_start: address r4, buffer + 1024 - 4
        mov     r8, #N
loop:   stm     r4, {r0, r1}
        str     r2, [r4, #8]            @ clashes
        dsb
        stm     r4, {r0, r1}
        str     r2, [r4, #4 + 32]       @ another line
        dsb
        str     r0, [r4]
        str     r2, [r4, #12]           @ nothing lies across
        dsb
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
