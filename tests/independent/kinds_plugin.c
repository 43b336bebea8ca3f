/* Counts instructions of AArch64 programs by kind, one callback before each one: all, branches,
 * loads, stores, by the encoding groups of ARM DDI 0487, chapter C4, read here anew.
 *
 * Argument out=FILE. At the program's end FILE holds the four numbers. One process, one thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_abi.h"

enum { BRANCH = 1, LOAD = 2, STORE = 4, KINDS = 8 };

static const char *out_path;
static unsigned long long counts[KINDS];

static int is(uint32_t word, uint32_t mask, uint32_t value)
{
    return (word & mask) == value;
}

/* Exception returns and DRPS are no branches. */
static int is_branch(uint32_t word)
{
    return is(word, 0x7c000000, 0x14000000) || is(word, 0xff000010, 0x54000000) ||
           is(word, 0x7c000000, 0x34000000) ||
           (is(word, 0xfe000000, 0xd6000000) && (word >> 21 & 6) != 4);
}

static unsigned exclusive(uint32_t word)
{
    const int pair = word >> 21 & 1, ordered = word >> 23 & 1;

    if (pair && (ordered || !(word >> 31)))
        return LOAD | STORE; /* CAS, CASP */
    return word >> 22 & 1 ? LOAD : STORE;
}

static unsigned single(uint32_t word)
{
    const unsigned size = word >> 30, opc = word >> 22 & 3, vector = word >> 26 & 1;
    const int by_register = !(word >> 24 & 1) && (word >> 21 & 1);

    if (by_register && (word >> 10 & 3) == 0)
        return (word >> 12 & 15) == 12 ? LOAD : LOAD | STORE; /* LDAPR; LDADD ... */
    if (by_register && (word >> 10 & 1))
        return LOAD; /* LDRAA */
    if (vector)
        return opc & 1 ? LOAD : STORE;
    if (size == 3 && opc >= 2)
        return 0; /* PRFM */
    return opc == 0 ? STORE : LOAD;
}

static unsigned access_of(uint32_t word)
{
    if (is(word, 0xffffffe0, 0xd50b7420))
        return STORE;                     /* DC ZVA */
    if (is(word, 0x9e000000, 0x84000000)) /* SVE, of a C library; which has no prefetches */
        return (word >> 29 & 3) == 3 ? STORE : LOAD;
    if (!is(word, 0x0a000000, 0x08000000))
        return 0;
    if (is(word, 0x3f000000, 0x08000000))
        return exclusive(word);
    if (is(word, 0x3f000000, 0x19000000))
        return word >> 22 & 3 ? LOAD : STORE; /* LDAPUR, STLUR */
    if (is(word, 0x3b000000, 0x18000000))
        return is(word, 0xc4000000, 0xc0000000) ? 0 : LOAD; /* relative to the PC */
    if (is(word, 0x3a000000, 0x28000000) || is(word, 0xbe000000, 0x0c000000))
        return word >> 22 & 1 ? LOAD : STORE; /* pairs, structures */
    return single(word);
}

static void instruction(unsigned vcpu, void *user)
{
    (void)vcpu;
    counts[(uintptr_t)user]++;
}

static void translate(struct qemu_plugin_tb *tb)
{
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, i);
        uint32_t word;
        abi_copy_bytes(insn, &word, sizeof word);
        const uintptr_t kinds = access_of(word) | (is_branch(word) ? BRANCH : 0u);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, instruction, CALL_NO_REGISTERS, (void *)kinds);
    }
}

static unsigned long long sum_of(unsigned kind)
{
    unsigned long long sum = 0;

    for (unsigned kinds = 0; kinds < KINDS; kinds++)
        sum += (kinds & kind) == kind ? counts[kinds] : 0;
    return sum;
}

static void process_ends(void)
{
    FILE *const out = fopen(out_path, "w");

    if (!out) {
        perror(out_path);
        return;
    }
    fprintf(out, "%llu %llu %llu %llu\n", sum_of(0), sum_of(BRANCH), sum_of(LOAD), sum_of(STORE));
    fclose(out);
}

int qemu_plugin_install(plugin_id id, const struct plugin_host *host, int argc, char **argv)
{
    (void)host;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) {
        fprintf(stderr, "kinds_plugin: needs out=FILE\n");
        return -1;
    }
    out_path = strdup(argv[0] + 4);
    if (!out_path)
        return -1;
    abi_on_translation(id, translate);
    abi_on_end(id, process_ends);
    return 0;
}
