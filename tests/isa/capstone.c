/* Where capstone's register sets are not the architecture's: the forms of forms.def for which they
 * differ from ours must be those of capstone_wrong.def, no more and no fewer. So the list is known
 * to be true, and a row of forms.def that disagrees with capstone without being listed is noticed.
 * Skipped with another capstone than 4.0, whose faults are other ones. `capstone list` prints the
 * rows. */
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "row.h"

struct wrong {
    enum armpmu_isa isa;
    const char *text, *misses, *invents;
};

#define A32 ARMPMU_A32
#define T32 ARMPMU_T32

static const struct wrong listed[] = {
#define WRONG(isa, text, misses, invents) {isa, text, misses, invents},
#include "capstone_wrong.def"
#undef WRONG
};

enum { N_LISTED = sizeof listed / sizeof listed[0], SKIPPED = 77 };

/* A bank's register by its number: r3, s5, d7, q2. */
static uint64_t numbered(const char *name)
{
    const unsigned n = (unsigned)strtoul(name + 1, NULL, 10);

    switch (name[0]) {
    case 'r':
        return REG_R(n);
    case 's':
        return REG_D(n / 2);
    case 'd':
        return REG_D(n);
    case 'q':
        return REG_D(2 * n) | REG_D(2 * n + 1);
    }
    return 0;
}

static uint64_t register_of(const char *name)
{
    static const struct {
        const char *name;
        uint64_t set;
    } names[] = {{"sp", REG_SP},           {"lr", REG_LR},      {"pc", REG_PC},
                 {"sb", REG_R(9)},         {"sl", REG_R(10)},   {"fp", REG_R(11)},
                 {"ip", REG_R(12)},        {"apsr", REG_FLAGS}, {"apsr_nzcv", REG_FLAGS},
                 {"cpsr", REG_FLAGS},      {"spsr", 0},         {"fpscr", REG_FPSCR},
                 {"fpscr_nzcv", REG_FPSCR}};

    for (size_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i].name) == 0)
            return names[i].set;
    }
    return name != NULL && strcspn(name, "0123456789") == 1 ? numbered(name) : 0;
}

static uint64_t set_of(csh handle, const uint16_t *registers, unsigned n)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < n; i++)
        set |= register_of(cs_reg_name(handle, registers[i]));
    return set;
}

/* What of ours is not theirs, without what capstone has no names for. */
static void difference(const struct insn *from, const struct insn *without, char *text, size_t size)
{
    const uint64_t compared = ~(REG_GE | REG_Q | REG_PC);
    const struct insn rest = {.condition = 14,
                              .operations = 1,
                              .reads = from->reads & ~without->reads & compared,
                              .writes = from->writes & ~without->writes & compared};
    char line[400];

    render_insn(&rest, 0, line, sizeof line);
    snprintf(text, size, "%s", line[3] == ' ' ? line + 4 : ""); /* behind the class, "alu" */
}

static struct insn capstone_facts(csh handle, const cs_insn *found)
{
    struct insn facts = {.condition = 14};
    cs_regs reads, writes;
    uint8_t n_reads, n_writes;

    cs_regs_access(handle, found, reads, &n_reads, writes, &n_writes);
    facts.reads = set_of(handle, reads, n_reads);
    facts.writes = set_of(handle, writes, n_writes);
    if (found->detail->arm.update_flags)
        facts.writes |= REG_FLAGS;
    if (found->detail->arm.cc != ARM_CC_AL && found->detail->arm.cc != ARM_CC_INVALID)
        facts.reads |= REG_FLAGS;
    return facts;
}

/* Whether capstone's sets differ; it has to know every form. */
static bool differs(const struct form *form, char *misses, char *invents, size_t size)
{
    const cs_mode mode = form->isa == ARMPMU_A32 ? CS_MODE_ARM : CS_MODE_THUMB;
    uint8_t bytes[4];
    csh handle; /* a new one each: capstone remembers IT instructions */
    cs_insn *found;

    store_insn(form->isa, form->word, form->size, bytes);
    if (cs_open(CS_ARCH_ARM, mode, &handle) != CS_ERR_OK)
        exit(1);
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    if (cs_disasm(handle, bytes, form->size, 0x8000, 1, &found) != 1) {
        fprintf(stderr, "forms.def:%d: %s: unknown to capstone\n", form->line, form->text);
        exit(1);
    }
    struct block *block = decode_bytes(form->isa, 0x8000, bytes, form->size, 1, 0);
    const struct insn theirs = capstone_facts(handle, found);
    difference(&block->insns[0], &theirs, misses, size);
    difference(&theirs, &block->insns[0], invents, size);
    free(block);
    cs_free(found, 1);
    cs_close(&handle);
    return misses[0] != '\0' || invents[0] != '\0';
}

static bool is_listed(const struct form *form, const char *misses, const char *invents)
{
    for (size_t i = 0; i < N_LISTED; i++) {
        if (listed[i].isa == form->isa && strcmp(listed[i].text, form->text) == 0)
            return strcmp(listed[i].misses, misses) == 0 && strcmp(listed[i].invents, invents) == 0;
    }
    return false;
}

int main(int argc, char **argv)
{
    const bool list = argc > 1 && strcmp(argv[1], "list") == 0;
    unsigned n_differ = 0, n_unlisted = 0;
    int major, minor;

    cs_version(&major, &minor);
    if (major != 4 || minor != 0)
        return SKIPPED;
    for (size_t i = 0; i < n_forms; i++) {
        char misses[400], invents[400];
        if (!differs(&forms[i], misses, invents, sizeof misses))
            continue;
        n_differ++;
        if (list)
            printf("WRONG(%s, \"%s\", \"%s\", \"%s\")\n", forms[i].isa == A32 ? "A32" : "T32",
                   forms[i].text, misses, invents);
        else if (!is_listed(&forms[i], misses, invents)) {
            fprintf(stderr, "forms.def:%d: %s: capstone misses '%s', invents '%s'\n", forms[i].line,
                    forms[i].text, misses, invents);
            n_unlisted++;
        }
    }
    fprintf(stderr, "%u of %zu forms differ, %u unlisted\n", n_differ, n_forms, n_unlisted);
    return !list && (n_unlisted != 0 || n_differ != N_LISTED);
}
