// A program for Linux that executes one instruction, INSN: docs/upstream/plugin-interface.md.
        .arch   armv8-a+sve
        .global _start
_start: adrp    x1, data
        add     x1, x1, :lo12:data
        ptrue   p0.d
        index   z1.d, #0, #8
        INSN
        mov     x8, #93                 // exit
        mov     x0, #0
        svc     #0
        .data
        .align  6
data:   .fill   256
