/* Writes down every address a program uses: each instruction fetched and each datum accessed.
 *
 * Argument out=FILE. One record per instruction about to execute and, after it, one per access it
 * made, in program order. For one guest thread; more are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_abi.h"

enum { FETCH = 1, LOAD = 2, STORE = 3 };

struct record {
    uint8_t kind, size;
    uint16_t zero;
    uint32_t address;
    uint32_t code; /* FETCH: the bytes of the instruction, the first lowest */
};

static FILE *out;
static unsigned n_threads;

static void write_record(const struct record *record)
{
    if (fwrite(record, sizeof(*record), 1, out) != 1) {
        perror("address_plugin: writing the record");
        abort();
    }
}

static void instruction(unsigned vcpu, void *user)
{
    (void)vcpu;
    write_record(user);
}

static void access_made(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu;
    (void)user;
    const struct record record = {
        .kind = qemu_plugin_mem_is_store(info) ? STORE : LOAD,
        .size = (uint8_t)(1u << qemu_plugin_mem_size_shift(info)),
        .address = (uint32_t)address,
    };
    write_record(&record);
}

/* As little endian words; which instruction set it is, the reader finds out. */
static uint32_t code_of(const struct qemu_plugin_insn *insn)
{
    uint8_t bytes[4] = {0};

    abi_copy_bytes(insn, bytes, qemu_plugin_insn_size(insn) >= 4 ? 4 : 2);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void translate(struct qemu_plugin_tb *tb)
{
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct record *record = calloc(1, sizeof(*record)); /* lives as long as QEMU's code */
        if (!record)
            abort();
        record->kind = FETCH;
        record->size = (uint8_t)qemu_plugin_insn_size(insn);
        record->address = (uint32_t)qemu_plugin_insn_vaddr(insn);
        record->code = code_of(insn);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, instruction, CALL_NO_REGISTERS, record);
        qemu_plugin_register_vcpu_mem_cb(insn, access_made, CALL_NO_REGISTERS,
                                         MEMORY_READ_AND_WRITE, NULL);
    }
}

static void thread_starts(unsigned vcpu)
{
    (void)vcpu;
    if (++n_threads > 1) {
        fprintf(stderr, "address_plugin: the program has a second thread\n");
        abort();
    }
}

static void process_ends(void)
{
    if (fclose(out) != 0) {
        perror("address_plugin: closing the record");
        abort();
    }
}

int qemu_plugin_install(plugin_id id, const struct plugin_host *host, int argc, char **argv)
{
    (void)host;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) {
        fprintf(stderr, "address_plugin: needs out=FILE\n");
        return -1;
    }
    out = fopen(argv[0] + 4, "wb");
    if (!out) {
        perror(argv[0] + 4);
        return -1;
    }
    abi_on_thread_start(id, thread_starts);
    abi_on_translation(id, translate);
    abi_on_end(id, process_ends);
    return 0;
}
