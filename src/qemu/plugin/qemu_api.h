/* The functions of QEMU 11 and newer that the guest mode calls: registers, memory, addresses. The
 * recorder reads registers where QEMU 9 and newer show them. */
#ifndef QEMU_PLUGIN_QEMU_API_H
#define QEMU_PLUGIN_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_register;
struct qemu_plugin_hwaddr;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;

/* The two containers of the interface; more of them exists after these fields. */
struct qemu_api_bytes {
    uint8_t *data;
    unsigned len;
};

struct qemu_api_array {
    char *data;
    unsigned len;
};

/* An element of qemu_plugin_get_registers(); newer versions have more after it. */
struct qemu_api_register {
    struct qemu_plugin_register *handle;
    const char *name, *feature;
};

/* A number of 64 bits for each processor. */
struct qemu_api_counter {
    struct qemu_plugin_scoreboard *board;
    size_t offset;
};

#define HOST(result, name, arguments) extern result(*qemu_api_##name) arguments;
#include "qemu/plugin/qemu_api.def"
#undef HOST

/* Finds all of them. Returns the name of one that is missing, NULL when there is none. */
const char *qemu_api_find(void);

/* Returns whether those are there that read registers: from QEMU 9 on. */
bool qemu_api_shows_registers(void);

/* Returns whether those are there that count without a call: from QEMU 9 on. */
bool qemu_api_counts(void);

/* CPSR of the processor whose callback runs. False where it cannot be read. */
bool qemu_api_cpsr(uint32_t *cpsr);

/* The register of a processor by name ("r0", "cpsr"), NULL when there is none; called while the
 * processor starts. */
struct qemu_plugin_register *qemu_api_register_find(const struct qemu_api_array *registers,
                                                    const char *name);

/* As above, of QEMU 9 and newer, called from a callback: one that is good for all processors. */
struct qemu_plugin_register *qemu_api_register_of_all(const char *name);

/* A register of at most 64 bits of the processor whose callback runs. */
/* As many of its bytes as it has, the rest zero. */
void qemu_api_register_bytes(struct qemu_plugin_register *reg, uint8_t *to, unsigned n);

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg);
void qemu_api_register_write(struct qemu_plugin_register *reg, uint64_t value);

/* Code at a virtual address, of the processor whose callback runs. False when nothing is there, or
 * nothing can be written there. */
bool qemu_api_code_read(uint64_t address, uint8_t *bytes, unsigned n);
bool qemu_api_code_write(uint64_t address, const uint8_t *bytes, unsigned n);

/* One 32-bit word of physical memory, devices included. False when nothing is there. */
bool qemu_api_word_write(uint64_t address, uint32_t value);

/* Physical memory. False when nothing is there. */
bool qemu_api_memory_read(uint64_t address, void *data, size_t bytes);

/* A word at a virtual address. False when there is none. */
bool qemu_api_data_read(uint32_t address, uint32_t *value);
bool qemu_api_data_write(uint32_t address, uint32_t value);

/* Returns whether QEMU was started with an option; name: with its '-', also found with two.
 * value, of size bytes: the text after it up to the first ',', without "type=". */
bool qemu_api_argument(const char *name, char *value, size_t size);

#endif
