#include "qemu/plugin/qemu_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define HOST(result, name, arguments) result(*host_##name) arguments;
#include "qemu/plugin/qemu_api.def"
#undef HOST

/* Arguments travel through it; each thread of QEMU that runs a processor has its own. */
static _Thread_local struct host_bytes *carrier;

static struct host_bytes *carry(unsigned bytes)
{
    if (carrier == NULL)
        carrier = host_g_byte_array_new();
    return host_g_byte_array_set_size(carrier, bytes);
}

static bool find(const char *name, void *pointer, size_t size)
{
    void *const found = dlsym(RTLD_DEFAULT, name);

    memcpy(pointer, &found, size);
    return found != NULL;
}

const char *host_find(void)
{
#define HOST(result, name, arguments)                                                              \
    if (!find(#name, &host_##name, sizeof host_##name))                                            \
        return #name;
#include "qemu/plugin/qemu_api.def"
#undef HOST
    return NULL;
}

struct qemu_plugin_register *host_register_find(const struct host_array *registers,
                                                const char *name)
{
    const unsigned size = host_g_array_get_element_size((struct host_array *)(uintptr_t)registers);

    for (unsigned i = 0; i < registers->len; i++) {
        struct host_register reg;
        memcpy(&reg, registers->data + (size_t)i * size, sizeof reg);
        if (strcmp(reg.name, name) == 0)
            return reg.handle;
    }
    return NULL;
}

uint64_t host_register_read(struct qemu_plugin_register *reg)
{
    struct host_bytes *const bytes = carry(0);
    uint64_t value = 0;

    host_qemu_plugin_read_register(reg, bytes);
    memcpy(&value, bytes->data, bytes->len < sizeof value ? bytes->len : sizeof value);
    return value;
}

/* QEMU takes as many of the bytes as the register has. */
void host_register_write(struct qemu_plugin_register *reg, uint64_t value)
{
    struct host_bytes *const bytes = carry(sizeof value);

    memcpy(bytes->data, &value, sizeof value);
    host_qemu_plugin_write_register(reg, bytes);
}

bool host_code_read(uint64_t address, uint8_t *code, unsigned n)
{
    struct host_bytes *const bytes = carry(n);
    const bool there = host_qemu_plugin_read_memory_vaddr(address, bytes, n);

    if (there)
        memcpy(code, bytes->data, n);
    return there;
}

bool host_code_write(uint64_t address, const uint8_t *code, unsigned n)
{
    struct host_bytes *const bytes = carry(n);

    memcpy(bytes->data, code, n);
    return host_qemu_plugin_write_memory_vaddr(address, bytes);
}

bool host_word_write(uint64_t address, uint32_t value)
{
    struct host_bytes *const bytes = carry(sizeof value);

    memcpy(bytes->data, &value, sizeof value);
    return host_qemu_plugin_write_memory_hwaddr(address, bytes) == 0;
}

bool host_memory_read(uint64_t address, void *data, size_t n)
{
    struct host_bytes *const bytes = carry(0);

    if (host_qemu_plugin_read_memory_hwaddr(address, bytes, n) != 0 || bytes->len < n)
        return false;
    memcpy(data, bytes->data, n);
    return true;
}

bool host_data_read(uint32_t address, uint32_t *value)
{
    struct host_bytes *const bytes = carry(0);

    if (!host_qemu_plugin_read_memory_vaddr(address, bytes, sizeof *value) ||
        bytes->len < sizeof *value)
        return false;
    memcpy(value, bytes->data, sizeof *value);
    return true;
}

bool host_data_write(uint32_t address, uint32_t value)
{
    struct host_bytes *const bytes = carry(sizeof value);

    memcpy(bytes->data, &value, sizeof value);
    return host_qemu_plugin_write_memory_vaddr(address, bytes);
}

/* The next argument of a command line whose arguments end with zero. False behind the last. */
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

bool host_argument(const char *name, char *value, size_t size)
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
