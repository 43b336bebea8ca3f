/* An error in the Cortex-R4F's data cache: the read that meets it is counted, interrupts by nVALIRQ
 * and leaves its place in the CFLR. Run with
 * 'armpmu run --machine cortex-r4f --inject dcache-data-ecc@0x801240'.
 * Source: ARM DDI 0363G, Correctable Fault Location Register. */
#include "armv7_monitor.h"

COPROCESSOR_REGISTER(valirqens, "p15, 0, %0, c15, c1, 0")
COPROCESSOR_REGISTER(sctlr, "p15, 0, %0, c1, c0, 0")
COPROCESSOR_REGISTER(cflr, "p15, 0, %0, c15, c3, 0")

#define SCTLR_C        4u
#define EVENT_DATA_ECC 0x4d
#define WORD           (*(volatile uint32_t *)0x00801240) /* beside heap and stack */
#define OTHER_LINE     (*(volatile uint32_t *)0x00801280)

#define CFLR_TYPE      3u
#define CFLR_TYPE_DATA 1u /* a load or a store met it */
#define CFLR_INDEX     0x3fe0u
#define CFLR_SIDE      0x03000000u

static uint32_t interrupts, cflr;

void on_interrupt(uint32_t address)
{
    (void)address;
    interrupts++;
    cflr = read_cflr();
    write_flag(1);
}

int main(void)
{
    install_vectors();
    write_sctlr(read_sctlr() | SCTLR_C);
    VIC_INTENABLE = LINE_VALIRQ;
    monitor_reset();
    write_cflr(0);
    counter_set_up(0, EVENT_DATA_ECC, -1u);
    counter_set_up(1, EVENT_DATA_ECC, 0);
    write_valirqens(1);
    write_pmnc(PMNC_E);
    unmask_interrupts();
    (void)WORD;
    check("errors while the line is not in the cache", counter_read(1), 0);
    (void)OTHER_LINE;
    (void)OTHER_LINE;
    check("errors of another line", counter_read(1), 0);
    (void)WORD;
    check("nVALIRQ at the read that meets the error", interrupts, 1);
    check("errors", counter_read(1), 1);
    check("CFLR: met by a load or store", cflr & CFLR_TYPE, CFLR_TYPE_DATA);
    check("CFLR: in a cache", cflr & CFLR_SIDE, 0);
    check("CFLR: index", cflr & CFLR_INDEX, 0x00801240 & CFLR_INDEX);
    (void)WORD;
    (void)WORD;
    mask_interrupts();
    check("errors once it is put right", counter_read(1), 1);
    check("interrupts", interrupts, 1);
    return n_wrong != 0;
}
