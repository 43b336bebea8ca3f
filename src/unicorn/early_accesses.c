/* Accesses whose addresses are known before they happen: their records are written when the code
 * block begins, and the records of accesses that did not happen are removed when an
 * exception truncates it (access_cut). Blocks that execute often are then translated without calls
 * for their accesses. */

#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/early_accesses.h"
#include "unicorn/firmware.h"
#include "unicorn/page_records.h"
#include "unicorn/trace_writer.h"

#define CALL_LIMIT_MAX (1u << 28) /* calls */
#define PLAIN_BYTES    (1u << PAGE_SHIFT)
#define NO_CODE        1u /* of a plain page: stores need no look, either */

/* Knows the registers of an address summary: from the code block before, or from the library. */
static inline void know_registers(struct firmware *fw, const struct address_summary *summary)
{
    if (fw->ran != NULL)
        fw->known = address_summary_leave(fw->ran, fw->values, fw->known);
    fw->ran = NULL;
    if ((summary->reads & ~fw->known) == 0)
        return;
    (void)fw->lib->reg_read_batch(fw->uc, (int *)(uintptr_t)summary->registers,
                                  (void **)(uintptr_t)summary->values_at, summary->n_registers);
    fw->known |= summary->reads;
}

static bool writes_code(const struct firmware *fw, const struct address_summary *summary)
{
    bool writes = false;

    for (unsigned i = 0; summary->writes && i < summary->n; i++) {
        const struct address_summary_access *const access = &summary->accesses[i];
        const uint32_t address = address_summary_value(&access->address, fw->values);
        writes = writes ||
                 (access->write && code_blocks_hold_any(fw->code_blocks, address, access->bytes));
    }
    return writes;
}

/* Returns whether it must be seen when it happens, or something is to be done about it then. */
static bool is_to_be_seen(const struct firmware *fw, const struct address_summary *summary)
{
    bool is = writes_code(fw, summary);

    for (unsigned i = 0; i < summary->n; i++) {
        const struct address_summary_access *const access = &summary->accesses[i];
        is = is || unaligned_matters(fw, address_summary_value(&access->address, fw->values),
                                     access->align, access->faults);
    }
    return is;
}

/* Writes the record of an access. Whether its pages are known. */
static bool tell(struct firmware *fw, const struct address_summary_access *access)
{
    const uint32_t address = address_summary_value(&access->address, fw->values);
    uint64_t *const end = &fw->records[fw->n];

    if (board_is_device(fw->board, address)) {
        end[0] = armpmu_record(ARMPMU_RECORD_DEVICE, access->insn) | address;
        fw->n++;
        return true;
    }
    end[0] = access->word | address;
    end[1] = access->bytes;
    fw->n += 1u + access->multiple;
    return page_records_have(fw->pages, address, access->span);
}

/* The records of all accesses of the code block that begins. */
static void tell_early(struct firmware *fw, const struct code_block *code_block,
                       const struct address_summary *summary)
{
    bool known = page_records_have(fw->pages, (uint32_t)code_block->address, code_block->n_bytes);

    for (unsigned i = 0; i < summary->n; i++)
        known &= tell(fw, &summary->accesses[i]);
    fw->pages_known = known;
    fw->known_early = summary->n > 0;
    fw->ran = summary;
}

/* Its reads still call the hook often: the library is to translate it without. Then only the few
 * that its TLB does not know still call. Writes always call. */
static bool is_to_be_plain(struct tb *tb)
{
    const bool calls_often = tb->calls > tb->runs / 2;

    if (tb->calls < tb->call_limit || tb->first->n_bytes != tb->n_bytes)
        return false;
    tb->runs = tb->calls = 0;
    if (calls_often)
        tb->call_limit *= tb->call_limit < CALL_LIMIT_MAX ? 4 : 1;
    return calls_often;
}

/* Writing where code is changes what executes: then each access is looked at when it happens, after
 * another translation. */
void early_accesses_enter(struct firmware *fw, struct tb *tb)
{
    const struct address_summary *const summary = firmware_block(tb->first)->summary;

    know_registers(fw, summary);
    tb->changes_code = is_to_be_seen(fw, summary);
    fw->tb = tb;
    if (tb->changes_code ? tb->plain : is_to_be_plain(tb)) {
        firmware_request(fw, REQUEST_TRANSLATE);
        return;
    }
    trace_writer_enter(fw, tb->first);
    tb->runs++;
    if (tb->changes_code)
        fw->known = 0;
    else
        tell_early(fw, tb->first, summary);
}

/* ---- plain pages ------------------------------------------------------------------------------
 *
 * An access to memory in a page whose record is written, or that needs none, is one record and no
 * question: plain_pages[page] is fw->epoch then, with NO_CODE where the page holds no code. */

static void learn_page(struct firmware *fw, uint32_t page)
{
    const uint64_t first = (uint64_t)page << PAGE_SHIFT, end = first + PLAIN_BYTES;
    bool is_device = first < fw->board->devices + BOARD_DEVICE_BYTES && end > fw->board->devices;

    for (unsigned i = 0; i < fw->board->n_stub_pages; i++)
        is_device |= first < fw->board->stub_pages[i].address + BOARD_PAGE_BYTES &&
                     end > fw->board->stub_pages[i].address;
    if (!is_device)
        fw->plain_pages[page] =
            fw->epoch | (code_blocks_hold_in_page(fw->code_blocks, page) ? 0 : NO_CODE);
}

/* For a code block whose pages are all known. */
static void learn_pages(struct firmware *fw, struct tb *tb, const struct address_summary *summary)
{
    tb->epoch = fw->epoch;
    for (unsigned i = 0; i < summary->n; i++)
        learn_page(fw,
                   address_summary_value(&summary->accesses[i].address, fw->values) >> PAGE_SHIFT);
}

/* Writes the records of accesses after that of the code block. Returns their end, NULL if there is
 * more to say of one. */
static inline uint64_t *tell_plain(struct firmware *fw, const struct address_summary *summary)
{
    uint64_t *end = &fw->records[fw->n + 1];
    const uint32_t plain = fw->epoch | NO_CODE;
    bool all = true;

    for (unsigned i = 0; i < summary->n; i++) {
        const struct address_summary_access *const access = &summary->accesses[i];
        const uint32_t address = address_summary_value(&access->address, fw->values);
        const uint32_t page = fw->plain_pages[address >> PAGE_SHIFT] | !access->write;
        all &= (page == plain) & (address % PLAIN_BYTES + access->span <= PLAIN_BYTES) &
               ((address & (access->align - 1u)) == 0);
        end[0] = access->word | address;
        end[1] = access->bytes;
        end += 1u + access->multiple;
    }
    return all ? end : NULL;
}

static inline void begin(struct firmware *fw, struct tb *tb)
{
    if (fw->has_tasks)
        trace_writer_note_stack(fw, tb->first);
    trace_writer_begin(fw, tb->first);
    fw->state_known = firmware_block(tb->first)->keeps_state;
    fw->tb = tb;
    tb->runs++;
}

static __attribute__((noinline)) bool go_on_looking(struct firmware *fw, struct tb *tb,
                                                    const struct address_summary *summary)
{
    if (is_to_be_seen(fw, summary))
        return false;
    begin(fw, tb);
    tell_early(fw, tb->first, summary);
    if (fw->pages_known)
        learn_pages(fw, tb, summary);
    return true;
}

static __attribute__((noinline)) bool go_on(struct firmware *fw, struct tb *tb)
{
    const struct address_summary *const summary = firmware_block(tb->first)->summary;

    know_registers(fw, summary);
    if (!fw->pages_known || fw->unfinished)
        trace_writer_finish(fw);
    if (fw->has_tasks)
        trace_writer_leave_task(fw, tb->first->address);
    const uint64_t *const end = tell_plain(fw, summary);
    if (end == NULL || tb->epoch != fw->epoch)
        return go_on_looking(fw, tb, summary);
    begin(fw, tb);
    fw->n = (size_t)(end - fw->records);
    fw->pages_known = true;
    fw->known_early = summary->n > 0;
    fw->ran = summary;
    return true;
}

/* Returns whether it is the tb that has just executed, and begins with all that it is known to end
 * with. */
static inline bool is_again(const struct firmware *fw, const struct tb *tb, uint64_t address,
                            uint32_t n_bytes)
{
    return fw->ran != NULL && tb->address == address && tb->n_bytes == n_bytes &&
           fw->ran->repeats && fw->state_known && fw->pages_known && fw->stack_effect == 0;
}

/* The next round of a loop of one tb: only its records are new. */
static inline bool repeat(struct firmware *fw, struct tb *tb)
{
    const struct address_summary *const summary = fw->ran;

    fw->known = address_summary_leave(summary, fw->values, fw->known);
    const uint64_t *const end = tell_plain(fw, summary);
    if (end == NULL || tb->epoch != fw->epoch) {
        fw->ran = NULL;
        return go_on_looking(fw, tb, summary);
    }
    fw->block_at = fw->n;
    fw->records[fw->n] = tb->first->record;
    fw->first_access = fw->n + 1;
    fw->n = (size_t)(end - fw->records);
    fw->insns += tb->first->n_insns;
    tb->runs++;
    return true;
}

/* False for blocks that are not like most: nothing has happened then, except that what is known of
 * the one before has come to its end. */
static inline bool next(struct firmware *fw, uint64_t address, uint32_t n_bytes)
{
    struct tb *tb = fw->tb;

    if (!fw->undisturbed || fw->n >= fw->limit || fw->insns >= fw->max_insns)
        return false;
    if (is_again(fw, tb, address, n_bytes) && tb->calls < tb->call_limit)
        return repeat(fw, tb);
    if (!fw->state_known)
        firmware_read_state(fw);
    tb = firmware_cached_tb(fw, address, n_bytes, fw->state);
    return tb != NULL && tb->first != NULL && early_accesses_can(fw, tb) &&
           tb->calls < tb->call_limit && fw->undisturbed && go_on(fw, tb);
}

void early_accesses_on_block(uc_engine *uc, uint64_t address, uint32_t n_bytes, void *user)
{
    struct firmware *const fw = user;

    (void)uc;
    fw->block_end = address + n_bytes;
    if (!next(fw, address, n_bytes))
        firmware_enter_block(fw, address, n_bytes);
}

/* Translates fw->tb, which is about to execute, again. The library translates reads so that they
 * call hooks if there are any at that time; it forgets a hook when it is started, and this start
 * ends before the first instruction. */
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
