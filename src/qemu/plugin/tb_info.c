#include "qemu/plugin/tb_info.h"

#include <stdlib.h>
#include <string.h>

#include "base/arm.h"
#include "isa/insn.h"

struct decoder *tb_info_decoder;

qemu_insn_data_v1 tb_info_insn_data_v1;
qemu_insn_data_v3 tb_info_insn_data_v3;
bool (*tb_info_cpsr)(uint32_t *cpsr);

/* How much code qemu_plugin_insn_data gives for an instruction of this size. */
static size_t insn_bytes(const struct qemu_plugin_insn *insn, size_t size, uint8_t *to)
{
    if (size == 0 || size > 4)
        return 0;
    if (tb_info_insn_data_v3 != NULL)
        return tb_info_insn_data_v3(insn, to, size);
    memcpy(to, tb_info_insn_data_v1(insn), size);
    return size;
}

/* Before a T32 instruction that begins two bytes before a page ends, QEMU looks at its first
 * halfword and adds it to the size of the instruction before it. The distance to the next
 * instruction is the true size; the last one of a block may remain in doubt: of 4 bytes that end
 * with the page, half may not belong to it. */
#define PAGE_BYTES 0x1000

static bool size_in_doubt(uint64_t address, unsigned size)
{
    return size == 4 && (address & (PAGE_BYTES - 1)) == PAGE_BYTES - 4;
}

static unsigned insn_size(const struct qemu_plugin_tb *tb, unsigned index, bool *peeked)
{
    const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, index);
    const size_t size = qemu_plugin_insn_size(insn);
    size_t length = size;
    if (index + 1 < qemu_plugin_tb_n_insns(tb))
        length = (size_t)(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, index + 1)) -
                          qemu_plugin_insn_vaddr(insn));
    else if (size > 4)
        length = 4;
    if (size == 0) /* QEMU's own kernel helper page */
        return 0;
    *peeked = *peeked || length != size;
    return (unsigned)length;
}

/* QEMU does not say which instruction set a block is in. A 16-bit instruction or an address that is
 * no multiple of four settles it, so does a word that no 32-bit Thumb instruction starts like. */
static enum ring_isa isa_by_lengths(const struct tb_info *info)
{
    if (info->address & 2 || info->peeked)
        return RING_ISA_T32;
    for (unsigned i = 0, at = 0; i < info->n_insns; at += info->size[i++]) {
        if (info->size[i] == 2)
            return RING_ISA_T32;
        if (i + 1 == info->n_insns && size_in_doubt(info->address + at, info->size[i]))
            continue;
        if (info->size[i] == 4 && !t32_is_long(tb_info_halfword(info->bytes + at)))
            return RING_ISA_A32;
    }
    return RING_ISA_UNKNOWN;
}

/* QEMU translates what the processor executes next. */
static enum ring_isa isa_by_register(void)
{
    uint32_t cpsr;

    if (tb_info_cpsr == NULL || !tb_info_cpsr(&cpsr))
        return RING_ISA_UNKNOWN;
    return cpsr & CPSR_T ? RING_ISA_T32 : RING_ISA_A32;
}

static enum ring_isa isa_by_text(const struct qemu_plugin_tb *tb, const struct tb_info *info)
{
    bool is_clear = false;
    enum armpmu_isa isa = ARMPMU_A32;

    for (unsigned i = 0, at = 0; i < info->n_insns && !is_clear; at += info->size[i++]) {
        char *const text = qemu_plugin_insn_disas(qemu_plugin_tb_get_insn(tb, i));
        is_clear = text != NULL && decode_isa_of_text(tb_info_decoder, info->address + at,
                                                      info->bytes + at, text, &isa);
        free(text);
    }
    if (!is_clear)
        return RING_ISA_UNKNOWN;
    return isa == ARMPMU_A32 ? RING_ISA_A32 : RING_ISA_T32;
}

/* A32 at an address that is no multiple of four, which the processor refuses to execute: QEMU shows
 * it as one instruction up to the next multiple. */
static bool is_misaligned_a32(const struct tb_info *info)
{
    return (info->address & 2) != 0 && info->n_insns == 1 && info->size[0] == 2 &&
           isa_by_register() == RING_ISA_A32;
}

static enum ring_isa find_isa(const struct qemu_plugin_tb *tb, const struct tb_info *info)
{
    if (is_misaligned_a32(info))
        return RING_ISA_A32;
    enum ring_isa isa = info->n_bytes > 0 ? isa_by_lengths(info) : RING_ISA_UNKNOWN;

    if (isa == RING_ISA_UNKNOWN && info->n_bytes > 0)
        isa = isa_by_register();
    if (isa == RING_ISA_UNKNOWN && info->n_bytes > 0)
        isa = isa_by_text(tb, info);
    return isa;
}

bool tb_info_shows_isa(const struct qemu_plugin_tb *tb)
{
    bool has_text = false;

    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb) && !has_text; i++) {
        char *const text = qemu_plugin_insn_disas(qemu_plugin_tb_get_insn(tb, i));
        has_text = text != NULL && text[0] != '\0';
        free(text);
    }
    return has_text || isa_by_register() != RING_ISA_UNKNOWN;
}

bool tb_info_read(const struct qemu_plugin_tb *tb, bool is_a64, struct tb_info *info)
{
    info->address = qemu_plugin_tb_vaddr(tb);
    info->n_insns = (unsigned)qemu_plugin_tb_n_insns(tb);
    info->n_bytes = 0;
    info->peeked = false;
    if (info->n_insns > RING_INSNS_MAX)
        return false;
    for (unsigned i = 0; i < info->n_insns; i++) {
        const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const unsigned size = insn_size(tb, i, &info->peeked);
        info->size[i] = (uint8_t)insn_bytes(insn, size, info->bytes + info->n_bytes);
        info->n_bytes += info->size[i];
    }
    info->isa = is_a64 ? RING_ISA_A64 : find_isa(tb, info);
    return true;
}

bool tb_info_start(const struct qemu_info *info)
{
    const bool is_a64 = strcmp(info->target_name, "aarch64") == 0;

    if (info->system_emulation) /* that of AArch64 runs machines of 32 bits, too */
        return decoder_new(&tb_info_decoder, NULL) == ARMPMU_OK;
    return decoder_new_blank(&tb_info_decoder, NULL) == ARMPMU_OK &&
           decoder_learn(tb_info_decoder, is_a64 ? ARMPMU_A64 : ARMPMU_A32);
}

/* CHOICE(sve-unwatched): loads of SVE in which QEMU 11.1 follows a null pointer when a plugin
 * watches their memory: gathering ones, but for LD1R among them, and LDNF1. */
static bool is_unwatchable(const uint8_t *bytes)
{
    const uint32_t word = tb_info_word(bytes);
    const bool gathers = (word & 0xfe000000) == 0xc4000000 ||
                         ((word & 0xfe000000) == 0x84000000 && (word & 0x00408000) != 0x00408000);

    return gathers || (word & 0xfe10e000) == 0xa410a000;
}

void tb_info_decode(const struct tb_info *info, unsigned at, unsigned size, uint8_t it_state,
                    struct insn *insn)
{
    static const enum armpmu_isa isas[] = {[RING_ISA_UNKNOWN] = ARMPMU_T32,
                                           [RING_ISA_A32] = ARMPMU_A32,
                                           [RING_ISA_T32] = ARMPMU_T32,
                                           [RING_ISA_A64] = ARMPMU_A64};
    const enum armpmu_isa isa = isas[info->isa];

    decode_single(tb_info_decoder, isa, info->bytes + at, (uint8_t)size,
                  isa == ARMPMU_T32 ? it_state : 0, insn);
}

/* The line that a DC ZVA clears is exclusive to the decoder: QEMU 7.2 to 11 never shows it. */
struct access_facts tb_info_access(const struct tb_info *info, unsigned at, unsigned size,
                                   uint8_t it_state)
{
    struct insn insn;

    tb_info_decode(info, at, size, it_state, &insn);
    const struct insn_memory *const memory = &insn.memory;
    const bool is_seen = !memory->partial || !is_unwatchable(info->bytes + at);
    const enum mem_class mem_class = is_seen ? insn_mem_class(&insn) : MEM_CLASS_NONE;
    const bool conditional = insn_access_is_optional(&insn);
    return (struct access_facts){.mem_class = mem_class,
                                 .conditional = conditional,
                                 .once = mem_class == MEM_CLASS_SINGLE && !conditional &&
                                         info->isa != RING_ISA_A64 &&
                                         !(memory->load && memory->store)};
}
