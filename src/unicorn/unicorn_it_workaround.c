#include "unicorn/unicorn_it_workaround.h"

#include "unicorn/firmware.h"
#include "unicorn/it_block.h"

static bool ends_inside_it(const struct firmware *fw, const uc_tb *made, uint8_t it)
{
    uint16_t half = 0;
    bool inside = false;

    for (uint32_t at = 0; at < made->size; at += t32_bytes(half)) {
        if (fw->lib->mem_read(fw->uc, made->pc + at, &half, sizeof half) != UC_ERR_OK)
            break;
        inside = it_is_inside(it);
        it = !inside && it_begins(half) ? (uint8_t)half : it_advance(it);
    }
    return inside;
}

void unicorn_it_workaround_made(uc_engine *uc, uc_tb *made, uc_tb *before, void *user)
{
    struct firmware *const fw = user;
    struct unicorn_it_workaround *const translation = fw->translation;
    const uint32_t cpsr = processor_status(fw);

    (void)before;
    if (cpsr & CPSR_T) {
        translation->inside_it = ends_inside_it(fw, made, it_of(cpsr));
        translation->t32 = (uint32_t)made->pc;
    } else if (translation->inside_it) {
        translation->stuck = true;
        translation->first = made->pc;
        translation->end = made->pc + made->size;
        fw->lib->emu_stop(uc);
    }
}

/* The last code of the page, so that the block ends there: an instruction that is outside of any IT
 * block, as long as it is not the one that an IT instruction in front makes conditional. */
static uint64_t last_of_page(const struct firmware *fw, uint32_t address)
{
    const uint64_t end = (uint64_t)(address | (fw->page_bytes - 1)) + 1;
    uint16_t halves[2] = {0, 0};

    (void)fw->lib->mem_read(fw->uc, end - sizeof halves, halves, sizeof halves);
    return it_begins(halves[0]) && !t32_is_long(halves[1]) ? end - 2 : end - 4;
}

void unicorn_it_workaround_mend(struct firmware *fw)
{
    struct unicorn_it_workaround *const translation = fw->translation;
    uc_tb made;

    if (!translation->stuck)
        return;
    const uint32_t cpsr = processor_cpsr(fw);
    const uint64_t at = last_of_page(fw, translation->t32);
    processor_set_cpsr(fw, (cpsr & ~CPSR_IT) | CPSR_T);
    (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), at, at + 4);
    (void)fw->lib->ctl(fw->uc, LIBRARY_BOTH(UC_CTL_TB_REQUEST_CACHE, 2), at, &made);
    processor_set_cpsr(fw, cpsr);
    (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), translation->first,
                       translation->end);
    translation->stuck = translation->inside_it = false;
}
