// A machine that makes one gather load and powers off: docs/upstream/sve-gather.md.
        .arch   armv8-a+sve
        .global _start
_start: mrs     x0, cpacr_el1           // SVE and floating point in EL1
        orr     x0, x0, #3 << 16
        orr     x0, x0, #3 << 20
        msr     cpacr_el1, x0
        isb
        ptrue   p0.d
        adr     x1, data
        index   z1.d, #0, #8
        ld1d    {z0.d}, p0/z, [x1, z1.d]
        ldr     x0, =0x84000008         // PSCI SYSTEM_OFF
        hvc     #0
        b       .
        .ltorg
        .align  6
data:   .fill   64
