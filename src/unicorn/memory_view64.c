/* The memory-mapped view of the activity monitors: a page whose loads the device answers.
 *
 * A load must find everything before it counted, in the middle of a block of the library. The
 * executing code block is therefore split there: the part before it runs through the model, and the
 * load begins another code block. A load that the view does not answer reads zero: no abort
 * follows. Stores change nothing, the view is read-only. */
#include "unicorn/aarch64.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/trace_writer.h"

/* The records of instruction `index` at the end. */
static void drop_words(struct firmware *fw, unsigned index)
{
    while (fw->n > fw->block_at + 1) {
        const bool pair = armpmu_record_kind(fw->records[fw->n - 1]) == ARMPMU_RECORD_BYTES;
        if (armpmu_record_index(fw->records[fw->n - (pair ? 2 : 1)]) != index)
            return;
        fw->n -= pair ? 2 : 1;
    }
}

/* The open access is the first of the executing code block from now on. */
static bool part(struct firmware *fw)
{
    const struct code_block *const code_block = fw->code_block;
    const unsigned index = firmware_block(code_block)->slots[fw->slot].index, open = fw->slot_bytes;
    const uint64_t began = fw->slot_address;
    const struct code_block *const front = code_blocks_part(fw, code_block, 0, index);
    const struct code_block *const rest =
        code_blocks_part(fw, code_block, index, code_block->n_insns);

    if (front == NULL || rest == NULL)
        return false;
    drop_words(fw, index);
    fw->insns -= code_block->n_insns - index;
    fw->records[fw->block_at] = front->record;
    fw->code_block = front;
    trace_writer_arrive(fw, rest->address, processor_status(fw));
    trace_writer_enter(fw, rest);
    fw->slot_bytes = open;
    fw->slot_address = began;
    return true;
}

static struct armpmu *amu_of(const struct firmware *fw)
{
    const struct armpmu_register *reg;

    return monitors_with(&fw->monitors, "AMCFGR", &reg);
}

static uint64_t read_frame(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    struct firmware *const fw = user;
    uint64_t value = 0;

    (void)uc;
    if (fw->code_block == NULL || fw->slot >= firmware_block(fw->code_block)->n_slots || !part(fw))
        return 0;
    fw->records[fw->n++] = armpmu_record(ARMPMU_RECORD_DEVICE, 0) | (fw->setup->frame + offset);
    (void)armpmu_load(amu_of(fw), (uint32_t)offset, size, &value);
    return value;
}

static void write_frame(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    struct firmware *const fw = user;

    (void)uc;
    (void)armpmu_store(amu_of(fw), (uint32_t)offset, size, value);
}

bool frame64_map(struct firmware *fw)
{
    return fw->lib->mmio_map(fw->uc, fw->setup->frame, BOARD_PAGE_BYTES, read_frame, fw,
                             write_frame, fw) == UC_ERR_OK;
}
