#include "qemu/plugin/qemu_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define HOST(result, name, arguments) result(*qemu_api_##name) arguments;
#include "qemu/plugin/qemu_api.def"
#undef HOST

/* Arguments travel through it; each thread of QEMU that runs a processor has its own. */
static _Thread_local struct qemu_api_bytes *carrier;

static struct qemu_api_bytes *carry(unsigned bytes)
{
    if (carrier == NULL)
        carrier = qemu_api_g_byte_array_new();
    return qemu_api_g_byte_array_set_size(carrier, bytes);
}

static bool find(const char *name, void *pointer, size_t size)
{
    void *const found = dlsym(RTLD_DEFAULT, name);

    memcpy(pointer, &found, size);
    return found != NULL;
}

const char *qemu_api_find(void)
{
    const char *missing = NULL;

#define HOST(result, name, arguments)                                                              \
    if (!find(#name, &qemu_api_##name, sizeof qemu_api_##name) && missing == NULL)                 \
        missing = #name;
#include "qemu/plugin/qemu_api.def"
#undef HOST
    return missing;
}

bool qemu_api_shows_registers(void)
{
    return qemu_api_qemu_plugin_get_registers != NULL &&
           qemu_api_qemu_plugin_read_register != NULL && qemu_api_g_byte_array_new != NULL &&
           qemu_api_g_byte_array_set_size != NULL && qemu_api_g_array_get_element_size != NULL &&
           qemu_api_g_array_free != NULL;
}

bool qemu_api_counts(void)
{
    return qemu_api_qemu_plugin_num_vcpus != NULL && qemu_api_qemu_plugin_scoreboard_new != NULL &&
           qemu_api_qemu_plugin_u64_get != NULL && qemu_api_qemu_plugin_u64_set != NULL &&
           qemu_api_qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu != NULL;
}

struct qemu_plugin_register *qemu_api_register_of_all(const char *name)
{
    /* QEMU builds a list of hundreds at each call, so the first one is kept. Two threads that call
     * for the first time at once build one each, and one of these is never freed. */
    static _Atomic(struct qemu_api_array *) kept;
    struct qemu_api_array *registers = kept;

    if (registers == NULL)
        kept = registers = qemu_api_qemu_plugin_get_registers();
    return qemu_api_register_find(registers, name);
}

bool qemu_api_cpsr(uint32_t *cpsr)
{
    static _Atomic(struct qemu_plugin_register *) found; /* one of all processors */
    struct qemu_api_bytes *const bytes = carry(0);

    if (found == NULL)
        found = qemu_api_register_of_all("cpsr");
    if (found == NULL || qemu_api_qemu_plugin_read_register(found, bytes) <= 0 ||
        bytes->len != sizeof *cpsr)
        return false;
    memcpy(cpsr, bytes->data, sizeof *cpsr);
    return true;
}

struct qemu_plugin_register *qemu_api_register_find(const struct qemu_api_array *registers,
                                                    const char *name)
{
    const unsigned size =
        qemu_api_g_array_get_element_size((struct qemu_api_array *)(uintptr_t)registers);

    for (unsigned i = 0; i < registers->len; i++) {
        struct qemu_api_register reg;
        memcpy(&reg, registers->data + (size_t)i * size, sizeof reg);
        if (strcmp(reg.name, name) == 0)
            return reg.handle;
    }
    return NULL;
}

void qemu_api_register_bytes(struct qemu_plugin_register *reg, uint8_t *to, unsigned n)
{
    struct qemu_api_bytes *const bytes = carry(0);

    memset(to, 0, n);
    qemu_api_qemu_plugin_read_register(reg, bytes);
    memcpy(to, bytes->data, bytes->len < n ? bytes->len : n);
}

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg)
{
    struct qemu_api_bytes *const bytes = carry(0);
    uint64_t value = 0;

    qemu_api_qemu_plugin_read_register(reg, bytes);
    memcpy(&value, bytes->data, bytes->len < sizeof value ? bytes->len : sizeof value);
    return value;
}

/* QEMU takes as many of the bytes as the register has. */
void qemu_api_register_write(struct qemu_plugin_register *reg, uint64_t value)
{
    struct qemu_api_bytes *const bytes = carry(sizeof value);

    memcpy(bytes->data, &value, sizeof value);
    qemu_api_qemu_plugin_write_register(reg, bytes);
}

bool qemu_api_code_read(uint64_t address, uint8_t *code, unsigned n)
{
    struct qemu_api_bytes *const bytes = carry(n);
    const bool there = qemu_api_qemu_plugin_read_memory_vaddr(address, bytes, n);

    if (there)
        memcpy(code, bytes->data, n);
    return there;
}

bool qemu_api_code_write(uint64_t address, const uint8_t *code, unsigned n)
{
    struct qemu_api_bytes *const bytes = carry(n);

    memcpy(bytes->data, code, n);
    return qemu_api_qemu_plugin_write_memory_vaddr(address, bytes);
}

bool qemu_api_word_write(uint64_t address, uint32_t value)
{
    struct qemu_api_bytes *const bytes = carry(sizeof value);

    memcpy(bytes->data, &value, sizeof value);
    return qemu_api_qemu_plugin_write_memory_hwaddr(address, bytes) == 0;
}

bool qemu_api_memory_read(uint64_t address, void *data, size_t n)
{
    struct qemu_api_bytes *const bytes = carry(0);

    if (qemu_api_qemu_plugin_read_memory_hwaddr(address, bytes, n) != 0 || bytes->len < n)
        return false;
    memcpy(data, bytes->data, n);
    return true;
}

bool qemu_api_data_read(uint32_t address, uint32_t *value)
{
    struct qemu_api_bytes *const bytes = carry(0);

    if (!qemu_api_qemu_plugin_read_memory_vaddr(address, bytes, sizeof *value) ||
        bytes->len < sizeof *value)
        return false;
    memcpy(value, bytes->data, sizeof *value);
    return true;
}

bool qemu_api_data_write(uint32_t address, uint32_t value)
{
    struct qemu_api_bytes *const bytes = carry(sizeof value);

    memcpy(bytes->data, &value, sizeof value);
    return qemu_api_qemu_plugin_write_memory_vaddr(address, bytes);
}

/* The next argument of a command line whose arguments end with zero. False after the last. */
static bool next_argument(FILE *stream, char *argument, size_t size)
{
    size_t n = 0;
    int c;

    while ((c = getc(stream)) != EOF && c != '\0')
        if (n + 1 < size)
            argument[n++] = (char)c;
    argument[n] = '\0';
    return c != EOF || n > 0;
}

bool qemu_api_argument(const char *name, char *value, size_t size)
{
    char argument[4096];
    FILE *const command = fopen("/proc/self/cmdline", "re");
    bool found = false;

    while (command != NULL && !found && next_argument(command, argument, sizeof argument)) {
        const char *const text = argument + (strncmp(argument, "--", 2) == 0);
        found = strcmp(text, name) == 0;
    }
    if (found && next_argument(command, argument, sizeof argument)) {
        const char *const text = argument + (strncmp(argument, "type=", 5) == 0 ? 5 : 0);
        snprintf(value, size, "%.*s", (int)strcspn(text, ","), text);
    }
    if (command != NULL)
        fclose(command);
    return found;
}
