/* The memory-mapped view, layout of 32-bit registers, at an address that the machine was told.
 *
 * Source: ARM DDI 0487, the external activity monitors registers; of AMEVTYPER0<n> the register
 * page of 2021: offset 0x400 + 4n, reserved ones read as zero, read-only. */
#include "amu.h"

#define FRAME 0x43ff0000u

static uint64_t load(unsigned offset)
{
    return *(volatile uint32_t *)(uintptr_t)(FRAME + offset);
}

static uint64_t load_wide(unsigned offset)
{
    return *(volatile uint64_t *)(uintptr_t)(FRAME + offset);
}

static void check_types(void)
{
    static const uint32_t events[4] = {0x11, 0x4004, 0x08, 0x4005};
    static const char *const numbers[] = {"0", "1", "2", "3", "4", "15"};

    for (unsigned n = 0; n < 4; n++) {
        check("view: AMEVTYPER0", numbers[n], load(0x400 + 4 * n), events[n]);
        *(volatile uint32_t *)(uintptr_t)(FRAME + 0x400 + 4 * n) = 0x77;
        check("view: nobody writes AMEVTYPER0", numbers[n], load(0x400 + 4 * n), events[n]);
    }
    check("view: reserved AMEVTYPER0", numbers[4], load(0x410), 0);
    check("view: reserved AMEVTYPER0", numbers[5], load(0x43c), 0);
    check("view: AMEVTYPER1", numbers[0], load(0x480), unit.group1 > 0 ? 0x300 : 0);
}

static void check_identity(void)
{
    check("view: AMCFGR is", "that of MRS", load(0xe00), read_amcfgr());
    check("view: AMCGCR is", "that of MRS", load(0xce0), read_amcgcr());
    check("view: AMDEVARCH is", "0x47700a66", load(0xfbc), 0x47700a66);
    check("view: AMCIDR3 is", "0xb1", load(0xffc), 0xb1);
    check("view: bytes of AMCIDR1 are", "0x90", *(volatile uint8_t *)(uintptr_t)(FRAME + 0xff4),
          0x90);
}

/* Between two reads of the counter of instructions, one by the view: what lies between counts. */
static void check_counts(void)
{
    write_amcntenclr0(0xf);
    write_retired(0x123456789abcdef0);
    check("view: AMEVCNTR02,", "both words", load(0x10) | load(0x14) << 32, 0x123456789abcdef0);
    check("view: AMEVCNTR02,", "in one", load_wide(0x10), 0x123456789abcdef0);
    check("view: AMCNTENSET0 is", "zero", load(0xc00), 0);
    write_amcntenset0(4);
    check("view: AMCNTENSET0 is", "P2", load(0xc00), 4);
    for (unsigned pass = 0; pass < 2; pass++) {
        uint64_t before, after, seen;
        __asm__ volatile("mrs %0, S3_3_C13_C4_2\n nop\n nop\n ldr %1, [%3]\n nop\n"
                         "mrs %2, S3_3_C13_C4_2"
                         : "=&r"(before), "=&r"(seen), "=&r"(after)
                         : "r"((uintptr_t)FRAME + 0x10)
                         : "memory");
        check("view: behind a read by MRS and two instructions,", "three more", seen - before, 3);
        check("view: behind it and one instruction,", "two more", after - seen, 2);
    }
    write_amcntenclr0(4);
}

void check_frame_view(void)
{
    if (load(0xfcc) != 0x16)
        return;
    check_types();
    check_identity();
    check_counts();
}
