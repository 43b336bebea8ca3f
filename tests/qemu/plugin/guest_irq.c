/* The overflow interrupt's way to the interrupt controller: the argument, and what is written
 * where. */
#include "../../test.h"

#include <string.h>

#include "qemu/plugin/guest_irq.h"

static struct guest_irq controller;
struct guest guest = {.irq = &controller};

static struct {
    unsigned n;
    uint64_t address;
    uint32_t value;
} written;

static bool nothing_answers;

bool qemu_api_word_write(uint64_t address, uint32_t value)
{
    written.n++;
    written.address = address;
    written.value = value;
    return !nothing_answers;
}

/* GICD_PIDR2; 0: the GIC is one of version 2 and nothing is there. */
static uint32_t pidr2;

bool qemu_api_memory_read(uint64_t address, void *data, size_t n)
{
    assert_int_equal(address, 0x0800ffe8);
    assert_int_equal(n, sizeof pidr2);
    memcpy(data, &pidr2, sizeof pidr2);
    return pidr2 != 0;
}

static const char *died;

void guest_die(const char *reason)
{
    died = reason;
}

TEST(arguments_are_parsed)
{
    static const struct {
        int line;
        const char *text, *board;
        uint64_t base;
        unsigned n, first, last;
    } cases[] = {
        {__LINE__, "gic:132", "virt", 0x08000000, 1, 132, 132},
        {__LINE__, "gic:16", "virt", 0x08000000, 1, 16, 16},
        {__LINE__, "gic:1019", "virt", 0x08000000, 1, 1019, 1019},
        {__LINE__, "gic:40", "realview-pb-a8", 0x1e001000, 1, 40, 40},
        {__LINE__, "gic@0x10481000:96", "virt", 0x10481000, 1, 96, 96},
        {__LINE__, "gic@4096:33", "", 4096, 1, 33, 33},
        {__LINE__, "gic:132+133+140", "virt", 0x08000000, 3, 132, 140},
        {__LINE__, "vic:0", "versatilepb", 0x10140000, 1, 0, 0},
        {__LINE__, "vic@0x20000000:31", "versatilepb", 0x20000000, 1, 31, 31},
    };
    struct guest_irq irq;

    assert_null(guest_irq_parse("none", "", &irq));
    assert_null(irq.controller);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const problem = guest_irq_parse(cases[i].text, cases[i].board, &irq);
        if (problem != NULL)
            fail_msg("line %d: %s", cases[i].line, problem);
        assert_non_null(irq.controller);
        assert_int_equal(irq.base, cases[i].base);
        assert_int_equal(irq.n_numbers, cases[i].n);
        assert_int_equal(irq.number[0], cases[i].first);
        assert_int_equal(irq.number[irq.n_numbers - 1], cases[i].last);
    }
}

TEST(what_is_wrong_is_said)
{
    static const struct {
        const char *text, *board, *said;
    } cases[] = {
        {"gic", "virt", "neither"},
        {"gic:", "virt", "number is missing"},
        {"gic:15", "virt", "from 16 to 1019"},
        {"gic:1020", "virt", "from 16 to 1019"},
        {"gic:-1", "virt", "number is missing"},
        {"gic:132x", "virt", "'132x'"},
        {"gic:132+", "virt", "number is missing"},
        {"gic:132,133", "virt", "'132,133'"},
        {"gic@:132", "virt", "address is missing"},
        {"gic@zz:132", "virt", "address is missing"},
        {"gic@4096", "virt", "after the address"},
        {"gic:132", "versatilepb", "'versatilepb' has a gic is not known: write gic@ADDRESS"},
        {"vic:3", "virt", "'virt' has a vic is not known: write vic@ADDRESS"},
        {"gic:132", "", "write gic@ADDRESS"},
        {"vic:32", "versatilepb", "a vic's interrupt numbers go from 0 to 31"},
        {"nvic:3", "virt", "neither"},
        {"", "virt", "neither"},
    };
    struct guest_irq irq;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const problem = guest_irq_parse(cases[i].text, cases[i].board, &irq);
        if (problem == NULL || strncmp(problem, "irq: ", 5) != 0 ||
            strstr(problem, cases[i].said) == NULL)
            fail_msg("%s: %s", cases[i].text, problem != NULL ? problem : "taken");
        assert_null(irq.controller);
    }
}

/* ---- the line ---- */

static struct guest_cpu cpus[2];
static uint64_t records[101];

static void start(const char *core, const char *irq, const char *board)
{
    const struct armpmu_config config = {0};
    const struct monitor_cores cores = monitor_cores_of(armpmu_core_find(core), NULL);

    memset(&written, 0, sizeof written);
    died = NULL;
    nothing_answers = false;
    assert_null(guest_irq_parse(irq, board, &controller));
    for (unsigned i = 0; i < 2; i++) {
        struct guest_cpu *const cpu = &cpus[i];
        memset(cpu, 0, sizeof *cpu);
        cpu->number = i;
        cpu->records = records;
        cpu->limit = records + 100;
        assert_int_equal(monitors_create(&cpu->monitors, &cores, &config, NULL), ARMPMU_OK);
    }
}

/* A Cortex-A8's cycle counter wraps. */
static void overflow(struct guest_cpu *cpu)
{
    armpmu_mcr(monitors_own(&cpu->monitors), 15, 0, 9, 14, 1, 0x80000000); /* INTENS: CCNT */
    armpmu_mcr(monitors_own(&cpu->monitors), 15, 0, 9, 12, 1, 0x80000000); /* CNTENS */
    armpmu_mcr(monitors_own(&cpu->monitors), 15, 0, 9, 13, 0, 0xffffffff); /* CCNT */
    armpmu_mcr(monitors_own(&cpu->monitors), 15, 0, 9, 12, 0, 1);
    armpmu_post(monitors_own(&cpu->monitors), ARMPMU_SIGNAL_CPU_CYCLES, 1);
    guest_irq_line_changes(cpu);
    guest_irq_follow(cpu);
}

static void clear_flag(struct guest_cpu *cpu)
{
    armpmu_mcr(monitors_own(&cpu->monitors), 15, 0, 9, 12, 3, 0x80000000); /* FLAG */
    guest_irq_line_changes(cpu);
    guest_irq_follow(cpu);
}

static void assert_written(unsigned n, uint64_t address, uint32_t value)
{
    assert_int_equal(written.n, n);
    assert_int_equal(written.address, address);
    assert_int_equal(written.value, value);
    assert_null(died);
}

/* Interrupt 132 is bit 4 of the fifth word. */
TEST(the_line_s_rise_and_fall_reach_the_distributor)
{
    start("cortex-a8", "gic:132", "virt");
    guest_irq_follow(&cpus[0]);
    assert_int_equal(written.n, 0);
    overflow(&cpus[0]);
    assert_written(1, 0x08000000 + 0x200 + 4 * 4, 1u << 4);
    guest_irq_follow(&cpus[0]); /* nothing changed since */
    assert_int_equal(written.n, 1);
    clear_flag(&cpus[0]);
    assert_written(2, 0x08000000 + 0x280 + 4 * 4, 1u << 4);

    nothing_answers = true;
    guest_irq_line_changes(&cpus[0]);
    guest_irq_follow(&cpus[0]);
    assert_non_null(strstr(died, "interrupt controller"));
}

/* The acknowledgement took the pending bit: with the next block it is there again. */
TEST(an_asserted_line_is_set_again_after_a_device_access)
{
    start("cortex-a8", "gic:132", "virt");
    guest_irq_device_accessed(&cpus[0]);
    assert_false(controller.line[0].changed);
    assert_ptr_equal(cpus[0].limit, records + 100);
    overflow(&cpus[0]);
    guest_irq_device_accessed(&cpus[0]);
    assert_ptr_equal(cpus[0].limit, records);
    guest_irq_follow(&cpus[0]);
    assert_written(2, 0x08000000 + 0x200 + 4 * 4, 1u << 4);
    clear_flag(&cpus[0]);
    guest_irq_device_accessed(&cpus[0]);
    guest_irq_follow(&cpus[0]);
    assert_int_equal(written.n, 3);
}

/* Interrupt 23 of the second processor; without an answer it is the distributor's. */
TEST(a_private_interrupt_is_the_redistributor_s_from_version_3_on)
{
    static const struct {
        uint32_t pidr2;
        uint64_t base;
    } cases[] = {{0, 0x08000000}, {0x2b, 0x08000000}, {0x3b, 0x080d0000}, {0x4b, 0x080f0000}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pidr2 = cases[i].pidr2;
        start("cortex-a8", "gic:23", "virt");
        overflow(&cpus[1]);
        assert_written(1, cases[i].base + 0x200, 1u << 23);
        clear_flag(&cpus[1]);
        assert_written(2, cases[i].base + 0x280, 1u << 23);
        start("cortex-a8", "gic:132", "virt");
        overflow(&cpus[1]);
        assert_written(1, 0x08000000 + 0x200 + 4 * 4, 1u << 4);
        clear_flag(&cpus[1]);
    }
    pidr2 = 0;
}

TEST(pmuv3_of_virt_has_the_interrupt_of_its_device_tree)
{
    assert_string_equal(guest_irq_usual(armpmu_core_find("neoverse-n2"), "virt"), "gic:23");
    assert_string_equal(guest_irq_usual(armpmu_core_find("neoverse-n2"), "sbsa-ref"), "none");
    assert_string_equal(guest_irq_usual(armpmu_core_find("amuv1"), "virt"), "none");
    assert_string_equal(guest_irq_usual(armpmu_core_find("cortex-a8"), "virt"), "none");
}

TEST(a_soft_interrupt_is_a_level)
{
    start("cortex-a8", "vic:20", "versatilepb");
    overflow(&cpus[0]);
    assert_written(1, 0x10140000 + 0x18, 1u << 20);
    guest_irq_device_accessed(&cpus[0]);
    guest_irq_follow(&cpus[0]);
    assert_int_equal(written.n, 1);
    clear_flag(&cpus[0]);
    assert_written(2, 0x10140000 + 0x1c, 1u << 20);
}

TEST(processors_have_their_own_or_share_one)
{
    start("cortex-a8", "gic:132+165", "virt");
    overflow(&cpus[1]);
    assert_written(1, 0x08000000 + 0x200 + 5 * 4, 1u << 5);
    clear_flag(&cpus[1]);

    start("cortex-a8", "gic:132", "virt");
    overflow(&cpus[0]);
    overflow(&cpus[1]);
    clear_flag(&cpus[0]);
    assert_written(3, 0x08000000 + 0x200 + 4 * 4, 1u << 4); /* the other one still asks */
    clear_flag(&cpus[1]);
    assert_written(4, 0x08000000 + 0x280 + 4 * 4, 1u << 4);

    start("cortex-a8", "gic:23", "virt"); /* each processor has its own bit there */
    overflow(&cpus[0]);
    overflow(&cpus[1]);
    clear_flag(&cpus[0]);
    assert_written(3, 0x08000000 + 0x280, 1u << 23);
}

/* QEMU's controller takes the pending bit of all. */
TEST(a_private_interrupt_cleared_by_another_is_set_again)
{
    start("cortex-a8", "gic:23", "virt");
    guest.cpus[0] = &cpus[0];
    guest.cpus[1] = &cpus[1];
    overflow(&cpus[0]);
    overflow(&cpus[1]);
    guest_irq_follow(&cpus[1]);
    assert_int_equal(written.n, 2);
    assert_ptr_equal(cpus[1].limit, records); /* it looks at the next block */
    clear_flag(&cpus[0]);
    guest_irq_follow(&cpus[1]);
    assert_written(4, 0x08000000 + 0x200, 1u << 23);
    guest_irq_follow(&cpus[1]);
    assert_int_equal(written.n, 4);
    clear_flag(&cpus[1]);
    guest_irq_follow(&cpus[0]);
    assert_written(5, 0x08000000 + 0x280, 1u << 23);
    guest.cpus[0] = guest.cpus[1] = NULL;
}

TEST(each_processor_has_an_interrupt)
{
    start("cortex-a8", "gic:132+133", "virt");
    assert_null(guest_irq_check(&controller, 1));
    assert_non_null(strstr(guest_irq_check(&controller, 2), "irq: 2 interrupts"));
    start("cortex-a8", "gic:132", "virt");
    assert_null(guest_irq_check(&controller, 7));
    start("cortex-a8", "none", "");
    assert_null(guest_irq_check(&controller, 7));
}

/* Of a machine that counts instructions. */
TEST(the_line_waits_for_the_last_instruction)
{
    start("cortex-a8", "gic:132", "virt");
    guest.cpus[0] = &cpus[0];
    guest.has_icount = true;
    assert_true(guest_irq_waits_for_block_end());
    overflow(&cpus[0]);
    assert_int_equal(written.n, 0);
    guest_irq_at_block_end(0, NULL);
    assert_int_equal(written.n, 1);
    clear_flag(&cpus[0]);
    assert_int_equal(written.n, 1);
    guest.has_icount = false;
    assert_false(guest_irq_waits_for_block_end());
    guest.cpus[0] = NULL;
}
