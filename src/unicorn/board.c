#include "unicorn/board.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/error.h"
#include "unicorn/firmware.h"
#include "unicorn/limits.h"

#define RAM_ALIGNMENT (UINT64_C(1) << 20)
#define RAM           "--ram 0x%" PRIx64 ":0x%" PRIx64

enum device {
    VIC_IRQSTATUS = 0x000,
    VIC_FIQSTATUS = 0x004,
    VIC_RAWINTR = 0x008,
    VIC_INTSELECT = 0x00c,
    VIC_INTENABLE = 0x010,
    VIC_INTENCLEAR = 0x014,
    VIC_SOFTINT = 0x018,
    VIC_SOFTINTCLEAR = 0x01c,
    DEVICE_CONSOLE = 0x800,
    DEVICE_EXIT = BOARD_EXIT,
};

/* ---- devices ----------------------------------------------------------------------------------
 */

static uint32_t read_console(struct firmware *fw)
{
    unsigned char byte;

    return limits_read(fw, STDIN_FILENO, &byte, 1) == 1 ? byte : UINT32_MAX;
}

/* The library takes devices for little-endian. CHOICE(firmware-order): these have the order of the
 * program's data. */
static uint32_t in_order(const struct firmware *fw, uint64_t value, unsigned size)
{
    return fw->image.big_endian && size <= 4 ? __builtin_bswap32((uint32_t)value) >> (32 - 8 * size)
                                             : (uint32_t)value;
}

static uint32_t device_word(struct firmware *fw, uint64_t offset)
{
    const struct board *const board = fw->board;

    switch ((enum device)(offset & ~UINT64_C(3))) {
    case VIC_IRQSTATUS:
        return board_irqs(board);
    case VIC_FIQSTATUS:
        return board_fiqs(board);
    case VIC_RAWINTR:
        return board->pins | board->software;
    case VIC_INTSELECT:
        return board->fiq;
    case VIC_INTENABLE:
        return board->enable;
    case VIC_SOFTINT:
        return board->software;
    case DEVICE_CONSOLE:
        return read_console(fw);
    case VIC_INTENCLEAR:
    case VIC_SOFTINTCLEAR:
    case DEVICE_EXIT:
        break;
    }
    return 0;
}

static uint64_t read_device(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    struct firmware *const fw = user;

    (void)uc;
    return in_order(fw, device_word(fw, offset), size);
}

void board_print_failed(struct board *board)
{
    if (board->console_cause == 0 && errno != EINTR)
        board->console_cause = errno;
}

void board_print(struct firmware *fw, const void *text, size_t n)
{
    const char *from = text;

    while (n > 0) {
        const ssize_t done = limits_write(fw, STDOUT_FILENO, from, n);
        if (done < 0 && errno == EINTR && fw->request != REQUEST_END)
            continue;
        if (done <= 0) {
            board_print_failed(fw->board);
            return;
        }
        from += done;
        n -= (size_t)done;
    }
}

static void write_device(uc_engine *uc, uint64_t offset, unsigned size, uint64_t written,
                         void *user)
{
    struct firmware *const fw = user;
    struct board *const board = fw->board;
    const uint32_t lines = in_order(fw, written, size);
    const uint8_t byte = (uint8_t)lines;

    (void)uc;
    board->changed = true;
    fw->undisturbed = false;
    switch ((enum device)(offset & ~UINT64_C(3))) {
    case VIC_INTSELECT:
        board->fiq = lines;
        break;
    case VIC_INTENABLE:
        board->enable |= lines;
        break;
    case VIC_INTENCLEAR:
        board->enable &= ~lines;
        break;
    case VIC_SOFTINT:
        board->software |= lines;
        break;
    case VIC_SOFTINTCLEAR:
        board->software &= ~lines;
        break;
    case DEVICE_CONSOLE:
        board_print(fw, &byte, 1);
        break;
    case DEVICE_EXIT:
        board->ended = true;
        board->status = byte;
        break;
    case VIC_IRQSTATUS:
    case VIC_FIQSTATUS:
    case VIC_RAWINTR:
        break;
    }
}

void board_line(struct board *board, enum armpmu_output output, bool asserted)
{
    uint32_t line = 0;

    switch (output) {
    case ARMPMU_OUTPUT_PMUIRQ:
    case ARMPMU_OUTPUT_PMU_REQUEST:
        line = BOARD_LINE_PMU;
        break;
    case ARMPMU_OUTPUT_VALIRQ:
        line = BOARD_LINE_VALIRQ;
        break;
    case ARMPMU_OUTPUT_VALFIQ:
        line = BOARD_LINE_VALFIQ;
        break;
    case ARMPMU_OUTPUT_VALRESET:
        line = BOARD_LINE_VALRESET;
        break;
    case ARMPMU_OUTPUT_VALEDBGRQ:
        line = BOARD_LINE_VALDEBUG;
        break;
    case ARMPMU_OUTPUT_COUNT:
        break;
    }
    board->pins = asserted ? board->pins | line : board->pins & ~line;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

bool board_has(const struct board *board, uint64_t address, uint64_t n_bytes)
{
    uint64_t at = address;

    for (unsigned i = 0; i < board->n_ranges && at < address + n_bytes; i++)
        if (at >= board->ranges[i].first && at < board->ranges[i].end)
            at = board->ranges[i].end;
    return at >= address + n_bytes;
}

/* Keeps the ranges in order, and apart: what touches becomes one. */
static void add_range(struct board *board, uint64_t first, uint64_t end)
{
    unsigned n = 0;
    struct board_range all[BOARD_RANGES_MAX + 1];

    for (unsigned i = 0; i < board->n_ranges; i++) {
        const struct board_range range = board->ranges[i];
        if (range.end < first || range.first > end) {
            all[n++] = range;
            continue;
        }
        first = range.first < first ? range.first : first;
        end = range.end > end ? range.end : end;
    }
    unsigned at = n;
    for (; at > 0 && all[at - 1].first > first; at--)
        all[at] = all[at - 1];
    all[at] = (struct board_range){first, end};
    board->n_ranges = n + 1;
    for (unsigned i = 0; i <= n; i++)
        board->ranges[i] = all[i];
}

static bool meets(uint64_t first, uint64_t n_bytes, uint64_t other, uint64_t n_other)
{
    return first < other + n_other && other < first + n_bytes;
}

static bool is_whole(uint64_t number)
{
    return number % BOARD_PAGE_BYTES == 0;
}

/* Returns whether memory and the program's segment have only a part of each other: a page's rest is
 * no part.
 */
static bool is_cut(const struct engine_firmware_ram *ram, const struct image_segment *segment)
{
    return meets(ram->address, ram->n_bytes, segment->address, segment->n_bytes) &&
           (segment->address < ram->address ||
            segment->address + segment->n_bytes > ram->address + ram->n_bytes);
}

static enum armpmu_status check_ram_alone(const struct firmware *fw,
                                          const struct engine_firmware_ram *ram,
                                          struct armpmu_error *err)
{
    const uint64_t end = fw->processor->address_end, page = BOARD_PAGE_BYTES;

    if (ram->n_bytes == 0)
        return fail(err, ARMPMU_BAD_CONFIG, RAM " has no byte: give it a size, like 256K",
                    ram->address, ram->n_bytes);
    if (ram->address >= end || ram->n_bytes > end - ram->address)
        return fail(err, ARMPMU_BAD_CONFIG,
                    RAM " passes the end of the address space, 0x%" PRIx64
                        ": lower its address or its size",
                    ram->address, ram->n_bytes, end);
    if (is_whole(ram->address) && is_whole(ram->n_bytes))
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                RAM " is not whole pages of 0x%" PRIx64 " bytes: write --ram 0x%" PRIx64
                    ":0x%" PRIx64,
                ram->address, ram->n_bytes, page, ram->address / page * page,
                (ram->address % page + ram->n_bytes + page - 1) / page * page);
}

/* CHOICE(firmware-memory): memory beside the program, or around it. */
static enum armpmu_status check_ram_in_place(const struct firmware *fw, unsigned number,
                                             struct armpmu_error *err)
{
    const struct firmware_setup *const setup = fw->setup;
    const struct engine_firmware_ram *const ram = &setup->ram[number];

    for (unsigned i = 0; i < number; i++)
        if (meets(ram->address, ram->n_bytes, setup->ram[i].address, setup->ram[i].n_bytes))
            return fail(err, ARMPMU_BAD_CONFIG,
                        RAM " overlaps --ram 0x%" PRIx64 ":0x%" PRIx64
                            ": leave one out, or separate them",
                        ram->address, ram->n_bytes, setup->ram[i].address, setup->ram[i].n_bytes);
    if (meets(ram->address, ram->n_bytes, fw->board->devices, BOARD_DEVICE_BYTES))
        return fail(err, ARMPMU_BAD_CONFIG,
                    RAM " overlaps the devices at 0x%" PRIx64 ": move them with --devices",
                    ram->address, ram->n_bytes, fw->board->devices);
    if (setup->frame != 0 && meets(ram->address, ram->n_bytes, setup->frame, BOARD_PAGE_BYTES))
        return fail(err, ARMPMU_BAD_CONFIG,
                    RAM " overlaps the monitors' view at 0x%" PRIx64 ": move it with --frame",
                    ram->address, ram->n_bytes, setup->frame);
    for (unsigned i = 0; i < fw->image.n_segments; i++) {
        const struct image_segment *const segment = &fw->image.segments[i];
        if (is_cut(ram, segment))
            return fail(err, ARMPMU_BAD_CONFIG,
                        RAM " has only a part of the program's 0x%" PRIx64 " bytes at 0x%" PRIx64
                            ": make it hold them all, or begin after them",
                        ram->address, ram->n_bytes, segment->n_bytes, segment->address);
    }
    return ARMPMU_OK;
}

static enum armpmu_status check_ram(const struct firmware *fw, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (unsigned i = 0; i < fw->setup->n_ram && status == ARMPMU_OK; i++)
        status = check_ram_alone(fw, &fw->setup->ram[i], err);
    for (unsigned i = 0; i < fw->setup->n_ram && status == ARMPMU_OK; i++)
        status = check_ram_in_place(fw, i, err);
    return status;
}

static enum armpmu_status add_memory(struct firmware *fw, uint64_t first, uint64_t n_bytes,
                                     struct armpmu_error *err)
{
    struct board *const board = fw->board;
    const uint64_t page = BOARD_PAGE_BYTES;

    if (first > fw->processor->address_end || n_bytes > fw->processor->address_end - first)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "memory of 0x%" PRIx64 " bytes at 0x%" PRIx64
                    " passes the end of the address space",
                    n_bytes, first);
    if (board->n_ranges == BOARD_RANGES_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "memory in more than %u places", BOARD_RANGES_MAX);
    add_range(board, first / page * page, (first + n_bytes + page - 1) / page * page);
    return ARMPMU_OK;
}

/* CHOICE(firmware-memory): where the job says, or around the lowest segment; then the stack is at
 * its end. */
static enum armpmu_status add_ram(struct firmware *fw, struct armpmu_error *err)
{
    const struct firmware_setup *const setup = fw->setup;
    struct engine_firmware_ram ram = {.n_bytes = BOARD_RAM_BYTES, .address = UINT64_MAX};
    enum armpmu_status status = ARMPMU_OK;

    for (unsigned i = 0; i < fw->image.n_segments; i++)
        if (fw->image.segments[i].address < ram.address)
            ram.address = fw->image.segments[i].address;
    ram.address -= ram.address % RAM_ALIGNMENT;
    if (ram.address + ram.n_bytes > fw->processor->address_end)
        ram.n_bytes = fw->processor->address_end - ram.address;
    if (setup->n_ram > 0)
        ram = setup->ram[0];
    fw->board->ram_first = ram.address;
    fw->board->ram_end = ram.address + ram.n_bytes;
    if (setup->n_ram == 0)
        status = add_memory(fw, ram.address, ram.n_bytes, err);
    if (setup->n_ram == 0 && status == ARMPMU_OK && !fw->core->security && fw->a64 == NULL)
        status = add_memory(fw, 0, BOARD_PAGE_BYTES, err);
    for (unsigned i = 0; i < setup->n_ram && status == ARMPMU_OK; i++)
        status = add_memory(fw, setup->ram[i].address, setup->ram[i].n_bytes, err);
    return status;
}

/* A page of devices stays out of memory; option: what moves it. */
static enum armpmu_status keep_free(struct firmware *fw, uint64_t first, const char *option,
                                    struct armpmu_error *err)
{
    struct board *const board = fw->board;
    const uint64_t end = first + BOARD_DEVICE_BYTES;

    if (first >= fw->processor->address_end || end > fw->processor->address_end)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s 0x%" PRIx64 " is past the end of the address space, 0x%" PRIx64, option,
                    first, fw->processor->address_end);
    for (unsigned i = 0; i < fw->image.n_segments; i++) {
        const struct image_segment *const segment = &fw->image.segments[i];
        if (segment->address < end && segment->address + segment->n_bytes > first)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "the program loads to 0x%08" PRIx64 ", where the devices are: move them "
                        "with %s",
                        segment->address, option);
    }
    for (unsigned i = 0; i < board->n_ranges; i++) {
        struct board_range *const range = &board->ranges[i];
        const struct board_range after = {end, range->end};
        if (range->end <= first || range->first >= end)
            continue;
        range->end = first;
        if (after.first < after.end && board->n_ranges < BOARD_RANGES_MAX)
            board->ranges[board->n_ranges++] = after;
    }
    return ARMPMU_OK;
}

static enum armpmu_status map(struct firmware *fw, struct armpmu_error *err)
{
    const struct board *const board = fw->board;
    uint64_t n_bytes = 0;
    uc_err error = UC_ERR_OK;

    for (unsigned i = 0; i < board->n_ranges; i++)
        n_bytes += board->ranges[i].end - board->ranges[i].first;
    if (n_bytes > IMAGE_BYTES_MAX)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "program and memory take %" PRIu64 " bytes; firmware may have %" PRIu64,
                    n_bytes, IMAGE_BYTES_MAX);
    if (library_reserve(n_bytes, "firmware's memory", err) != ARMPMU_OK)
        return ARMPMU_NO_MEMORY;
    for (unsigned i = 0; i < board->n_ranges && error == UC_ERR_OK; i++) {
        const struct board_range *const range = &board->ranges[i];
        if (range->end > range->first)
            error = fw->lib->mem_map(fw->uc, range->first, range->end - range->first, UC_PROT_ALL);
    }
    if (error == UC_ERR_OK)
        error = fw->lib->mmio_map(fw->uc, board->devices, BOARD_DEVICE_BYTES, read_device, fw,
                                  write_device, fw);
    if (error == UC_ERR_OK)
        error = stub_map(fw);
    for (unsigned i = 0; i < fw->image.n_segments && error == UC_ERR_OK; i++)
        error = fw->lib->mem_write(fw->uc, fw->image.segments[i].address,
                                   fw->image.segments[i].bytes, fw->image.segments[i].n_file_bytes);
    if (error != UC_ERR_OK)
        return fail(err, ARMPMU_BAD_CONFIG, "the Unicorn library cannot map the memory: %s",
                    fw->lib->strerror(error));
    return ARMPMU_OK;
}

enum armpmu_status board_set_up(struct firmware *fw, struct armpmu_error *err)
{
    struct board *const board = fw->board;

    board->devices = fw->setup->devices != 0 ? fw->setup->devices : BOARD_DEVICES;
    enum armpmu_status status = check_ram(fw, err);
    if (status == ARMPMU_OK)
        status = add_ram(fw, err);
    for (unsigned i = 0; i < fw->image.n_segments && status == ARMPMU_OK; i++)
        status = add_memory(fw, fw->image.segments[i].address, fw->image.segments[i].n_bytes, err);
    if (status == ARMPMU_OK)
        status = keep_free(fw, board->devices, "--devices", err);
    if (status == ARMPMU_OK)
        status = stub_set_up(fw, err);
    for (unsigned i = 0; i < board->n_stub_pages && status == ARMPMU_OK; i++)
        status = keep_free(fw, board->stub_pages[i].address, "another [stub]", err);
    if (status == ARMPMU_OK && fw->setup->frame != 0)
        status = keep_free(fw, fw->setup->frame, "--frame", err);
    return status == ARMPMU_OK ? map(fw, err) : status;
}
