/* Registers of a board's devices that a machine file gives in [stub]: what firmware reads while it
 * waits for a clock or a status bit. Their pages are devices to the core's model.
 *
 * Leaves out: writes, which change nothing; all other registers of their pages, which read as 0. */
#include <inttypes.h>

#include "base/error.h"
#include "unicorn/board.h"
#include "unicorn/firmware.h"

static struct board_stub *find(struct board *board, uint64_t address)
{
    for (unsigned i = 0; i < board->n_stubs; i++)
        if (board->stubs[i].address == (address & ~UINT64_C(3)))
            return &board->stubs[i];
    return NULL;
}

/* A register that toggles reads as 0, all ones, 0, ... */
static uint32_t next_value(struct board_stub *stub)
{
    const uint32_t value = stub->value;

    if (stub->toggles)
        stub->value = ~value;
    return value;
}

static uint64_t read_stub(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    struct board_stub_page *const page = user;
    struct board_stub *const stub = find(page->fw->board, page->address + offset);
    const uint32_t value = stub != NULL ? next_value(stub) : 0;
    const uint32_t ordered = page->fw->image.big_endian ? __builtin_bswap32(value) : value;

    (void)uc;
    return size < 4 ? ordered >> 8 * (offset & 3) & ((1u << 8 * size) - 1) : ordered;
}

static void write_stub(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    (void)uc, (void)offset, (void)size, (void)value, (void)user;
}

static void add_page(struct firmware *fw, uint64_t address)
{
    struct board *const board = fw->board;
    const uint64_t page = address - address % BOARD_PAGE_BYTES;

    if (!board_is_stub(board, page))
        board->stub_pages[board->n_stub_pages++] = (struct board_stub_page){fw, page};
}

enum armpmu_status stub_set_up(struct firmware *fw, struct armpmu_error *err)
{
    const struct armpmu_machine *const machine = fw->run->machine;
    struct board *const board = fw->board;

    for (unsigned i = 0; i < armpmu_machine_stubs(machine); i++) {
        struct armpmu_machine_stub stub;
        armpmu_machine_stub_at(machine, i, &stub);
        board->stubs[board->n_stubs++] =
            (struct board_stub){stub.address, stub.value, stub.toggles};
        if (stub.address - board->devices < BOARD_DEVICE_BYTES)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "machine %s: [stub] 0x%08" PRIx64
                        " overlaps the devices: move those with --devices",
                        armpmu_machine_name(machine), stub.address);
        add_page(fw, stub.address);
    }
    return ARMPMU_OK;
}

uc_err stub_map(struct firmware *fw)
{
    struct board *const board = fw->board;
    uc_err error = UC_ERR_OK;

    for (unsigned i = 0; i < board->n_stub_pages && error == UC_ERR_OK; i++)
        error = fw->lib->mmio_map(fw->uc, board->stub_pages[i].address, BOARD_PAGE_BYTES, read_stub,
                                  &board->stub_pages[i], write_stub, &board->stub_pages[i]);
    return error;
}
