#include "known_plugin.h"

#include "qemu/plugin/guest64.h"
#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_report.h"

const struct armpmu_core *known_core;

uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb)
{
    return (uintptr_t)tb;
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
    (void)tb;
    return 8;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index)
{
    return (struct qemu_plugin_insn *)((uintptr_t)tb + 4 * index);
}

uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
    return (uintptr_t)insn;
}

void guest_set_limit(struct guest_cpu *cpu)
{
    (void)cpu;
}

void guest_irq_follow(struct guest_cpu *cpu)
{
    (void)cpu;
}

void guest_memory_accessed(struct guest_cpu *cpu, uint64_t address)
{
    (void)cpu, (void)address;
}

bool qemu_api_data_read(uint32_t address, uint32_t *value)
{
    (void)address, (void)value;
    return false;
}

bool qemu_api_data_write(uint32_t address, uint32_t value)
{
    (void)address, (void)value;
    return false;
}

bool qemu_api_word_write(uint64_t address, uint32_t value)
{
    (void)address, (void)value;
    return false;
}

void guest_irq_device_accessed(struct guest_cpu *cpu)
{
    (void)cpu;
}

void guest_report_mark(const struct armpmu_encoding *at)
{
    (void)at;
}

const char *armpmu_machine_value(const struct armpmu_machine *machine, const char *key)
{
    (void)machine, (void)key;
    return NULL;
}

const struct armpmu_core *armpmu_machine_core(const struct armpmu_machine *machine)
{
    (void)machine;
    return known_core;
}
