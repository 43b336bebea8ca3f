@ A loop in the ATCM: the fetch behind each jump waits.
@ proves: 0x40 wait states of a TCM are a gap behind each jump
@ build: a32 t32
@ machine: tms570ls
@ set: atcm.read_bytes = 0
@ vary: N = 50, 100, 200
@ expect-change: STALL_IFETCH_CYCLES = 3 * N
@ expect-change: CPU_CYCLES = N * (3 + 2)
        .include "directed.inc"
_start: mov     r8, #N
loop:   repeat  r8
        finish
