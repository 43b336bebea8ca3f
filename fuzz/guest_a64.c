/* Fuzzes what stands beside an AArch64 guest's processors: accesses to the activity monitors with
 * their traps and exceptions, fields that QEMU lacks, the memory-mapped view, what the model hears.
 * The input is a list of what two processors do, with any words, registers and addresses.
 *
 * Whatever they do, registers of the guest change only where an access says so, code that an
 * stub was written over comes back, and no more vectors are in use than stub are under way. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/pmu_insn.h"
#include "qemu/plugin/guest64.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_report.h"

#include "../tests/qemu/plugin/known_plugin.h"

#define NAMES_MAX  64u
#define VBAR       0x80000u
#define N_CPUS     2u
#define N_GENERAL  31u
#define CODE_BYTES 0x2000u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

struct guest guest = {.state = &guest_aarch64};

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* ---- QEMU ---- */

/* One set of values for each processor; a handle is an index from 1. */
static const char *const names[] = {
    "x0",       "x1",       "x2",       "x3",        "x4",       "x5",       "x6",
    "x7",       "x8",       "x9",       "x10",       "x11",      "x12",      "x13",
    "x14",      "x15",      "x16",      "x17",       "x18",      "x19",      "x20",
    "x21",      "x22",      "x23",      "x24",       "x25",      "x26",      "x27",
    "x28",      "x29",      "x30",      "sp",        "pc",       "cpsr",     "SP_EL0",
    "SP_EL1",   "SP_EL2",   "HCR_EL2",  "SCR_EL3",   "CPTR_EL2", "CPTR_EL3", "HFGRTR_EL2",
    "SPSR_EL1", "SPSR_EL2", "SPSR_EL3", "CPACR_EL1", "TTBR1_EL2"};

#define N_NAMES (sizeof names / sizeof *names)

static uint64_t values[N_CPUS][N_NAMES];
static unsigned running;
static uint8_t code[CODE_BYTES]; /* at VBAR */
static bool died;

struct qemu_plugin_register *qemu_api_register_find(const struct qemu_api_array *all,
                                                    const char *name)
{
    (void)all;
    for (uintptr_t i = 0; i < N_NAMES; i++)
        if (strcmp(names[i], name) == 0)
            return (struct qemu_plugin_register *)(i + 1);
    return NULL;
}

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg)
{
    return values[running][(uintptr_t)reg - 1];
}

void qemu_api_register_write(struct qemu_plugin_register *reg, uint64_t value)
{
    require(reg != NULL && (uintptr_t)reg <= N_NAMES);
    values[running][(uintptr_t)reg - 1] = value;
}

static bool is_code(uint64_t address, unsigned n)
{
    return address >= VBAR && address - VBAR <= sizeof code - n;
}

bool qemu_api_code_read(uint64_t address, uint8_t *bytes, unsigned n)
{
    if (is_code(address, n))
        memcpy(bytes, &code[address - VBAR], n);
    return is_code(address, n);
}

bool qemu_api_code_write(uint64_t address, const uint8_t *bytes, unsigned n)
{
    if (is_code(address, n))
        memcpy(&code[address - VBAR], bytes, n);
    return is_code(address, n);
}

static void set_pc(uint64_t address)
{
    (void)address;
}

static bool translate(uint64_t address, uint64_t *to)
{
    *to = address & 0xffffffffffff;
    return address & 1;
}

static uint64_t physical;

static struct qemu_plugin_hwaddr *get_hwaddr(uint32_t info, uint64_t address)
{
    (void)info;
    physical = address;
    return address >> 60 == 1 ? NULL : (struct qemu_plugin_hwaddr *)(uintptr_t)1;
}

static bool is_io(const struct qemu_plugin_hwaddr *hw)
{
    (void)hw;
    return physical >> 60 == 2;
}

static uint64_t phys_addr(const struct qemu_plugin_hwaddr *hw)
{
    (void)hw;
    return physical;
}

void (*qemu_api_qemu_plugin_set_pc)(uint64_t) = set_pc;
bool (*qemu_api_qemu_plugin_translate_vaddr)(uint64_t, uint64_t *) = translate;
struct qemu_plugin_hwaddr *(*qemu_api_qemu_plugin_get_hwaddr)(uint32_t, uint64_t) = get_hwaddr;
bool (*qemu_api_qemu_plugin_hwaddr_is_io)(const struct qemu_plugin_hwaddr *) = is_io;
uint64_t (*qemu_api_qemu_plugin_hwaddr_phys_addr)(const struct qemu_plugin_hwaddr *) = phys_addr;

static qemu_vcpu_udata_cb called;
static qemu_mem_cb loaded;
static void *called_with, *loaded_with;

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_vcpu_udata_cb call,
                                            enum qemu_cb_flags flags, void *user)
{
    (void)insn, (void)flags;
    called = call;
    called_with = user;
}

void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb call,
                                      enum qemu_cb_flags flags, enum qemu_mem_rw rw, void *user)
{
    (void)insn, (void)flags, (void)rw;
    loaded = call;
    loaded_with = user;
}

unsigned qemu_plugin_mem_size_shift(uint32_t info)
{
    return info & 3;
}

/* ---- the rest of the plugin ---- */

void guest_die(const char *reason)
{
    require(reason[0] != '\0');
    died = true; /* QEMU would end */
}

void guest_enter(struct guest_cpu *cpu, const struct code_block *code_block)
{
    cpu->code_block = code_block;
}

void guest_run(struct guest_cpu *cpu)
{
    armpmu_post(monitors_own(&cpu->monitors), ARMPMU_SIGNAL_INST_RETIRED, 1);
    cpu->code_block = NULL;
}

/* ---- what processors do ---- */

static struct guest_cpu cpus[N_CPUS];
static const uint8_t *next, *end;

static uint64_t take(unsigned n)
{
    uint64_t value = 0;

    for (; n > 0; n--)
        value = value << 8 | (next < end ? *next++ : 0);
    return value;
}

/* Values are seldom spread over all bits. */
static uint64_t take_value(void)
{
    const uint64_t form = take(1);

    return form < 64 ? UINT64_C(1) << form : form < 128 ? form : form < 192 ? ~form : take(8);
}

/* An access to a system register, one of the activity monitors' more often than not. */
static uint32_t take_word(void)
{
    const uint32_t bits = (uint32_t)take(4);

    return bits >> 31 ? 0xd51bd000u | (bits & 0x200fff) : 0xd5100000u | (bits & 0x2fffff);
}

static void access_register(void)
{
    static const struct code_block before;
    const struct code_block own = {
        .address = take(2), .n_bytes = 4, .n_insns = 1, .isa = ARMPMU_A64};
    struct pmu_access access = {&before, (void *)(uintptr_t)&own, NULL, take_word()};

    if (pmu_insn_is(armpmu_core_find("amuv1"), ARMPMU_A64, access.word))
        guest_access(running, &access);
    else if (guest64_is_sysop(ARMPMU_A64, access.word))
        guest64_sysop(running, &access);
    (void)guest64_may_move_pages(ARMPMU_A64, access.word);
    cpus[running].code_block = NULL;
}

/* An exception leaves one record at most, and it says which kind there was. */
static void except(void)
{
    const uint64_t from = take(2), at = VBAR + (take(1) & 3) * 0x800 + take(1) / 0x40 * 0x80;
    uint64_t records[2] = {0, 0};
    struct guest_cpu *const cpu = &cpus[running];

    cpu->cursor = records;
    guest64_except(cpu, from, take(1) & 1 ? take_value() : at);
    require(cpu->cursor == records + (records[0] != 0) && records[1] == 0);
    cpu->cursor = NULL;
}

static void run_errand(void)
{
    const uintptr_t at = VBAR + (uintptr_t)(take(1) & 3) * 0x800 + (take(1) & 7) * 4;

    called = NULL;
    if (guest64_is_stub((struct qemu_plugin_tb *)at) && called != NULL)
        called(running, called_with);
}

static void access_field(void)
{
    const uint32_t first = take_word(), second = take_word();
    const uint64_t address = (take(1) & 3) * 4;

    called = NULL;
    guest64_watch_fields(NULL, address, first, second);
    if (called != NULL)
        called(running, called_with);
    guest64_forget_read(&cpus[running], address);
}

static void load(void)
{
    static const uint32_t forms[] = {0x39000000, 0x38000000, 0x38200800};
    const uint32_t form = forms[take(1) % 3], word = form | ((uint32_t)take(4) & 0xc0c01c7f);
    const uint64_t address = (take(1) & 3) * 4;

    loaded = NULL;
    (void)guest64_memory_view_watch(NULL, address,
                                    word); /* few words: their places are kept for ever */
    if (loaded != NULL)
        loaded(running, word >> 30, take(1) & 1 ? take_value() : take(2), loaded_with);
}

static void set_register(void)
{
    const uint64_t n = take(1) % N_NAMES;

    values[running][n] = take_value();
}

static void step(void)
{
    const uint64_t what = take(1);

    running = what >> 7;
    switch (what & 7) {
    case 0:
    case 1:
        set_register();
        break;
    case 2:
        access_register();
        break;
    case 3:
        except();
        break;
    case 4:
        run_errand();
        break;
    case 5:
        access_field();
        break;
    case 6:
        load();
        break;
    default:
        values[running][33] = 0x3c0 | (take(1) & 0x1f); /* CPSR */
        guest64_return(running, NULL);
        (void)guest64_mode_of((uint32_t)values[running][33]);
        break;
    }
}

static void start(unsigned number)
{
    struct guest_cpu *const cpu = &cpus[number];
    struct armpmu_config config = {0};

    running = number;
    *cpu = (struct guest_cpu){.number = number};
    guest.cpus[number] = cpu;
    guest.state->find(cpu, NULL);
    guest.state->configure(cpu, &config);
    require(monitors_create(&cpu->monitors, &guest.cores, &config, NULL) == ARMPMU_OK);
    guest_pmu_connect(cpu);
    guest.state->begin(cpu);
}

/* Both come to the end of their stub: then the code is the guest's. */
static void finish(void)
{
    for (running = 0; running < N_CPUS; running++)
        guest64_forget_traps(&cpus[running]);
    for (size_t i = 0; i < sizeof code; i++)
        require(code[i] == (uint8_t)i || died);
    for (unsigned i = 0; i < N_CPUS; i++)
        free(cpus[i].a64);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    next = bytes;
    end = bytes + length;
    died = false;
    known_core = armpmu_core_find("amuv1");
    guest.cores = monitor_cores_of(known_core, NULL);
    memset(values, 0, sizeof values);
    for (size_t i = 0; i < sizeof code; i++)
        code[i] = (uint8_t)i;
    require(guest64_memory_view_parse("0x1000:0x1000") == NULL);
    require(guest64_amu_config_parse(take(1) & 1 ? "v1p1+enabled" : "enabled") == NULL);
    for (unsigned i = 0; i < N_CPUS; i++)
        start(i);
    while (next < end && !died)
        step();
    finish();
    return 0;
}
