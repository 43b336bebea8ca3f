/* What the guest role calls of QEMU 11 and newer: registers, memory, addresses. */
#ifndef QEMU_PLUGIN_QEMU_API_H
#define QEMU_PLUGIN_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_register;
struct qemu_plugin_hwaddr;

/* The two containers of the interface; more of them exists behind these fields. */
struct host_bytes {
    uint8_t *data;
    unsigned len;
};

struct host_array {
    char *data;
    unsigned len;
};

/* An element of qemu_plugin_get_registers(); newer versions have more behind. */
struct host_register {
    struct qemu_plugin_register *handle;
    const char *name, *feature;
};

#define HOST(result, name, arguments) extern result(*host_##name) arguments;
#include "qemu/plugin/qemu_api.def"
#undef HOST

/* Finds all of them. Returns the name of one that is missing, NULL when there is none. */
const char *host_find(void);

/* The register of a processor by name ("r0", "cpsr"), NULL when there is none; called while the
 * processor starts. */
struct qemu_plugin_register *host_register_find(const struct host_array *registers,
                                                const char *name);

/* A register of at most 64 bits of the processor whose callback runs. */
uint64_t host_register_read(struct qemu_plugin_register *reg);
void host_register_write(struct qemu_plugin_register *reg, uint64_t value);

/* Code at a virtual address, of the processor whose callback runs. False when nothing is there, or
 * nothing can be written there. */
bool host_code_read(uint64_t address, uint8_t *bytes, unsigned n);
bool host_code_write(uint64_t address, const uint8_t *bytes, unsigned n);

/* One 32-bit word of physical memory, devices included. False when nothing is there. */
bool host_word_write(uint64_t address, uint32_t value);

/* Physical memory. False when nothing is there. */
bool host_memory_read(uint64_t address, void *data, size_t bytes);

/* A word at a virtual address. False when there is none. */
bool host_data_read(uint32_t address, uint32_t *value);
bool host_data_write(uint32_t address, uint32_t value);

/* Whether QEMU was started with an option; name: with its '-', also found with two. value, of size
 * bytes: what stands behind it up to the first ',', without "type=". */
bool host_argument(const char *name, char *value, size_t size);

#endif
