/* Machine files: the shipped ones, and every way in which one can be wrong. */
#include "../test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/machine.h"

#ifndef MACHINES
#error "MACHINES is the folder of the shipped machine files"
#endif

/* For mkdtemp: not the current folder, which may be the sources'. */
#define FOLDER P_tmpdir "/armpmu-machine-XXXXXX"

static const char *const shipped[] = {"cortex-a8",
                                      "cortex-a8-a10",
                                      "cortex-a8-am335x",
                                      "cortex-a8-beaglebone",
                                      "cortex-a8-omap3530",
                                      "cortex-a8-plain",
                                      "neoverse-n1",
                                      "neoverse-n1-plain",
                                      "neoverse-n2",
                                      "neoverse-n2-plain",
                                      "neoverse-v1",
                                      "neoverse-v1-plain",
                                      "amuv1",
                                      "amuv1-plain",
                                      "altra",
                                      "graviton2",
                                      "graviton3",
                                      "rk3588-a76",
                                      "cortex-a76",
                                      "cortex-a76-plain",
                                      "raspberrypi5",
                                      "cortex-a57",
                                      "cortex-a57-plain",
                                      "jetson-nano",
                                      "cortex-a72",
                                      "cortex-a72-plain",
                                      "raspberrypi4",
                                      "neoverse-v2",
                                      "neoverse-v2-plain",
                                      "graviton4",
                                      "cortex-a77",
                                      "cortex-a77-plain",
                                      "cortex-a78",
                                      "cortex-a78-plain",
                                      "cortex-x1",
                                      "cortex-x1-plain",
                                      "cortex-a53",
                                      "cortex-a53-plain",
                                      "raspberrypi3",
                                      "cortex-a55",
                                      "cortex-a55-plain",
                                      "rk3588-a55",
                                      "odroid-m1"};

#define N_SHIPPED (sizeof shipped / sizeof shipped[0])

/* Reads a machine from text, as if it were the file x.ini beside the shipped ones. */
static enum armpmu_status read_text(const char *text, size_t length, struct armpmu_machine **out,
                                    struct armpmu_error *err)
{
    FILE *const file =
        length > 0 ? fmemopen((void *)(uintptr_t)text, length, "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    const enum armpmu_status status = machine_read(file, "x.ini", MACHINES, out, err);
    fclose(file);
    return status;
}

static struct armpmu_machine *load(const char *name)
{
    struct armpmu_machine *machine = NULL;
    struct armpmu_error err = {""};

    if (armpmu_machine_load(name, MACHINES, &machine, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    assert_non_null(machine);
    return machine;
}

static char *read_shipped(const char *name, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.ini", MACHINES, name);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    char *const text = calloc(1, 65536);
    assert_non_null(text);
    *length = fread(text, 1, 65535, file);
    fclose(file);
    return text;
}

TEST(shipped_machines_are_what_their_names_say)
{
    static const struct {
        const char *name, *core, *described;
    } cases[] = {
        {"cortex-a8", "cortex-a8",
         "1000 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 256K/8/64, TLB 32+32, seed 1"},
        {"cortex-a8-a10", "cortex-a8",
         "912 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 256K/8/64, TLB 32+32, seed 1"},
        {"cortex-a8-am335x", "cortex-a8",
         "1000 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 256K/8/64, TLB 32+32, seed 1"},
        {"cortex-a8-beaglebone", "cortex-a8",
         "1000 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 256K/8/64, TLB 32+32, seed 1"},
        {"cortex-a8-omap3530", "cortex-a8",
         "720 MHz, L1I 16K/4/64 L1D 16K/4/64 L2 256K/8/64, TLB 32+32, seed 1"},
        {"cortex-a8-plain", "cortex-a8",
         "1000 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 256K/8/64, TLB 32+32, seed 1"},
        {"neoverse-n1", "neoverse-n1",
         "3000 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+48, seed 1"},
        {"neoverse-n1-plain", "neoverse-n1",
         "3000 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+48, seed 1"},
        {"neoverse-n2", "neoverse-n2",
         "3000 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+44, seed 1"},
        {"neoverse-n2-plain", "neoverse-n2",
         "3000 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+44, seed 1"},
        {"neoverse-v1", "neoverse-v1",
         "2600 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+40, seed 1"},
        {"neoverse-v1-plain", "neoverse-v1",
         "2600 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+40, seed 1"},
        {"amuv1", "amuv1", "2600 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+40, seed 1"},
        {"amuv1-plain", "amuv1",
         "2600 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+40, seed 1"},
        {"altra", "neoverse-n1",
         "3000 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+48, seed 1"},
        {"graviton2", "neoverse-n1",
         "2500 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+48, seed 1"},
        {"graviton3", "neoverse-v1",
         "2600 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+40, seed 1"},
        {"rk3588-a76", "cortex-a76",
         "2256 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 512K/8/64, TLB 48+48, seed 1"},
        {"cortex-a76", "cortex-a76",
         "2400 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 512K/8/64, TLB 48+48, seed 1"},
        {"cortex-a76-plain", "cortex-a76",
         "3000 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+48, seed 1"},
        {"raspberrypi5", "cortex-a76",
         "2400 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 512K/8/64, TLB 48+48, seed 1"},
        {"cortex-a57", "cortex-a57",
         "1500 MHz, L1I 48K/3/64 L1D 32K/2/64 L2 2048K/16/64, TLB 48+32, seed 1"},
        {"cortex-a57-plain", "cortex-a57",
         "1500 MHz, L1I 48K/3/64 L1D 32K/2/64 L2 2048K/16/64, TLB 48+32, seed 1"},
        {"jetson-nano", "cortex-a57",
         "1479 MHz, L1I 48K/3/64 L1D 32K/2/64 L2 2048K/16/64, TLB 48+32, seed 1"},
        {"cortex-a72", "cortex-a72",
         "1500 MHz, L1I 48K/3/64 L1D 32K/2/64 L2 1024K/16/64, TLB 48+32, seed 1"},
        {"cortex-a72-plain", "cortex-a72",
         "1500 MHz, L1I 48K/3/64 L1D 32K/2/64 L2 1024K/16/64, TLB 48+32, seed 1"},
        {"raspberrypi4", "cortex-a72",
         "1500 MHz, L1I 48K/3/64 L1D 32K/2/64 L2 1024K/16/64, TLB 48+32, seed 1"},
        {"neoverse-v2", "neoverse-v2",
         "2800 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 2048K/8/64, TLB 48+48, seed 1"},
        {"neoverse-v2-plain", "neoverse-v2",
         "2800 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 2048K/8/64, TLB 48+48, seed 1"},
        {"graviton4", "neoverse-v2",
         "2800 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 2048K/8/64, TLB 48+48, seed 1"},
        {"cortex-a77", "cortex-a77",
         "2400 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 512K/8/64, TLB 48+48, seed 1"},
        {"cortex-a77-plain", "cortex-a77",
         "2400 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 512K/8/64, TLB 48+48, seed 1"},
        {"cortex-a78", "cortex-a78",
         "2400 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 512K/8/64, TLB 48+48, seed 1"},
        {"cortex-a78-plain", "cortex-a78",
         "2400 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 512K/8/64, TLB 48+48, seed 1"},
        {"cortex-x1", "cortex-x1",
         "2800 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+40, seed 1"},
        {"cortex-x1-plain", "cortex-x1",
         "2800 MHz, L1I 64K/4/64 L1D 64K/4/64 L2 1024K/8/64, TLB 48+40, seed 1"},
        {"cortex-a53", "cortex-a53",
         "1500 MHz, L1I 32K/2/64 L1D 32K/4/64 L2 512K/16/64, TLB 10+10, seed 1"},
        {"cortex-a53-plain", "cortex-a53",
         "1500 MHz, L1I 32K/2/64 L1D 32K/4/64 L2 512K/16/64, TLB 10+10, seed 1"},
        {"raspberrypi3", "cortex-a53",
         "1200 MHz, L1I 32K/2/64 L1D 32K/4/64 L2 512K/16/64, TLB 10+10, seed 1"},
        {"cortex-a55", "cortex-a55",
         "1800 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 128K/4/64, TLB 15+16, seed 1"},
        {"cortex-a55-plain", "cortex-a55",
         "1800 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 128K/4/64, TLB 15+16, seed 1"},
        {"rk3588-a55", "cortex-a55",
         "1934 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 128K/4/64, TLB 15+16, seed 1"},
        {"odroid-m1", "cortex-a55",
         "2070 MHz, L1I 32K/4/64 L1D 32K/4/64 L2 512K/16/64, TLB 15+16, seed 1"},
    };

    for (size_t i = 0; i < N_SHIPPED; i++) {
        struct armpmu_machine *const machine = load(shipped[i]);
        char text[128];
        armpmu_machine_describe(machine, text, sizeof text);
        assert_string_equal(cases[i].name, shipped[i]);
        assert_string_equal(text, cases[i].described);
        assert_string_equal(armpmu_machine_name(machine), shipped[i]);
        assert_string_equal(armpmu_machine_core(machine)->name, cases[i].core);
        assert_true(strlen(armpmu_machine_title(machine)) > 10);
        armpmu_machine_free(machine);
    }
}

TEST(the_bus_unit_drives_four_inputs_where_there_is_one)
{
    static const char *const names[] = {"xscale-80200", "pxa270", "cortex-a8"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct armpmu_machine *machine;
        struct armpmu_error err = {""};
        unsigned n = 0;
        assert_int_equal(armpmu_machine_load(names[i], MACHINES, &machine, &err), ARMPMU_OK);
        for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            n += armpmu_machine_drives(machine, (enum armpmu_signal)signal);
        assert_int_equal(n, i == 0 ? 4 : 0);
        assert_int_equal(armpmu_machine_drives(machine, ARMPMU_SIGNAL_PRODUCT_INPUT6), i == 0);
        assert_false(armpmu_machine_drives(machine, ARMPMU_SIGNAL_PRODUCT_INPUT5)); /* ECC error */
        armpmu_machine_free(machine);
    }
}

TEST(a_base_gives_what_the_file_leaves_out)
{
    struct armpmu_machine *const whole = load("cortex-a8");
    struct armpmu_machine *const plain = load("cortex-a8-plain");

    assert_int_equal(plain->l1d_replacement, REPLACEMENT_LRU);
    assert_int_equal(whole->l1d_replacement, REPLACEMENT_RANDOM);
    assert_int_equal(plain->memory_page_map, PAGE_MAP_IDENTITY);
    assert_int_equal(whole->memory_page_map, PAGE_MAP_SCATTERED);
    assert_int_equal(plain->way_hash_enabled, YESNO_NO);
    assert_int_equal(plain->branch_wrong_path_fetches, 0);
    assert_int_equal(plain->branch_counters, whole->branch_counters);
    assert_int_equal(whole->branch_counters, 4096);
    assert_string_equal(armpmu_machine_value(plain, "l1d.replacement"), "lru");
    assert_string_equal(armpmu_machine_value(plain, "branch.counters"), "4096");
    assert_string_equal(armpmu_machine_value(plain, "store_buffer.entries"), "8");
    assert_null(armpmu_machine_value(plain, "l1d"));
    assert_null(armpmu_machine_value(plain, "l1d.replace"));
    assert_null(armpmu_machine_value(plain, ".replacement"));
    assert_null(armpmu_machine_value(plain, ""));
    armpmu_machine_free(plain);
    armpmu_machine_free(whole);
    armpmu_machine_free(NULL);
}

TEST(a_description_is_cut_to_the_space_there_is)
{
    static const char none[] = "[machine]\nname = x\nbase = cortex-a8\n[l2]\nsize_kb = 0\n";
    struct armpmu_machine *machine = NULL;
    char text[9] = "????????", whole[128];

    assert_int_equal(read_text(none, strlen(none), &machine, NULL), ARMPMU_OK);
    armpmu_machine_describe(machine, text, sizeof text);
    assert_string_equal(text, "1000 MHz");
    armpmu_machine_describe(machine, whole, sizeof whole);
    assert_non_null(strstr(whole, " no L2,"));
    armpmu_machine_free(machine);
}

/* A row: a file, and the whole message about it. */
/* Whether a message is the wanted one, which may leave out its end: "...". */
static bool is_message(const char *message, const char *wanted)
{
    const char *const left_out = strstr(wanted, "...");
    return left_out == NULL ? strcmp(message, wanted) == 0
                            : strncmp(message, wanted, (size_t)(left_out - wanted)) == 0;
}

TEST(a_wrong_file_is_told_by_line_key_value_and_limit)
{
#define START  "[machine]\nname = x\nbase = cortex-a8\n"
#define SERVER "[machine]\nname = x\nbase = neoverse-n1\n"
    static const struct {
        int line;
        const char *text;
        enum armpmu_status status;
        const char *message;
    } cases[] = {
        {__LINE__, "[machine]\nname = x\ncore = xscale1\nbase = cortex-a8\n", ARMPMU_BAD_CONFIG,
         "x.ini: l1i.fetch_bytes is not a key of a machine with the core xscale1; remove it, or "
         "base "
         "the machine on one with that core"},
        {__LINE__, "", ARMPMU_BAD_CONFIG, "x.ini: machine.name is missing; give it in [machine]"},
        {__LINE__, "[machine]\nname = x\n", ARMPMU_BAD_CONFIG,
         "x.ini: machine.core is missing; give it in [machine]"},
        {__LINE__, "[machine]\nname = x\ncore = cortex-a8\n", ARMPMU_BAD_CONFIG,
         "x.ini: machine.title is missing; give it in [machine]"},
        {__LINE__, "[machine]\nname = x\ncore = cortex-a8\ntitle = X\n", ARMPMU_BAD_CONFIG,
         "x.ini: clock.mhz is missing; give it, or name a complete machine with \"base = NAME\" in "
         "[machine]"},
        {__LINE__, "[machine]\nname = x\ncore = cortex-a9\n", ARMPMU_BAD_CONFIG,
         "x.ini:3: machine.core = cortex-a9: is not a core; 'armpmu list core' lists them"},
        {__LINE__, "[machine]\nname = ../x\n", ARMPMU_BAD_CONFIG,
         "x.ini:2: machine.name = ../x: must be letters, digits, '.', '_' and '-'"},
        {__LINE__, "[machine]\nname =\n", ARMPMU_BAD_CONFIG,
         "x.ini:2: machine.name = : must not be empty"},
        {__LINE__,
         "[machine]\nname = a234567890b234567890c234567890d234567890e234567890f234567890"
         "1234\n",
         ARMPMU_BAD_CONFIG,
         "x.ini:2: machine.name = a234567890b234567890c234567890d234567890e234567890f2345678901234:"
         " must not be longer than 63 characters"},
        {__LINE__, "[machine]\nname = x\nbase = nowhere\n", ARMPMU_NOT_FOUND,
         "x.ini:3: machine.base = nowhere: no nowhere.ini beside this file or among the machines; "
         "'armpmu list machine' lists them"},
        {__LINE__, "[machine]\nname = x\nname = y\n", ARMPMU_BAD_CONFIG,
         "x.ini:3: machine.name is given a second time, first in line 2; remove one of them"},
        {__LINE__, "[machine]\ncolour = red\n", ARMPMU_BAD_CONFIG,
         "x.ini:2: [machine] has no key 'colour'; it has name, core, title, base"},
        {__LINE__, START "[l1d]\nsize_kb = 48\n", ARMPMU_BAD_CONFIG,
         "x.ini: l1d.size_kb = 48: must be a power of two on the core cortex-a8"},
        {__LINE__, START "[l1i]\nways = 3\nsize_kb = 48\n", ARMPMU_BAD_CONFIG,
         "x.ini: l1i.size_kb = 48: must be a power of two on the core cortex-a8"},
        {__LINE__, SERVER "[l1d]\nways = 3\n", ARMPMU_BAD_CONFIG,
         "x.ini: l1d.size_kb = 64: no whole number of sets of l1d.ways = 3 lines of 64 bytes; "
         "change one of them"},
        {__LINE__, SERVER "[llc]\nsize_kb = 3\nways = 32\n", ARMPMU_BAD_CONFIG,
         "x.ini: llc.size_kb = 3: no whole number of sets of llc.ways = 32 lines of 64 bytes; "
         "change one of them"},
        {__LINE__, START "[l1d]\nsize_kb = 0\n", ARMPMU_BAD_CONFIG,
         "x.ini: l1d.size_kb = 0: a cortex-a8 has this cache; give its size, 1 to 1024"},
        {__LINE__, START "[l1d]\nsize_kb = 2048\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: l1d.size_kb = 2048: must be a number from 0 to 1024"},
        {__LINE__, START "[l2]\nsize_kb = 3 ; odd\n", ARMPMU_BAD_CONFIG,
         "x.ini: l2.size_kb = 3: must be a power of two on the core cortex-a8"},
        {__LINE__, START "[clock]\nmhz = fast\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: clock.mhz = fast: must be a number from 1 to 10000"},
        {__LINE__, START "[clock]\nmhz = -1\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: clock.mhz = -1: must be a number from 1 to 10000"},
        {__LINE__, START "[clock]\nmhz = 0x10\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: clock.mhz = 0x10: must be a number from 1 to 10000"},
        {__LINE__, START "[clock]\nmhz =\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: clock.mhz = : must be a number from 1 to 10000"},
        {__LINE__, START "[clock]\nmhz = 1 GHz\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: clock.mhz = 1 GHz: must be a number from 1 to 10000"},
        {__LINE__, START "[random]\nseed = 4294967296\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: random.seed = 4294967296: must be a number from 0 to 4294967295"},
        {__LINE__, START "[random]\nseed = 18446744073709551617\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: random.seed = 18446744073709551617: must be a number from 0 to 4294967295"},
        {__LINE__, START "[l1d]\nreplacement = fifo\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: l1d.replacement = fifo: must be random, round-robin or lru"},
        {__LINE__, START "[branch]\nprediction = true\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: branch.prediction = true: must be no or yes"},
        {__LINE__, START "[memory]\npage_map = 1:1\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: memory.page_map = 1:1: must be identity or scattered"},
        {__LINE__, START "[l1d]\nways = 4\n\n; again\nways = 4\n", ARMPMU_BAD_CONFIG,
         "x.ini:8: l1d.ways is given a second time, first in line 5; remove one of them"},
        {__LINE__, START "[itlb]\nsize = 4\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: [itlb] has no key 'size'; it has entries, replacement"},
        {__LINE__, START "[l3]\n", ARMPMU_BAD_CONFIG,
         "x.ini:4: there is no section [l3]; there are machine, stub, clock, l1i, ..."},
        {__LINE__, START "[l1d\nways = 4\n", ARMPMU_BAD_CONFIG,
         "x.ini:4: the ']' is missing that ends the section's name"},
        {__LINE__, START "[l1d] ways = 4\n", ARMPMU_BAD_CONFIG,
         "x.ini:4: nothing but a comment may follow [l1d]"},
        {__LINE__, START "[l1d]\n  ways = 4\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: the line is indented; keys and sections begin at its first character"},
        {__LINE__, START "[l1d]\nways\n", ARMPMU_BAD_CONFIG,
         "x.ini:5: this is not \"key = value\""},
        {__LINE__, "ways = 4\n", ARMPMU_BAD_CONFIG, "x.ini:1: ways is before the first [section]"},
        {__LINE__,
         START "\x7f"
               "ELF\x01\x01\n",
         ARMPMU_BAD_CONFIG,
         "x.ini:4: this is not text; a machine file holds \"key = value\" lines"},
        {__LINE__, START "[l1i]\nsize_kb = 1\nways = 32\n", ARMPMU_BAD_CONFIG,
         "x.ini: l1i.size_kb = 1: too small for l1i.ways = 32 lines of l1i.line_bytes = 64; must "
         "be at least 2"},
        {__LINE__, START "[l2]\nsize_kb = 1\nways = 32\nline_bytes = 128\n", ARMPMU_BAD_CONFIG,
         "x.ini: l2.size_kb = 1: too small for l2.ways = 32 lines of l2.line_bytes = 128; must be "
         "at least 4"},
        {__LINE__, START "[l1i]\nline_bytes = 16\nfetch_bytes = 32\n", ARMPMU_BAD_CONFIG,
         "x.ini: l1i.fetch_bytes = 32: must not be more than l1i.line_bytes = 16"},
        {__LINE__, START "[branch]\nbtb_entries = 2\nbtb_ways = 4\n", ARMPMU_BAD_CONFIG,
         "x.ini: branch.btb_ways = 4: must not be more than branch.btb_entries = 2"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu_error err = {"no message"};
        struct armpmu_machine *machine = (struct armpmu_machine *)&err;
        const enum armpmu_status status =
            read_text(cases[i].text, strlen(cases[i].text), &machine, &err);
        if (status != cases[i].status || !is_message(err.message, cases[i].message))
            fail_msg("line %d: status %u, want %u\n got: %s\nwant: %s", cases[i].line, status,
                     cases[i].status, err.message, cases[i].message);
        assert_null(machine);
    }
}

TEST(a_nul_is_not_text)
{
    static const char text[] = "[machine]\nname = x\0y\n";
    struct armpmu_error err;
    struct armpmu_machine *machine = NULL;

    assert_int_equal(read_text(text, sizeof text - 1, &machine, &err), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message,
                        "x.ini:2: this is not text; a machine file holds \"key = value\" lines");
}

TEST(a_line_longer_than_the_parser_can_take_is_told)
{
    char text[1024];
    struct armpmu_error err;
    struct armpmu_machine *machine = NULL;

    snprintf(text, sizeof text, START "[l1d]\nways = 2 ;%0500d\n", 4);
    assert_int_equal(read_text(text, strlen(text), &machine, &err), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message,
                        "x.ini:5: the line is too long; break the comment into lines of its own");
}

TEST(unusual_but_right_files_are_taken)
{
    static const char *const texts[] = {
        "[machine]\r\nname = x\r\nbase = cortex-a8\r\n[l1d]\r\nways = 2\r\n",
        "\xef\xbb\xbf[machine]\nname = x\nbase = cortex-a8\n[l1d]\nways=2",
        "# hash\n\n   ; comment\n[machine]\nbase : cortex-a8\nname : x\n[l1d] ; data\nways = 002\n",
        /* a cache of one set is the least */
        START "[l1d]\nsize_kb = 1\nways = 2\nline_bytes = 128\n[l2]\nsize_kb = 1\nways = 16\n",
        "[l1d]\nways = 2\n[l2]\n[machine]\nname = x\nbase = cortex-a8-plain\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct armpmu_error err = {""};
        struct armpmu_machine *machine = NULL;
        if (read_text(texts[i], strlen(texts[i]), &machine, &err) != ARMPMU_OK)
            fail_msg("file %zu: %s", i, err.message);
        assert_int_equal(machine->l1d_ways, 2);
        assert_string_equal(armpmu_machine_name(machine), "x");
        armpmu_machine_free(machine);
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

TEST(files_are_found_by_name_and_by_path)
{
    char folder[] = FOLDER, path[64], search[600], message[700];
    struct armpmu_error err;
    struct armpmu_machine *machine = NULL;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mine.ini", folder);
    snprintf(search, sizeof search, "/nonexistent::%s:%s", folder, MACHINES);
    write_file(path, START "[clock]\nmhz = 5\n");

    assert_int_equal(armpmu_machine_load("mine", search, &machine, &err), ARMPMU_OK);
    assert_int_equal(armpmu_machine_clock_mhz(machine), 5);
    armpmu_machine_free(machine);
    assert_int_equal(armpmu_machine_load(path, MACHINES, &machine, &err), ARMPMU_OK);
    armpmu_machine_free(machine);

    /* The base of a file given by path is looked for beside it, then in the search list, then among
     * those that are compiled in. */
    assert_int_equal(armpmu_machine_load(path, "", &machine, &err), ARMPMU_OK);
    assert_int_equal(armpmu_machine_clock_mhz(machine), 5);
    armpmu_machine_free(machine);
    assert_int_equal(armpmu_machine_load("cortex-r4f", NULL, &machine, &err), ARMPMU_OK);
    armpmu_machine_free(machine);
    write_file(path, "[machine]\nname = mine\nbase = nothing\n");
    assert_int_equal(armpmu_machine_load(path, "", &machine, &err), ARMPMU_NOT_FOUND);
    write_file(path, "[machine]\nname = mine\nbase = mine\n");
    assert_int_equal(armpmu_machine_load(path, "", &machine, &err), ARMPMU_BAD_CONFIG);
    snprintf(message, sizeof message,
             "%s:3: machine.base = mine: a chain of more than 7 bases; is there a circle?", path);
    assert_string_equal(err.message, message);

    /* A mistake in a base is told with the base's name. */
    snprintf(search, sizeof search, "%s/other.ini", folder);
    write_file(search, "[machine]\nname = other\nbase = mine\n");
    write_file(path, "[machine]\nname = mine\n[clock]\nmhz = x\n");
    assert_int_equal(armpmu_machine_load(search, "", &machine, &err), ARMPMU_BAD_CONFIG);
    snprintf(message, sizeof message, "%s:4: clock.mhz = x: must be a number from 1 to 10000",
             path);
    assert_string_equal(err.message, message);

    assert_int_equal(armpmu_machine_load("nothing", MACHINES, &machine, &err), ARMPMU_NOT_FOUND);
    assert_string_equal(err.message, "no machine is called 'nothing'; 'armpmu list machine' lists "
                                     "them, and a file is given as ./NAME.ini");
    assert_int_equal(armpmu_machine_load("nothing.ini", "", &machine, &err), ARMPMU_NOT_FOUND);
    assert_string_equal(err.message, "nothing.ini: no such machine file; 'armpmu list machine' "
                                     "lists them");
    assert_int_equal(armpmu_machine_load("./", "", &machine, &err), ARMPMU_IO);
    assert_string_equal(err.message, "./: Is a directory; name a machine file that can be read");
    assert_int_equal(armpmu_machine_load("nothing", "", &machine, NULL), ARMPMU_NOT_FOUND);

    unlink(search);
    unlink(path);
    rmdir(folder);
}

/* Seven bases behind each other are taken, eight are not. */
TEST(settings_change_a_machine)
{
    const char *const settings[] = {"l2.size_kb=512", "l2.ways=16", "random.seed=7"};
    struct armpmu_machine *machine;
    struct armpmu_error err;

    assert_int_equal(
        armpmu_machine_load_changed("cortex-a8", MACHINES, settings, 3, &machine, &err), ARMPMU_OK);
    assert_string_equal(armpmu_machine_value(machine, "l2.size_kb"), "512");
    assert_string_equal(armpmu_machine_value(machine, "l2.ways"), "16");
    assert_int_equal(machine->random_seed, 7);
    assert_string_equal(armpmu_machine_settings(machine),
                        "l2.size_kb=512 l2.ways=16 random.seed=7");
    armpmu_machine_free(machine);
}

TEST(a_wrong_setting_is_told_by_key_value_and_limit)
{
    static const struct {
        const char *setting, *message;
    } wrong[] = {
        {"l2.size_kb=300",
         "--set l2.size_kb=300: l2.size_kb = 300: must be a power of two on the core cortex-a8"},
        {"l2.size=1", "--set l2.size=1: [l2] has no key 'size'; it has size_kb, ways, "},
        {"cache.size=1", "--set cache.size=1: there is no section 'cache'; there are clock, l1i, "},
        {"machine.name=x",
         "--set machine.name=x: there is no section 'machine'; there are clock, "},
        {"l2.size_kb", "--set l2.size_kb: must be SECTION.KEY=VALUE, as in l2.size_kb=512"},
        {"=1", "--set =1: must be SECTION.KEY=VALUE, as in l2.size_kb=512"},
        {"window.entries=9",
         "--set window.entries=9: window.entries is not a key of a machine with the core "
         "cortex-a8"},
        {"l2.ways=0", "--set l2.ways=0: l2.ways must be "},
    };
    struct armpmu_machine *machine;
    struct armpmu_error err;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(armpmu_machine_load_changed("cortex-a8", MACHINES, &wrong[i].setting, 1,
                                                     &machine, &err),
                         ARMPMU_BAD_CONFIG);
        assert_null(machine);
        if (strstr(err.message, wrong[i].message) == NULL)
            fail_msg("'%s' lacks '%s'", err.message, wrong[i].message);
    }
}

TEST(a_chain_of_bases_has_an_end)
{
    char folder[] = FOLDER, path[64], text[96];
    struct armpmu_error err = {""};
    struct armpmu_machine *machine = NULL;

    assert_non_null(mkdtemp(folder));
    for (int i = 1; i <= 8; i++) {
        snprintf(path, sizeof path, "%s/m%d.ini", folder, i);
        if (i == 1)
            snprintf(text, sizeof text, "[machine]\nname = m1\nbase = cortex-a8\n");
        else
            snprintf(text, sizeof text, "[machine]\nname = m%d\nbase = m%d\n", i, i - 1);
        write_file(path, text);
        const enum armpmu_status status = armpmu_machine_load(path, MACHINES, &machine, &err);
        assert_int_equal(status, i < 8 ? ARMPMU_OK : ARMPMU_BAD_CONFIG);
        armpmu_machine_free(machine);
    }
    for (int i = 1; i <= 8; i++) {
        snprintf(path, sizeof path, "%s/m%d.ini", folder, i);
        unlink(path);
    }
    rmdir(folder);
}

/* A number without a source is a guess that nobody can see. */
TEST(every_value_names_its_source)
{
    for (size_t i = 0; i < N_SHIPPED; i++) {
        size_t length = 0;
        char *const text = read_shipped(shipped[i], &length);
        bool in_machine = false;
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            if (line[0] == '[')
                in_machine = strcmp(line, "[machine]") == 0;
            if (line[0] == '[' || line[0] == ';' || in_machine)
                continue;
            const char *const comment = strstr(line, " ; ");
            if (comment == NULL)
                fail_msg("%s: no source in: %s", shipped[i], line);
            static const char *const sources[] = {
                "assumed", "TRM, ",   "COA", "CAQA",  "GCC",     "ARM DDI ", "TI SPRS",  "LLVM",
                "ARMT",    "USTRESS", "WC",  "A76",   "A72",     "SOG",      "IB",       "QSDR",
                "RAMLAT",  "AT",      "LP",  "LSCPU", "RK3588",  "RPI",      "CC",       "DSU",
                "BTB",     "HC",      "V3",  "ARM: ", "LINUX, ", "SDK, ",    "U-Boot, ", "Altra",
                "SBC",     "TH",      "TD",  "NV",    "BHB",     "SLOTHY",   "RK3568",   "AGX",
                "JC",      "A57",     "SSS"};
            bool named = false;
            for (size_t j = 0; j < sizeof sources / sizeof sources[0]; j++)
                named |= strncmp(comment + 3, sources[j], strlen(sources[j])) == 0;
            if (!named)
                fail_msg("%s: no source in: %s", shipped[i], line);
        }
        free(text);
    }
}

static uint64_t draw(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 31);
}

/* Whatever happens to a file, it is read or told about, and never both. */
static void check_outcome(const char *text, size_t length)
{
    struct armpmu_error err = {""};
    struct armpmu_machine *machine = NULL;
    const enum armpmu_status status = read_text(text, length, &machine, &err);

    assert_int_equal(status == ARMPMU_OK, machine != NULL);
    assert_int_equal(status == ARMPMU_OK, err.message[0] == '\0');
    assert_null(strchr(err.message, '\n'));
    armpmu_machine_free(machine);
}

TEST(a_file_cut_short_never_crashes)
{
    for (size_t i = 0; i < N_SHIPPED; i++) {
        size_t length = 0;
        char *const text = read_shipped(shipped[i], &length);
        for (size_t cut = 0; cut <= length; cut += 1 + length / 700)
            check_outcome(text, cut);
        free(text);
    }
}

TEST(a_mutated_file_never_crashes)
{
    static const char pieces[][12] = {"[",    "]",   "=", ";",          "\n",
                                      "\r",   " ",   "0", "9999999999", "\xff",
                                      "base", "l1d", "-", "[machine]\n"};
    uint64_t seed = 20240611;

    for (unsigned round = 0; round < 2000; round++) {
        size_t length = 0;
        char *const text = read_shipped(shipped[draw(&seed) % N_SHIPPED], &length);
        for (uint64_t n = 1 + draw(&seed) % 4; n > 0; n--) {
            const size_t at = draw(&seed) % length;
            const char *const piece = pieces[draw(&seed) % (sizeof pieces / sizeof pieces[0])];
            if (draw(&seed) % 2 == 0)
                memmove(text + at, text + at + 1, --length - at);
            for (size_t j = 0; piece[j] != '\0' && at + j < length; j++)
                text[at + j] = piece[j];
        }
        check_outcome(text, length);
        free(text);
    }
}
