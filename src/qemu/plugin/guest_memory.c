/* Records data accesses as they happen, and the physical addresses of their pages.
 *
 * QEMU can translate an address, but that takes longer than all other work for an access. The
 * answer for a page is therefore remembered until something happens that may change it: an
 * instruction that writes translation registers or maintains TLBs, a change to a mode with tables
 * of its own, a store to a device (a flash chip turns from memory to a device and back by them), a
 * processor that stopped. All of these move the epoch on, for all processors.
 *
 * CHOICE(guest-page-answers): a guest that changes a page's valid translation without TLB
 * maintenance, which the architecture forbids, is heard when the epoch moves on next. */
#include "qemu/plugin/guest_memory.h"

#include <string.h>

#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/mem_bytes.h"

/* QEMU may look at the old tables until the instruction has executed, and other processors until
 * the code block after it begins: then pages are taken as moved once more. */
void guest_moves_pages(unsigned vcpu, void *unused)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    (void)unused;
    guest_pages_move();
    cpu->moving = true;
    cpu->limit = cpu->records;
}

/* The model learns where the page lies before the block that accesses it. */
static void place_before_block(struct guest_cpu *cpu, uint64_t page, uint64_t frame, bool uncached)
{
    uint64_t records[GUEST_PLACE_RECORDS], *const block = cpu->block;
    const unsigned n = guest_place(cpu, page, frame, records);

    if (uncached) {
        records[0] |= ARMPMU_RECORD_UNCACHED;
        cpu->uncached[page % GUEST_PAGES / 64] |= UINT64_C(1) << page % 64;
    }

    memmove(block + n, block, (size_t)(cpu->cursor - block) * sizeof *block);
    memcpy(block, records, n * sizeof *records);
    cpu->block += n;
    cpu->cursor += n;
}

/* The entry of a page in `known`, in the current epoch. */
static inline uint64_t known_as(uint64_t page)
{
    return atomic_load_explicit(&guest.epoch, memory_order_acquire) | page;
}

/* A page as the model knows it. */
static bool was_uncached(const struct guest_cpu *cpu, uint64_t page)
{
    return cpu->uncached != NULL && (cpu->uncached[page % GUEST_PAGES / 64] >> page % 64 & 1);
}

/* Returns whether the access is to memory; then the model knows its page. */
static bool locate(struct guest_cpu *cpu, uint32_t info, uint64_t address, bool store)
{
    const uint64_t page = guest_page_of(address);
    const uint64_t known = known_as(page); /* before: the answer may be of an older epoch */
    const struct qemu_plugin_hwaddr *const hw = qemu_api_qemu_plugin_get_hwaddr(info, address);

    if (hw == NULL || qemu_api_qemu_plugin_hwaddr_is_io(hw)) {
        if (store)
            guest_pages_move();
        guest_irq_device_accessed(cpu);
        return false;
    }
    const uint64_t frame = guest_frame_of(qemu_api_qemu_plugin_hwaddr_phys_addr(hw));
    const bool moved = !guest_is_placed(cpu, page, frame);
    const enum page_memory memory = guest_memory_of(cpu, page, moved);
    if (memory == PAGE_DEVICE)
        return false;
    if (moved || (memory == PAGE_UNCACHED) != was_uncached(cpu, page))
        place_before_block(cpu, page, frame, memory == PAGE_UNCACHED);
    cpu->known[store][page % GUEST_KNOWN] = known;
    return true;
}

/* Returns whether the page is memory, as was found in the running epoch. address: of 48 bits. */
static inline bool is_known(const struct guest_cpu *cpu, uint64_t address, bool store)
{
    const uint64_t page = address >> GUEST_PAGE_SHIFT;

    return cpu->known[store][page % GUEST_KNOWN] == known_as(page);
}

static inline void put(struct guest_cpu *cpu, uint64_t record)
{
    uint64_t *const cursor = cpu->cursor;

    cpu->cursor = cursor + 1;
    *cursor = record;
}

static void put_device(struct guest_cpu *cpu, uint64_t start)
{
    put(cpu, armpmu_record(ARMPMU_RECORD_DEVICE, armpmu_record_index(start)) |
                 (start & ARMPMU_RECORD_ADDRESS));
}

static __attribute__((noinline)) void locate_single(struct guest_cpu *cpu, uint32_t info,
                                                    uint64_t address, bool store, uint64_t word)
{
    const uint64_t record = word | (address & ARMPMU_RECORD_ADDRESS);

    if (locate(cpu, info, address, store))
        put(cpu, record);
    else
        put_device(cpu, record);
}

static inline void single(struct guest_cpu *cpu, uint32_t info, uint64_t address, bool store,
                          uint64_t word)
{
    const uint64_t low = address & ARMPMU_RECORD_ADDRESS;

    if (unlikely(!is_known(cpu, low, store)))
        locate_single(cpu, info, address, store, word);
    else
        put(cpu, word | low);
}

/* start: the BURST record that the element would begin. */
static inline void put_element(struct guest_cpu *cpu, uint32_t bytes, uint64_t start)
{
    uint64_t *const end = cpu->cursor;

    if (armpmu_record_kind(end[-1]) == ARMPMU_RECORD_BYTES && end[-2] + end[-1] == start) {
        end[-1] += bytes;
        return;
    }
    if (end + 2 > cpu->records + GUEST_RECORDS + GUEST_SLACK)
        return;
    end[0] = start;
    end[1] = bytes;
    cpu->cursor = end + 2;
}

static __attribute__((noinline)) void locate_element(struct guest_cpu *cpu, uint32_t info,
                                                     uint64_t address, bool store, uint64_t word)
{
    const uint64_t start = word | (address & ARMPMU_RECORD_ADDRESS);

    if (locate(cpu, info, address, store))
        put_element(cpu, mem_bytes(info), start);
    else
        put_device(cpu, start);
}

/* One element of an instruction that makes several accesses; see the recorder. */
static inline void element(struct guest_cpu *cpu, uint32_t info, uint64_t address, bool store,
                           uint64_t word)
{
    const uint64_t low = address & ARMPMU_RECORD_ADDRESS;
    const uint32_t bytes = mem_bytes_known(info);

    if (unlikely(bytes == 0 || !is_known(cpu, low, store)))
        locate_element(cpu, info, address, store, word);
    else
        put_element(cpu, bytes, word | low);
}

static void on_load(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    single(guest.cpus[vcpu], info, address, false, (uintptr_t)word);
}

static void on_store(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    single(guest.cpus[vcpu], info, address, true, (uintptr_t)word);
}

static void on_load_element(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    element(guest.cpus[vcpu], info, address, false, (uintptr_t)word);
}

static void on_store_element(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    element(guest.cpus[vcpu], info, address, true, (uintptr_t)word);
}

/* ---- an instruction that is a code block of its own ----
 *
 * When an instruction turns out to access a device, QEMU translates it again, alone, and continues
 * there: it still belongs to the code block that began. */

static unsigned index_of(const struct guest_cpu *cpu, const struct insn_place *place)
{
    const struct code_block *const code_block = cpu->code_block;

    if (code_block == place->code_block)
        return place->index;
    uint64_t at = code_block->address;
    unsigned n = 0;
    while (n + 1u < code_block->n_insns && at != place->address)
        at += code_block->sizes[n++];
    return n;
}

static void on_load_alone(unsigned vcpu, uint32_t info, uint64_t address, void *place)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    single(cpu, info, address, false, armpmu_record(ARMPMU_RECORD_ACCESS, index_of(cpu, place)));
}

static void on_store_alone(unsigned vcpu, uint32_t info, uint64_t address, void *place)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    single(cpu, info, address, true, armpmu_record(ARMPMU_RECORD_ACCESS, index_of(cpu, place)));
}

static void on_load_element_alone(unsigned vcpu, uint32_t info, uint64_t address, void *place)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    element(cpu, info, address, false, armpmu_record(ARMPMU_RECORD_BURST, index_of(cpu, place)));
}

static void on_store_element_alone(unsigned vcpu, uint32_t info, uint64_t address, void *place)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    element(cpu, info, address, true, armpmu_record(ARMPMU_RECORD_BURST, index_of(cpu, place)));
}

void guest_memory_accessed(struct guest_cpu *cpu, uint64_t address)
{
    const uint64_t page = guest_page_of(address);
    uint64_t physical = address;

    if (qemu_api_qemu_plugin_translate_vaddr(address, &physical)) {
        const uint64_t frame = guest_frame_of(physical);
        if (!guest_is_placed(cpu, page, frame))
            place_before_block(cpu, page, frame, false);
    }
    *cpu->cursor++ = armpmu_record(ARMPMU_RECORD_ACCESS, 0) | (address & ARMPMU_RECORD_ADDRESS);
}

/* ---- translation ---- */

void guest_watch_accesses(struct qemu_plugin_insn *insn, enum mem_class mem_class,
                          struct insn_place *place)
{
    static const qemu_mem_cb calls[2][2][2] = {
        /* [alone][several elements][is a store] */
        {{on_load, on_store}, {on_load_element, on_store_element}},
        {{on_load_alone, on_store_alone}, {on_load_element_alone, on_store_element_alone}},
    };
    const bool several = mem_class == MEM_CLASS_MULTIPLE,
               is_alone = place->code_block->n_insns == 1;
    const uint64_t word =
        armpmu_record(several ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS, place->index);
    void *const user = is_alone ? (void *)place : (void *)(uintptr_t)word;

    if (mem_class == MEM_CLASS_NONE)
        return;
    qemu_plugin_register_vcpu_mem_cb(insn, calls[is_alone][several][false], QEMU_CB_NO_REGS,
                                     QEMU_MEM_READ, user);
    qemu_plugin_register_vcpu_mem_cb(insn, calls[is_alone][several][true], QEMU_CB_NO_REGS,
                                     QEMU_MEM_WRITE, user);
}
