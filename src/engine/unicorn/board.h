/* What stands around the processor: memory, a console, an interrupt controller, a way out.
 *
 * The devices are words in one page, at BOARD_DEVICES unless told otherwise (docs/firmware.md):
 *
 *   0x000 CONSOLE   write: a byte goes out; read: the next byte, all ones at the end
 *   0x004 EXIT      write: the program ends with this status
 *   0x100 LINES     read: the lines that are asserted
 *   0x104 ENABLE    the lines that may interrupt
 *   0x108 FIQ       those of them that raise FIQ and not IRQ
 *   0x10c SOFTWARE  lines asserted by software
 *   0x110 IRQ       read: the lines that ask for IRQ now
 *   0x114 FIQS      read: the lines that ask for FIQ now
 *
 * Lines are levels: BOARD_LINE_PMU follows the monitor's interrupt pin. */
#ifndef ENGINE_UNICORN_BOARD_H
#define ENGINE_UNICORN_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/status.h"

#define BOARD_DEVICES      0xff000000u
#define BOARD_DEVICE_BYTES 0x1000u
#define BOARD_PAGE_BYTES   0x1000u
#define BOARD_RAM_BYTES    (UINT64_C(64) << 20)
#define BOARD_RANGES_MAX   80u

#define BOARD_LINE_PMU      (1u << 0)
#define BOARD_LINE_VALIRQ   (1u << 1)
#define BOARD_LINE_VALFIQ   (1u << 2)
#define BOARD_LINE_VALRESET (1u << 3)
#define BOARD_LINE_VALDEBUG (1u << 4)
#define BOARD_LINES_SOFT    0xffff0000u

/* Mapped memory: whole pages, in order of address. */
struct board_range {
    uint64_t first, end;
};

struct board {
    uint32_t devices;
    uint32_t pins, software, enable, fiq; /* lines */
    bool changed; /* a device was written: interrupts may come, or the program may end */
    bool ended;
    int status;
    struct board_range ranges[BOARD_RANGES_MAX];
    unsigned n_ranges;
    uint32_t ram_first;
    uint64_t ram_end;
};

struct firmware;

/* Maps memory and devices and loads the program. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (overlapping
 * or too much memory) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status board_set_up(struct firmware *fw, struct armpmu_error *err);

static inline bool board_is_device(const struct board *board, uint32_t address)
{
    return address - board->devices < BOARD_DEVICE_BYTES;
}

/* Whether all bytes are memory. */
bool board_has(const struct board *board, uint32_t address, uint64_t n_bytes);

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
