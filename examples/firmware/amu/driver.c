/* A driver in small: probe, start, stop, read. What runs between is counted by hand. */
#include "monitors.h"

/* 1000 turns of four instructions, two in front and the return; and the return alone. */
void work(void);
void nothing(void);
__asm__(".text\n"
        ".balign 64\n"
        "work:\n"
        "mov x0, #1000\n"
        "mov x1, sp\n"
        "1: ldr x2, [x1, #-16]\n"
        "nop\n"
        "subs x0, x0, #1\n"
        "b.ne 1b\n"
        "nothing:\n"
        "ret\n");

int main(void)
{
    check("activity monitors, version", read_pfr0() >> 44 & 15, 1);
    check("counters of the first group", read_amcgcr() & 0xff, 4);
    check("counters there are", (read_amcfgr() & 0xff) + 1, 4 + (read_amcgcr() >> 8 & 0xff));
    check("counter 0 counts cycles", read_type0(), 0x0011);
    check("counter 1 counts ticks", read_type1(), 0x4004);
    check("counter 2 counts instructions", read_type2(), 0x0008);
    check("counter 3 counts stalls", read_type3(), 0x4005);

    const struct counts all = measure(work), frame = measure(nothing);
    check("instructions", all.retired - frame.retired, 4002);
    check("at least a cycle for five", all.cycles * 5 >= all.retired, 1);
    check("stalls are cycles", all.stalls <= all.cycles, 1);

    const uint64_t before = read_retired();
    work();
    check("stopped, it stands", read_retired() - before, 0);
    write_retired(UINT64_MAX);
    write_amcntenset0(4);
    const uint64_t first = read_retired();
    write_amcntenclr0(4);
    check("it wraps at 64 bits", first < 8, 1);
    return n_wrong != 0;
}
