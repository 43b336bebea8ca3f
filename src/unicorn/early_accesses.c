/* Accesses whose addresses are known before they happen: their records are written when the piece
 * begins, and those of what did not happen are taken back when an exception cuts it short
 * (access_cut). Nothing has to call for them then: the library translates blocks that execute often
 * without. */
#include "unicorn/firmware.h"

#define PATIENCE_MAX (1u << 28) /* calls */

/* Reads the registers of a forecast. False when it writes where code is. */
static bool foresee(struct firmware *fw, const struct forecast *forecast)
{
    (void)fw->lib->reg_read_batch(fw->uc, (int *)(uintptr_t)forecast->registers, fw->value_at + 1,
                                  forecast->n_registers);
    for (unsigned i = 0; forecast->writes && i < forecast->n; i++) {
        const struct forecast_access *const access = &forecast->accesses[i];
        const uint32_t address = forecast_address(access, fw->values);
        if (access->write && pieces_hold_any(&fw->pieces, address, access->bytes))
            return false;
    }
    return true;
}

static void tell(struct firmware *fw, const struct forecast_access *access, uint32_t address,
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

/* The records of all accesses of the current piece. */
static void foretell(struct firmware *fw)
{
    const struct forecast *const forecast = fw->piece->forecast;

    fw->foretold = true;
    for (unsigned i = 0; i < forecast->n; i++) {
        const struct forecast_access *const access = &forecast->accesses[i];
        tell(fw, access, forecast_address(access, fw->values), access->bytes);
    }
}

/* Its reads still call the hook often: the library is to translate it without. Only a few go on
 * calling then, those that its TLB does not know. Writes call always. */
static bool is_to_be_plain(struct stretch *stretch)
{
    const bool calls_often = stretch->calls > stretch->runs / 2;

    if (stretch->calls < stretch->patience || stretch->first->n_bytes != stretch->n_bytes)
        return false;
    stretch->runs = stretch->calls = 0;
    if (calls_often)
        stretch->patience *= stretch->patience < PATIENCE_MAX ? 4 : 1;
    return calls_often;
}

/* Writing where code is changes what executes: then each access is looked at when it happens, after
 * another translation. */
void foretell_enter(struct firmware *fw, struct stretch *stretch)
{
    stretch->changes_code = !foresee(fw, stretch->first->forecast);
    fw->stretch = stretch;
    if (stretch->changes_code ? stretch->plain : is_to_be_plain(stretch)) {
        firmware_request(fw, REQUEST_TRANSLATE);
        return;
    }
    stream_enter(fw, stretch->first);
    stretch->runs++;
    if (!stretch->changes_code)
        foretell(fw);
}

/* Translates fw->stretch, at which the program stands, anew. The library translates reads so that
 * they call hooks if there are any at that time; it forgets a hook when it is started, and this
 * start ends in front of the first instruction. */
void foretell_translate(struct firmware *fw)
{
    struct stretch *const stretch = fw->stretch;
    const uint64_t first = stretch->address, end = first + stretch->n_bytes;
    uc_tb translation;

    stretch->plain = !stretch->changes_code;
    if (stretch->plain) {
        (void)fw->lib->hook_del(fw->uc, fw->access_hook);
        fw->request = REQUEST_TRANSLATE;
        (void)firmware_execute(fw);
        fw->request = REQUEST_NONE;
    }
    (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), first, end);
    if (stretch->plain) {
        (void)fw->lib->ctl(fw->uc, LIBRARY_BOTH(UC_CTL_TB_REQUEST_CACHE, 2), first, &translation);
        if (!access_add_hook(fw))
            firmware_stop(fw, ENGINE_FIRMWARE_FAULT, "the Unicorn library cannot watch accesses");
    }
}
