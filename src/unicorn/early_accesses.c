/* Accesses whose addresses are known before they happen: their records are written when the code
 * block begins, and the records of those that did not happen are removed when an exception cuts it
 * short (access_cut). Blocks that execute often are then translated without calls for their
 * accesses. */
#include "unicorn/firmware.h"

#define PATIENCE_MAX (1u << 28) /* calls */

/* Reads the registers of an address summary. False when it writes where code is. */
static bool work_out(struct firmware *fw, const struct address_summary *summary)
{
    (void)fw->lib->reg_read_batch(fw->uc, (int *)(uintptr_t)summary->registers, fw->value_at + 1,
                                  summary->n_registers);
    for (unsigned i = 0; summary->writes && i < summary->n; i++) {
        const struct address_summary_access *const access = &summary->accesses[i];
        const uint32_t address = address_summary_address(access, fw->values);
        if (access->write && code_blocks_hold_any(&fw->code_blocks, address, access->bytes))
            return false;
    }
    return true;
}

static void tell(struct firmware *fw, const struct address_summary_access *access, uint32_t address,
                 uint32_t n_bytes)
{
    uint64_t *const end = &fw->records[fw->n];

    if (board_is_device(&fw->board, address)) {
        end[0] = armpmu_record(ARMPMU_RECORD_DEVICE, access->insn) | address;
        fw->n++;
        return;
    }
    end[0] = access->word | address;
    end[1] = n_bytes;
    fw->n += 1u + access->multiple;
}

/* The records of all accesses of the current code_block. */
static void tell_early(struct firmware *fw)
{
    const struct address_summary *const summary = firmware_block(fw->code_block)->summary;

    fw->known_early = true;
    for (unsigned i = 0; i < summary->n; i++) {
        const struct address_summary_access *const access = &summary->accesses[i];
        tell(fw, access, address_summary_address(access, fw->values), access->bytes);
    }
}

/* Its reads still call the hook often: the library is to translate it without. Only a few go on
 * calling then, those that its TLB does not know. Writes call always. */
static bool is_to_be_plain(struct tb *tb)
{
    const bool calls_often = tb->calls > tb->runs / 2;

    if (tb->calls < tb->patience || tb->first->n_bytes != tb->n_bytes)
        return false;
    tb->runs = tb->calls = 0;
    if (calls_often)
        tb->patience *= tb->patience < PATIENCE_MAX ? 4 : 1;
    return calls_often;
}

/* Writing where code is changes what executes: then each access is looked at when it happens, after
 * another translation. */
void early_accesses_enter(struct firmware *fw, struct tb *tb)
{
    tb->changes_code = !work_out(fw, firmware_block(tb->first)->summary);
    fw->tb = tb;
    if (tb->changes_code ? tb->plain : is_to_be_plain(tb)) {
        firmware_request(fw, REQUEST_TRANSLATE);
        return;
    }
    trace_writer_enter(fw, tb->first);
    tb->runs++;
    if (!tb->changes_code)
        tell_early(fw);
}

/* Translates fw->tb, at which the program stands, anew. The library translates reads so that
 * they call hooks if there are any at that time; it forgets a hook when it is started, and this
 * start ends before the first instruction. */
void early_accesses_translate(struct firmware *fw)
{
    struct tb *const tb = fw->tb;
    const uint64_t first = tb->address, end = first + tb->n_bytes;
    uc_tb translation;

    tb->plain = !tb->changes_code;
    if (tb->plain) {
        (void)fw->lib->hook_del(fw->uc, fw->access_hook);
        fw->request = REQUEST_TRANSLATE;
        (void)firmware_execute(fw);
        fw->request = REQUEST_NONE;
    }
    (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), first, end);
    if (tb->plain) {
        (void)fw->lib->ctl(fw->uc, LIBRARY_BOTH(UC_CTL_TB_REQUEST_CACHE, 2), first, &translation);
        if (!access_add_hook(fw))
            firmware_stop(fw, ENGINE_FIRMWARE_FAULT, "the Unicorn library cannot watch accesses");
    }
}
