/* What capstone gets wrong is wrong still, and put right: each row of capstone_gaps.def against
 * capstone's text and against the decoder's facts. Skipped with another capstone than 4.0, whose
 * gaps are other ones. `gaps list` prints the rows as they are. */
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "row.h"

struct gap {
    int line;
    enum armpmu_isa isa;
    uint32_t word;
    unsigned size;
    const char *capstone, *facts;
};

#define A32 ARMPMU_A32
#define T32 ARMPMU_T32

/* The encoding as text tells its length. */
static const struct gap gaps[] = {
#define GAP(isa, word, capstone, facts)                                                            \
    {__LINE__, isa, word, (sizeof #word - 3) / 2, capstone, facts},
#include "capstone_gaps.def"
#undef GAP
};

enum { N_GAPS = sizeof gaps / sizeof gaps[0], SKIPPED = 77 };

static const uint64_t address = 0x8000;

/* Capstone's text of the instruction, "" when it refuses it. */
static void capstone_says(const struct gap *gap, char *text, size_t size)
{
    const cs_mode mode = gap->isa == ARMPMU_A32 ? CS_MODE_ARM : CS_MODE_THUMB;
    uint8_t bytes[4];
    cs_insn *found;
    csh handle;

    store_insn(gap->isa, gap->word, gap->size, bytes);
    if (cs_open(CS_ARCH_ARM, mode, &handle) != CS_ERR_OK)
        exit(2);
    text[0] = '\0';
    if (cs_disasm(handle, bytes, gap->size, address, 1, &found) == 1) {
        snprintf(text, size, "%s%s%s", found->mnemonic, found->op_str[0] == '\0' ? "" : " ",
                 found->op_str);
        cs_free(found, 1);
    }
    cs_close(&handle);
}

static void decoder_says(const struct gap *gap, char *text, size_t size)
{
    uint8_t bytes[4];

    store_insn(gap->isa, gap->word, gap->size, bytes);
    struct block *block = decode_bytes(gap->isa, address, bytes, gap->size, 1, 0);
    render_insn(&block->insns[0], address, text, size);
    free(block);
}

static unsigned check(const struct gap *gap, bool list)
{
    char capstone[400], facts[400];

    capstone_says(gap, capstone, sizeof capstone);
    decoder_says(gap, facts, sizeof facts);
    if (list)
        printf("GAP(%s, 0x%0*x, \"%s\",\n    \"%s\")\n", gap->isa == ARMPMU_A32 ? "A32" : "T32",
               (int)(2 * gap->size), gap->word, capstone, facts);
    if (strcmp(capstone, gap->capstone) == 0 && strcmp(facts, gap->facts) == 0)
        return 0;
    fprintf(
        stderr,
        "capstone_gaps.def:%d:\n  capstone: %s\n    listed: %s\n  decoder:  %s\n    listed: %s\n",
        gap->line, capstone, gap->capstone, facts, gap->facts);
    return 1;
}

int main(int argc, char **argv)
{
    const bool list = argc > 1 && strcmp(argv[1], "list") == 0;
    unsigned n_wrong = 0;
    int major, minor;

    cs_version(&major, &minor);
    if (major != 4 || minor != 0)
        return SKIPPED;
    for (unsigned i = 0; i < N_GAPS; i++)
        n_wrong += check(&gaps[i], list);
    printf("%u gaps, %u wrong\n", (unsigned)N_GAPS, n_wrong);
    return n_wrong != 0;
}
