/* Blocks of code as QEMU translates them: split at accesses to the performance monitor, known
 * once, and watched. */
#include "qemu/plugin/guest_translation.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/pmu_insn.h"
#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_report.h"
#include "qemu/plugin/scalable.h"
#include "qemu/plugin/tb_info.h"

/* A block of QEMU, or a part of one where an access to the performance monitor parts it. */
struct guest_block {
    struct code_block code;
    struct insn_place *places;
    struct pmu_access *access; /* of one instruction that may access the unit */
};

static struct {
    pthread_mutex_t lock; /* of the threads that add */
    struct block_store blocks;
    enum guest_mode mode; /* of what is being translated */
} code = {.lock = PTHREAD_MUTEX_INITIALIZER, .blocks.block_bytes = sizeof(struct guest_block)};

bool guest_lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    if (!block_store_lookup(&code.blocks, id, out))
        return false;
    if (guest.profile != ARMPMU_PROFILE_OFF)
        out->file = block_store_at(&code.blocks, id)->mode == GUEST_USER ? GUEST_PROFILE_USER
                                                                         : GUEST_PROFILE_KERNEL;
    return true;
}

static struct insn_place *places_of(const struct code_block *code_block)
{
    struct insn_place *const places = calloc(code_block->n_insns + 1u, sizeof *places);
    uint64_t at = code_block->address;

    if (places == NULL)
        guest_die("out of memory for the guest's code");
    for (unsigned i = 0; i < code_block->n_insns; at += code_block->sizes[i++])
        places[i] = (struct insn_place){code_block, at, (uint16_t)i};
    return places;
}

static struct guest_block *find_or_add(const struct code_block *key)
{
    bool is_new;
    struct guest_block *const block =
        (struct guest_block *)block_store_intern(&code.blocks, key, &is_new);

    if (block == NULL)
        guest_die(code.blocks.n == BLOCK_STORE_MAX
                      ? "the guest has more than 16 million blocks of code"
                      : "out of memory for the guest's code");
    if (is_new)
        block->places = places_of(&block->code);
    return block;
}

/* The physical page of a virtual address, as the processor that translates sees it. */
static uint64_t frame_of(uint64_t address)
{
    uint64_t physical = address;

    if (!qemu_api_qemu_plugin_translate_vaddr(address, &physical))
        physical = address;
    return guest_frame_of(physical);
}

/* A part of a block: n instructions from `first` on, whose code begins at byte `at`. */
struct tb_part {
    enum armpmu_isa isa;
    unsigned first, n, at;
    uint8_t it_state; /* before the first */
};

/* The code block of a part. */
static struct guest_block *define(struct tb_info *info, struct tb_part part)
{
    uint32_t n_bytes = 0;

    for (unsigned i = 0; i < part.n; i++)
        n_bytes += info->size[part.first + i];
    const uint64_t address = info->address + part.at;
    const uint64_t last = address + (n_bytes > 0 ? n_bytes - 1 : 0);
    const struct code_block key = {
        .page = {guest_page_of(address), guest_page_of(last)},
        .frame = {frame_of(address), frame_of(last)},
        .address = address,
        .n_bytes = n_bytes,
        .n_insns = (uint16_t)part.n,
        .isa = part.isa,
        .mode = code.mode,
        .it_state = part.it_state,
        .bytes = info->bytes + part.at,
        .sizes = info->size + part.first,
    };
    return find_or_add(&key);
}

const struct code_block *guest_arrival(const struct code_block *code_block)
{
    struct code_block key = *code_block;

    key.n_bytes = 0;
    key.n_insns = 0;
    pthread_mutex_lock(&code.lock);
    const struct code_block *const arrival = &find_or_add(&key)->code;
    pthread_mutex_unlock(&code.lock);
    return arrival;
}

/* ---- execution ---- */

/* Records the state of the predicate of an instruction of SVE. */
static void on_governed(unsigned vcpu, void *packed)
{
    *guest.cpus[vcpu]->cursor++ = scalable_record(packed, scalable_vector_bytes());
}

/* Watches such an instruction; returns whether it is one. */
static bool watch_governed(struct qemu_plugin_insn *insn, const struct tb_info *info, unsigned at,
                           unsigned index)
{
    struct insn facts;

    if (info->isa != RING_ISA_A64 || !scalable_may_be(tb_info_word(info->bytes + at)))
        return false;
    tb_info_decode(info, at, 4, 0, &facts);
    if (facts.scalable.kind == SVE_NONE || facts.scalable.governor == NO_GOVERNOR ||
        !scalable_sees_registers())
        return false;
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_governed, QEMU_CB_R_REGS,
                                           scalable_pack(&facts, index));
    return true;
}

static void on_mark(unsigned vcpu, void *word)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    *cpu->cursor++ = (uintptr_t)word;
}

/* ---- translation ---- */

/* An instruction as one word, the first halfword of T32 high. */
static uint32_t insn_word(const struct tb_info *info, enum armpmu_isa isa, unsigned at,
                          unsigned size)
{
    const uint16_t first = tb_info_halfword(info->bytes + at);
    const uint16_t second = size == 4 ? tb_info_halfword(info->bytes + at + 2) : 0;

    if (isa != ARMPMU_T32)
        return (uint32_t)second << 16 | first;
    return size == 4 ? (uint32_t)first << 16 | second : first;
}

/* WFI and WFE, of A64 with a limit in time, too; CP15's of processors before ARMv7. */
static bool may_sleep(enum armpmu_isa isa, uint32_t word)
{
    if (isa == ARMPMU_A64)
        return (word & 0xffffffdf) == 0xd503205f || (word & 0xffffffc0) == 0xd5031000;
    if (isa == ARMPMU_T32 && (word == 0xbf20 || word == 0xbf30 || (word | 1) == 0xf3af8003))
        return true;
    return (word & 0x0ffffffe) == 0x0320f002 || (word & 0x0fff0fff) == 0x0e070f90;
}

/* After what else is called for the instruction: the last word before it executes. */
static void watch_move(struct qemu_plugin_tb *tb, const struct tb_info *info, enum armpmu_isa isa,
                       unsigned i, unsigned at)
{
    const uint32_t word = insn_word(info, isa, at, info->size[i]);

    if (i + 1 == info->n_insns && may_sleep(isa, word)) /* QEMU ends a block there */
        qemu_plugin_register_vcpu_insn_exec_cb(
            qemu_plugin_tb_get_insn(tb, i), guest_waits, QEMU_CB_NO_REGS,
            (void *)(uintptr_t)(info->address + at + info->size[i]));
    if (code.mode != GUEST_USER && guest.profile != ARMPMU_PROFILE_OFF)
        guest_task_watch(qemu_plugin_tb_get_insn(tb, i), isa, word);
    if (guest.state->may_move_pages(isa, word))
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), guest_moves_pages,
                                               QEMU_CB_NO_REGS, NULL);
    if (code.mode != GUEST_USER && guest_writes_tables(isa, word))
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), guest_tables_written,
                                               QEMU_CB_R_REGS, (void *)(uintptr_t)word);
}

/* The code block of a part: entered with its first instruction, watched in all. */
static void watch_code_block(struct qemu_plugin_tb *tb, struct tb_info *info, struct tb_part part)
{
    struct guest_block *const block = define(info, part);
    uint8_t it_state = part.it_state;
    bool mark = false;

    qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, part.first),
                                           guest_on_code_block, QEMU_CB_NO_REGS, &block->code);
    for (unsigned i = 0, at = part.at; i < part.n; at += info->size[part.first + i++]) {
        struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, part.first + i);
        if (!watch_governed(insn, info, at, i) && mark)
            qemu_plugin_register_vcpu_insn_exec_cb(
                insn, on_mark, QEMU_CB_NO_REGS,
                (void *)(uintptr_t)armpmu_record(ARMPMU_RECORD_PROGRESS, i));
        const struct access_facts facts =
            tb_info_access(info, at, info->size[part.first + i], it_state);
        guest_watch_accesses(insn, facts.mem_class, &block->places[i]);
        mark = facts.conditional;
        it_state = it_after(it_state, tb_info_halfword(info->bytes + at));
    }
}

/* The block of an instruction that is alone in it, with its access. */
static struct guest_block *intercepted(struct tb_info *info, struct tb_part part)
{
    struct guest_block *const own = define(info, part);

    if (own->access != NULL)
        return own;
    struct code_block nop = own->code;
    nop.bytes = block_store_nop(part.isa);
    own->access = malloc(sizeof *own->access);
    if (own->access == NULL)
        guest_die("out of memory for the guest's code");
    const uint32_t word = insn_word(info, part.isa, part.at, info->size[part.first]);
    part.n = 0;
    *own->access =
        (struct pmu_access){&define(info, part)->code, &own->code, &find_or_add(&nop)->code, word};
    return own;
}

/* The callback of an instruction that is a block of its own; NULL for another. */
static qemu_vcpu_udata_cb parts(enum armpmu_isa isa, uint32_t word)
{
    if (pmu_insn_is_of(&guest.cores, isa, word))
        return guest_access;
    return guest.state->is_sysop(isa, word) ? guest.state->sysop : NULL;
}

/* Splits the block at instructions that must be alone, and watches all of it. it_state: of its
 * first. */
static void watch_block(struct qemu_plugin_tb *tb, struct tb_info *info, enum armpmu_isa isa,
                        uint8_t it_state)
{
    struct tb_part part = {.isa = isa, .it_state = it_state};

    for (unsigned i = 0, at = 0; i < info->n_insns; at += info->size[i++]) {
        struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, i);
        const uint32_t word = insn_word(info, isa, at, info->size[i]);
        const bool reads_frame = guest.state->watch_view != NULL &&
                                 guest.state->watch_view(insn, info->address + at, word);
        const qemu_vcpu_udata_cb call = reads_frame ? guest.state->view_access : parts(isa, word);
        const uint8_t it_here = it_state;
        if (isa == ARMPMU_T32)
            it_state = it_after(it_state, tb_info_halfword(info->bytes + at));
        if (call == NULL)
            continue;
        part.n = i - part.first;
        if (part.n > 0)
            watch_code_block(tb, info, part);
        struct guest_block *const own = intercepted(info, (struct tb_part){isa, i, 1, at, it_here});
        qemu_plugin_register_vcpu_insn_exec_cb(insn, call, QEMU_CB_RW_REGS_PC, own->access);
        if (reads_frame)
            guest_watch_accesses(insn, MEM_CLASS_SINGLE, &own->places[0]);
        part = (struct tb_part){isa, i + 1, 0, at + info->size[i], it_state};
    }
    part.n = info->n_insns - part.first;
    if (part.n > 0)
        watch_code_block(tb, info, part);
}

/* Before all else that looks at registers; of AArch64. */
static void watch_fields(struct qemu_plugin_tb *tb, const struct tb_info *info)
{
    uint32_t previous = 0, word;
    uint8_t before[4];

    if (qemu_api_code_read(info->address - 4, before, sizeof before))
        memcpy(&previous, before, sizeof previous);
    for (unsigned i = 0; i < info->n_insns; previous = word, i++) {
        word = insn_word(info, ARMPMU_A64, 4 * i, 4);
        guest.state->watch(qemu_plugin_tb_get_insn(tb, i), info->address + 4 * i, previous, word);
    }
}

void guest_translate(struct qemu_plugin_tb *tb)
{
    static const enum armpmu_isa isas[] = {
        [RING_ISA_A32] = ARMPMU_A32, [RING_ISA_T32] = ARMPMU_T32, [RING_ISA_A64] = ARMPMU_A64};
    static struct tb_info info; /* under the lock */

    if (guest.state->is_foreign != NULL && guest.state->is_foreign(tb))
        return;
    pthread_mutex_lock(&code.lock);
    if (!tb_info_read(tb, guest.state == &guest_aarch64, &info))
        guest_die("QEMU put more than 512 instructions into a block");
    if (info.isa == RING_ISA_UNKNOWN)
        guest_die(TB_INFO_NO_ISA);
    const enum armpmu_isa isa = isas[info.isa];
    const uint32_t psr = (uint32_t)qemu_api_register_read(guest.cpsr);
    code.mode = guest.state->mode_of(psr);
    if (guest.follows_masks)
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, 0), guest_look_at_masks,
                                               QEMU_CB_R_REGS, NULL);
    if (guest_is_boot(info.address))
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, 0), guest_boots,
                                               QEMU_CB_RW_REGS_PC, NULL);
    if (guest.state->watch != NULL)
        watch_fields(tb, &info);
    watch_block(tb, &info, isa, isa == ARMPMU_T32 ? it_of_cpsr(psr) : 0);
    for (unsigned i = 0, at = 0; i < info.n_insns; at += info.size[i++])
        watch_move(tb, &info, isa, i, at);
    if (guest_irq_waits_for_block_end())
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, info.n_insns - 1),
                                               guest_irq_at_block_end, QEMU_CB_NO_REGS, NULL);
    pthread_mutex_unlock(&code.lock);
}
