/* The board around the processor: memory, a console, an interrupt controller, an exit.
 *
 * The devices are words in one page, at BOARD_DEVICES unless told otherwise. The first half is an
 * interrupt controller, as a PrimeCell VIC (PL190) without its vectors:
 *
 *   0x000 IRQSTATUS       read: the lines that ask for IRQ
 *   0x004 FIQSTATUS       read: the lines that ask for FIQ
 *   0x008 RAWINTR         read: the lines that are asserted
 *   0x00c INTSELECT       lines that raise FIQ and not IRQ
 *   0x010 INTENABLE       lines that may interrupt; write: ones enable
 *   0x014 INTENCLEAR      write: ones disable
 *   0x018 SOFTINT         lines asserted by software; write: ones assert
 *   0x01c SOFTINTCLEAR    write: ones no longer assert
 *
 *   0x800 CONSOLE         write: a byte goes out; read: the next byte, all ones at the end
 *   0x804 EXIT            write: the program ends with this status
 *
 * Lines are levels: BOARD_LINE_PMU follows the monitor's interrupt pin.
 * Source: Arm DDI 0181, PrimeCell Vectored Interrupt Controller (PL190). */
#ifndef UNICORN_BOARD_H
#define UNICORN_BOARD_H

#include "armpmu/machine.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/status.h"

#define BOARD_DEVICES      0xff000000u
#define BOARD_DEVICE_BYTES 0x1000u
#define BOARD_EXIT         0x804u /* of the devices: the status to end with */
#define BOARD_PAGE_BYTES   0x1000u
#define BOARD_RAM_BYTES    (UINT64_C(64) << 20)
#define BOARD_RANGES_MAX   80u

#define BOARD_LINE_PMU      (1u << 20)
#define BOARD_LINE_VALIRQ   (1u << 21)
#define BOARD_LINE_VALFIQ   (1u << 22)
#define BOARD_LINE_VALRESET (1u << 23)
#define BOARD_LINE_VALDEBUG (1u << 24)

/* Mapped memory: whole pages, in order of address. */
struct board_range {
    uint64_t first, end;
};

/* A register of the machine's [stub]. */
struct board_stub {
    uint64_t address;
    uint32_t value; /* the next read's */
    bool toggles;
};

struct board_stub_page {
    struct firmware *fw;
    uint64_t address;
};

struct firmware;

struct board {
    uint64_t devices;
    uint32_t pins, software, enable, fiq; /* lines */
    bool changed; /* a device was written: interrupts may come, or the program may end */
    bool ended;
    int status;
    struct board_range ranges[BOARD_RANGES_MAX];
    unsigned n_ranges;
    uint64_t ram_first, ram_end;
    struct board_stub stubs[ARMPMU_MACHINE_STUBS_MAX];
    unsigned n_stubs;
    struct board_stub_page stub_pages[ARMPMU_MACHINE_STUBS_MAX];
    unsigned n_stub_pages;
    int console_cause; /* why text on the console was lost, as errno has it; 0 */
};

/* Maps memory and devices and loads the program. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (overlapping
 * or too much memory) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status board_set_up(struct firmware *fw, struct armpmu_error *err);

static inline bool board_is_stub(const struct board *board, uint64_t address)
{
    for (unsigned i = 0; i < board->n_stub_pages; i++)
        if (address - board->stub_pages[i].address < BOARD_PAGE_BYTES)
            return true;
    return false;
}

static inline bool board_is_device(const struct board *board, uint64_t address)
{
    return address - board->devices < BOARD_DEVICE_BYTES || board_is_stub(board, address);
}

/* Prints on standard output. The first error is kept, and the program continues, as it would
 * with a cable that is not plugged in. */
void board_print(struct firmware *fw, const void *text, size_t n);

/* A write to a standard stream failed; errno says why. */
void board_print_failed(struct board *board);

/* Returns whether all bytes are memory. */
bool board_has(const struct board *board, uint64_t address, uint64_t n_bytes);

/* A line that the monitor drives has changed. */
void board_line(struct board *board, enum armpmu_output output, bool asserted);

static inline uint32_t board_irqs(const struct board *board)
{
    return (board->pins | board->software) & board->enable & ~board->fiq;
}

static inline uint32_t board_fiqs(const struct board *board)
{
    return (board->pins | board->software) & board->enable & board->fiq;
}

#endif
