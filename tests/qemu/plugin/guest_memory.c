/* Data accesses of a guest: the records they become, and when QEMU is asked where a page lies. QEMU
 * is a table of pages here. */
#include "../../test.h"
#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/guest_memory.h"

#define WORD(kind, index, address)                                                                 \
    (armpmu_record(ARMPMU_RECORD_##kind, index) | (uint32_t)(address))

struct guest guest = {.frames = GUEST_PAGES - 1};

static struct guest_cpu cpu;
static uint64_t records[GUEST_RECORDS + GUEST_SLACK];
static uint64_t placed[GUEST_PAGES];
static uint8_t sizes[] = {4, 4, 4};
static struct code_block code_block = {
    .address = 0x8000, .n_bytes = 12, .n_insns = 3, .sizes = sizes};
static struct code_block lone = {.address = 0x8008, .n_bytes = 4, .n_insns = 1, .sizes = sizes};

static enum page_memory memory;
static bool asked_because_moved;

enum page_memory guest_memory_of(struct guest_cpu *of, uint64_t page, bool moved)
{
    assert_ptr_equal(of, &cpu);
    (void)page;
    asked_because_moved = moved;
    return memory;
}

static unsigned devices_accessed;

void guest_irq_device_accessed(struct guest_cpu *of)
{
    assert_ptr_equal(of, &cpu);
    devices_accessed++;
}

/* ---- QEMU ---- */

static struct {
    uint32_t frame; /* of all pages */
    bool io, nothing;
    unsigned asked;
} qemu;

static uint64_t physical;

static struct qemu_plugin_hwaddr *get_hwaddr(uint32_t info, uint64_t address)
{
    (void)info;
    qemu.asked++;
    physical = (uint64_t)qemu.frame << 12 | (address & 0xfff);
    return qemu.nothing ? NULL : (struct qemu_plugin_hwaddr *)(uintptr_t)1;
}

static bool translate_vaddr(uint64_t address, uint64_t *out)
{
    *out = (uint64_t)qemu.frame << 12 | (address & 0xfff);
    return !qemu.nothing;
}

static bool is_io(const struct qemu_plugin_hwaddr *hw)
{
    (void)hw;
    return qemu.io;
}

static uint64_t phys_addr(const struct qemu_plugin_hwaddr *hw)
{
    (void)hw;
    return physical;
}

struct qemu_plugin_hwaddr *(*qemu_api_qemu_plugin_get_hwaddr)(uint32_t, uint64_t) = get_hwaddr;
bool (*qemu_api_qemu_plugin_translate_vaddr)(uint64_t, uint64_t *) = translate_vaddr;
bool (*qemu_api_qemu_plugin_hwaddr_is_io)(const struct qemu_plugin_hwaddr *) = is_io;
uint64_t (*qemu_api_qemu_plugin_hwaddr_phys_addr)(const struct qemu_plugin_hwaddr *) = phys_addr;

unsigned qemu_plugin_mem_size_shift(uint32_t info)
{
    return info;
}

/* The callback of loads [0] and of stores [1] that was registered last. */
static qemu_mem_cb called[2];
static void *called_with;

void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb call,
                                      enum qemu_cb_flags flags, enum qemu_mem_rw rw, void *user)
{
    (void)insn, (void)flags;
    called[rw == QEMU_MEM_WRITE] = call;
    called_with = user;
}

/* ---- a processor before a code block ---- */

static int begin(void **state)
{
    (void)state;
    cpu = (struct guest_cpu){
        .cursor = records, .records = records, .placed = placed, .code_block = &code_block};
    for (uint32_t page = 0; page < GUEST_PAGES; page++)
        placed[page] = page;
    guest.epoch = GUEST_EPOCH;
    guest.cpus[0] = &cpu;
    qemu.frame = 0x40;
    qemu.io = qemu.nothing = false;
    qemu.asked = 0;
    cpu.block = cpu.cursor;
    *cpu.cursor++ = WORD(BLOCK, 0, 7);
    return 0;
}

static void watch(enum mem_class mem_class, struct code_block *of, unsigned index)
{
    static struct insn_place place;

    place = (struct insn_place){of, of->address + 4 * index, (uint16_t)index};
    guest_watch_accesses(NULL, mem_class, &place);
}

static void load(uint32_t address)
{
    called[0](0, 2, address, called_with);
}

static void store(uint32_t address)
{
    called[1](0, 2, address, called_with);
}

static void expect(const uint64_t *expected, size_t n)
{
    assert_int_equal(cpu.cursor - records, n);
    for (size_t i = 0; i < n; i++)
        if (records[i] != expected[i])
            fail_msg("word %zu: 0x%016llx, not 0x%016llx", i, (unsigned long long)records[i],
                     (unsigned long long)expected[i]);
}

#define EXPECT(...)                                                                                \
    expect((const uint64_t[]){__VA_ARGS__},                                                        \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#define MAP(page, frame)                                                                           \
    (armpmu_record(ARMPMU_RECORD_MAP, 0) | (uint64_t)(page) << ARMPMU_RECORD_PAGE_LSB | (frame))
#define BLOCK WORD(BLOCK, 0, 7)

/* ---- tests ---- */

TEST_WITH(a_page_is_asked_for_once, begin, NULL)
{
    watch(MEM_CLASS_SINGLE, &code_block, 1);
    load(0x2004);
    load(0x2ffc);
    load(0x2000);
    assert_int_equal(qemu.asked, 1);
    EXPECT(MAP(2, 0x40), BLOCK, WORD(ACCESS, 1, 0x2004), WORD(ACCESS, 1, 0x2ffc),
           WORD(ACCESS, 1, 0x2000));
    qemu.frame = 0x41;
    load(0x3000); /* another page */
    load(0x3000 + GUEST_KNOWN * 0x1000);
    assert_int_equal(qemu.asked, 3);
}

TEST_WITH(pages_that_share_a_place_do_not_answer_for_each_other, begin, NULL)
{
    watch(MEM_CLASS_SINGLE, &code_block, 0);
    load(0x2000);
    load(0x2000 + GUEST_KNOWN * 0x1000);
    load(0x2000);
    assert_int_equal(qemu.asked, 3);
    load(0x2000);
    assert_int_equal(qemu.asked, 3);
}

TEST_WITH(what_moved_is_asked_for_again, begin, NULL)
{
    watch(MEM_CLASS_SINGLE, &code_block, 0);
    load(0x2000);
    qemu.frame = 0x50;
    load(0x2000); /* nothing said that it may have moved */
    guest_pages_move();
    load(0x2000);
    load(0x2000);
    assert_int_equal(qemu.asked, 2);
    EXPECT(MAP(2, 0x40), MAP(2, 0x50), BLOCK, WORD(ACCESS, 0, 0x2000), WORD(ACCESS, 0, 0x2000),
           WORD(ACCESS, 0, 0x2000), WORD(ACCESS, 0, 0x2000));
}

/* Flash: a memory for loads, a device for stores, which may turn it into a device for loads. */
TEST_WITH(loads_and_stores_of_a_page_are_asked_for_apart, begin, NULL)
{
    watch(MEM_CLASS_SINGLE, &code_block, 0);
    load(0x2000);
    qemu.io = true;
    load(0x2000);
    assert_int_equal(qemu.asked, 1);
    devices_accessed = 0;
    store(0x2000);
    assert_int_equal(devices_accessed, 1); /* perhaps the interrupt controller */
    assert_int_equal(qemu.asked, 2);
    load(0x2000);
    assert_int_equal(qemu.asked, 3);
    load(0x2000); /* devices are asked for each time */
    assert_int_equal(qemu.asked, 4);
    EXPECT(MAP(2, 0x40), BLOCK, WORD(ACCESS, 0, 0x2000), WORD(ACCESS, 0, 0x2000),
           WORD(DEVICE, 0, 0x2000), WORD(DEVICE, 0, 0x2000), WORD(DEVICE, 0, 0x2000));
}

TEST_WITH(where_nothing_is_known_is_a_device, begin, NULL)
{
    qemu.nothing = true;
    watch(MEM_CLASS_SINGLE, &code_block, 2);
    load(0x2000);
    watch(MEM_CLASS_MULTIPLE, &code_block, 1);
    load(0x2000);
    EXPECT(BLOCK, WORD(DEVICE, 2, 0x2000), WORD(DEVICE, 1, 0x2000));
}

TEST_WITH(elements_without_a_gap_are_one_run, begin, NULL)
{
    qemu.frame = 2;
    watch(MEM_CLASS_MULTIPLE, &code_block, 1);
    load(0x2ff8);
    load(0x2ffc);
    qemu.frame = 3;
    load(0x3000);
    store(0x3008);
    EXPECT(BLOCK, WORD(BURST, 1, 0x2ff8), 12, WORD(BURST, 1, 0x3008), 4);
    assert_int_equal(qemu.asked, 3); /* page 3 once to load, once to store */
}

/* The third instruction of the code_block that executes, translated again for a device's sake. */
TEST_WITH(an_instruction_made_anew_belongs_to_the_piece_that_began, begin, NULL)
{
    qemu.io = true;
    watch(MEM_CLASS_SINGLE, &lone, 0);
    load(0x2000);
    watch(MEM_CLASS_MULTIPLE, &lone, 0);
    store(0x2000);
    cpu.code_block = &lone;
    load(0x2000);
    EXPECT(BLOCK, WORD(DEVICE, 2, 0x2000), WORD(DEVICE, 2, 0x2000), WORD(DEVICE, 0, 0x2000));
}

/* RAM that the page tables give the attributes of a device's; memory that no cache keeps. */
TEST_WITH(attributes_of_a_page_are_passed_on, begin, NULL)
{
    static uint64_t uncached[GUEST_PAGES / 64];

    cpu.uncached = uncached;
    watch(MEM_CLASS_SINGLE, &code_block, 0);
    memory = PAGE_DEVICE;
    load(0x2000);
    load(0x2000); /* asked each time */
    memory = PAGE_UNCACHED;
    load(0x2000);
    assert_true(asked_because_moved);
    load(0x2004);
    guest_pages_move();
    load(0x2008);
    assert_false(asked_because_moved);
    guest_pages_move();
    memory = PAGE_CACHED;
    load(0x200c);
    EXPECT(MAP(2, 0x40) | ARMPMU_RECORD_UNCACHED, MAP(2, 0x40), BLOCK, WORD(DEVICE, 0, 0x2000),
           WORD(DEVICE, 0, 0x2000), WORD(ACCESS, 0, 0x2000), WORD(ACCESS, 0, 0x2004),
           WORD(ACCESS, 0, 0x2008), WORD(ACCESS, 0, 0x200c));
    memory = PAGE_CACHED;
}

/* LDC and STC of the unit are made outside of QEMU. */
TEST_WITH(an_access_qemu_does_not_know_of_has_its_page_too, begin, NULL)
{
    cpu.code_block = &lone;
    guest_memory_accessed(&cpu, 0x3004);
    guest_memory_accessed(&cpu, 0x3008);
    EXPECT(MAP(3, 0x40), BLOCK, WORD(ACCESS, 0, 0x3004), WORD(ACCESS, 0, 0x3008));
}

/* Once before the instruction, and once after it: guest.c does that before the next code block. */
TEST_WITH(pages_move_with_the_instruction, begin, NULL)
{
    const uint64_t epoch = guest.epoch;

    cpu.limit = records + 4;
    guest_moves_pages(0, NULL);
    assert_true(guest.epoch > epoch);
    assert_true(cpu.moving);
    assert_true(cpu.cursor >= cpu.limit);
}
