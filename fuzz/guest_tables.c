/* Fuzzes the walk of a guest's page tables: registers are written with any values by any
 * instructions, and memory is the rest of the input. Whatever the tables say, a page is cached,
 * uncached or a device's; asked again, it is the same; and after the answers were forgotten, too.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "qemu/plugin/guest_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

struct guest guest;

static const uint8_t *memory;
static size_t n_memory;
static unsigned n_reads;
static uint64_t values[4]; /* Rt, Rt2, CPSR; handles count from 1 */

static void require(bool holds)
{
    if (!holds)
        abort();
}

void guest_die(const char *reason)
{
    (void)reason;
    abort();
}

struct qemu_plugin_register *qemu_api_register_find(const struct qemu_api_array *registers,
                                                    const char *name)
{
    (void)registers, (void)name;
    return (struct qemu_plugin_register *)(uintptr_t)1;
}

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg)
{
    return values[(uintptr_t)reg];
}

/* As large as 16 KB, over and over; one page in 16 is not there. */
bool qemu_api_memory_read(uint64_t address, void *data, size_t bytes)
{
    n_reads++;
    if (n_memory == 0 || (address >> 12 & 15) == 13)
        return false;
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)data)[i] = memory[(address + i) % 16384 % n_memory];
    return true;
}

static void take(const uint8_t **at, const uint8_t *end, void *out, size_t n)
{
    memset(out, 0, n);
    if ((size_t)(end - *at) < n)
        n = (size_t)(end - *at);
    memcpy(out, *at, n);
    *at += n;
}

/* One of those that are watched, or any word. */
static void write_register(const uint8_t **at, const uint8_t *end)
{
    static const uint32_t words[] = {0xee011f10, 0xee021f10, 0xee021f30, 0xee021f50, 0xee0a1f12,
                                     0xee0a1f32, 0xee081f17, 0xee081f37, 0xec421f02, 0xec421f12};
    uint8_t choice;
    uint32_t word;

    take(at, end, &choice, 1);
    take(at, end, &values[1], 4);
    take(at, end, &values[2], 4);
    if (choice & 0x80)
        values[3] = (uint64_t)choice << 28;
    word = words[(choice & 15) % 10];
    if ((choice & 15) > 9)
        take(at, end, &word, 4);
    if (guest_writes_tables(ARMPMU_A32, word))
        guest_tables_written(0, (void *)(uintptr_t)word);
}

static void ask(struct guest_cpu *cpu, uint64_t page)
{
    n_reads = 0;
    const enum page_memory first = guest_memory_of(cpu, page, true);

    require(first <= PAGE_DEVICE && n_reads <= 3);
    n_reads = 0;
    require(guest_memory_of(cpu, page, false) == first && n_reads == 0);
}

/* No input leaves registers to the next. */
static void clear_registers(struct guest_cpu *cpu)
{
    static const uint32_t words[] = {0xee021f10, 0xee021f30, 0xee0a1f12,
                                     0xee0a1f32, 0xec421f02, 0xec421f12};

    memset(values, 0, sizeof values);
    guest_tables_reset(cpu);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        guest_tables_written(0, (void *)(uintptr_t)words[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct guest_cpu cpu;
    const uint8_t *at = bytes, *const end = bytes + length;
    uint8_t n = 0;

    if (cpu.tables == NULL) {
        guest.cpus[0] = &cpu;
        guest_tables_new(&cpu, NULL);
        for (unsigned i = 0; i < 15; i++)
            cpu.reg[i] = (struct qemu_plugin_register *)(uintptr_t)(1 + i % 2);
        cpu.cpsr = (struct qemu_plugin_register *)(uintptr_t)3;
    }
    clear_registers(&cpu);
    take(&at, end, &n, 1);
    for (n &= 15; n > 0; n--)
        write_register(&at, end);
    memory = at;
    n_memory = (size_t)(end - at);
    for (uint64_t page = 0; page < GUEST_PAGES + 4; page += 0x1fff)
        ask(&cpu, page);
    for (size_t i = 0; i + 2 < n_memory && i < 64; i += 2)
        ask(&cpu, ((uint64_t)memory[i] << 12 | (uint64_t)memory[i + 1] << 4) & (GUEST_PAGES - 1));
    return 0;
}
