/* A driver for the monitor of the XScale, both generations: CP14.
 * Source: Intel 273473-002, Performance Monitoring; Intel 278796-002 for four counters. */
#include "firmware.h"

#define PERIOD            500u
#define EVENT_INSTRUCTION 0x07u
#define EVENT_BRANCH      0x05u

#if GENERATION == 1
COPROCESSOR_REGISTER(pmnc, "p14, 0, %0, c0, c0, 0")
COPROCESSOR_REGISTER(ccnt, "p14, 0, %0, c1, c0, 0")
COPROCESSOR_REGISTER(pmn0, "p14, 0, %0, c2, c0, 0")
COPROCESSOR_REGISTER(pmn1, "p14, 0, %0, c3, c0, 0")

#define SELECT (EVENT_INSTRUCTION << 12 | EVENT_BRANCH << 20)

static void start(uint32_t interrupts)
{
    write_pmnc(1 | (interrupts ? 0x10 : 0) | SELECT);
}

/* Flags are bits 10 to 8, written as ones to clear. */
static uint32_t take_flags(void)
{
    const uint32_t flags = read_pmnc() & 0x700;

    write_pmnc((read_pmnc() & ~0x700u) | flags);
    return flags >> 8;
}
#else
COPROCESSOR_REGISTER(pmnc, "p14, 0, %0, c0, c1, 0")
COPROCESSOR_REGISTER(ccnt, "p14, 0, %0, c1, c1, 0")
COPROCESSOR_REGISTER(inten, "p14, 0, %0, c4, c1, 0")
COPROCESSOR_REGISTER(flag, "p14, 0, %0, c5, c1, 0")
COPROCESSOR_REGISTER(evtsel, "p14, 0, %0, c8, c1, 0")
COPROCESSOR_REGISTER(pmn0, "p14, 0, %0, c0, c2, 0")
COPROCESSOR_REGISTER(pmn1, "p14, 0, %0, c1, c2, 0")

static void start(uint32_t interrupts)
{
    write_evtsel(EVENT_INSTRUCTION | EVENT_BRANCH << 8 | 0xffff0000);
    write_inten(interrupts ? 2 : 0);
    write_pmnc(1);
}

static uint32_t take_flags(void)
{
    const uint32_t flags = read_flag();

    write_flag(flags);
    return flags >> 1;
}
#endif

static uint32_t samples, flags;

void on_interrupt(uint32_t address)
{
    (void)address;
    samples++;
    flags |= take_flags();
    write_pmn0(-PERIOD);
}

__attribute__((naked, aligned(32))) static void work(void)
{
    __asm__("ldr r0, =10000\n"
            "1: subs r0, r0, #1\n"
            "bne 1b\n"
            "bx lr\n"
            ".ltorg");
}

int main(void)
{
    write_pmnc(6); /* counters to zero */
    start(0);
    work();
    write_pmnc(0);
    const uint32_t instructions = read_pmn0(), branches = read_pmn1();
    check("10000 turns are 20002 instructions and a few around", instructions - 20002 < 10, 1);
    check("B and BL of 10000 turns and the call", branches - 10000 < 3, 1);

    install_vectors();
    VIC_INTENABLE = LINE_PMU;
    write_pmnc(6);
    write_pmn0(-PERIOD);
    start(1);
    unmask_interrupts();
    work();
    mask_interrupts();
    write_pmnc(0);
    /* The handler's instructions count, too: some twenty in each period. */
    printf("   %lu samples of 20002 instructions at every 500th\n", (unsigned long)samples);
    check("samples", samples - 40 < 4, 1);
    check("all of counter 0", flags & 3, 1);
    return n_wrong != 0;
}
