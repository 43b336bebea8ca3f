/* Capstone's text of instructions. Nothing else is used, so any version will do.
 *
 * Version 5 copies the text of some instructions and does not look whether there is memory for the
 * copy, which it frees at once: so the library allocates by the functions here, which have a
 * reserve for one such copy. */
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arm.h"
#include "isa/decoder.h"

struct capstone {
    csh handles[3];   /* of A32, T32 and A64 */
    cs_insn *insn;    /* written again by each disassembly */
    bool in_it_block; /* the T32 handle may believe so */
    uint64_t next;    /* address after the last instruction */
};

#if CS_API_MAJOR >= 6
#define ARCH_A64 CS_ARCH_AARCH64
#else
#define ARCH_A64 CS_ARCH_ARM64
#endif

static _Thread_local struct {
    bool is_used;
    char text[160];
} reserve;

static void *allocate(size_t bytes)
{
    void *const memory = malloc(bytes);

    if (memory != NULL || reserve.is_used || bytes > sizeof reserve.text)
        return memory;
    reserve.is_used = true;
    return reserve.text;
}

static void release(void *memory)
{
    if (memory == reserve.text)
        reserve.is_used = false;
    else
        free(memory);
}

static bool set_allocation(void)
{
    static const cs_opt_mem functions = {allocate, calloc, realloc, release, vsnprintf};

    return cs_option(0, CS_OPT_MEM, (size_t)&functions) == CS_ERR_OK;
}

struct capstone *capstone_new(void)
{
    struct capstone *capstone = calloc(1, sizeof *capstone);

    if (capstone == NULL)
        return NULL;
    if (set_allocation() &&
        cs_open(CS_ARCH_ARM, CS_MODE_ARM, &capstone->handles[ARMPMU_A32]) == CS_ERR_OK &&
        cs_open(CS_ARCH_ARM, CS_MODE_THUMB, &capstone->handles[ARMPMU_T32]) == CS_ERR_OK &&
        cs_open(ARCH_A64, CS_MODE_ARM, &capstone->handles[ARMPMU_A64]) == CS_ERR_OK)
        capstone->insn = cs_malloc(capstone->handles[ARMPMU_A32]);
    if (capstone->insn == NULL) {
        capstone_free(capstone);
        return NULL;
    }
    return capstone;
}

void capstone_free(struct capstone *capstone)
{
    if (capstone == NULL)
        return;
    if (capstone->insn != NULL)
        cs_free(capstone->insn, 1);
    for (unsigned isa = 0; isa < 3; isa++) {
        if (capstone->handles[isa] != 0)
            cs_close(&capstone->handles[isa]);
    }
    free(capstone);
}

/* The handle keeps an IT instruction's block for the calls that follow: four NOPs end it. */
static void forget_it_block(struct capstone *capstone)
{
    static const uint8_t nops[] = {0x00, 0xbf, 0x00, 0xbf, 0x00, 0xbf, 0x00, 0xbf};
    const uint8_t *bytes = nops;
    size_t size = sizeof nops;
    uint64_t address = 0;

    while (cs_disasm_iter(capstone->handles[ARMPMU_T32], &bytes, &size, &address, capstone->insn))
        continue;
    capstone->in_it_block = false;
}

static bool disassemble(struct capstone *capstone, enum armpmu_isa isa, const uint8_t *bytes,
                        uint64_t address, struct insn_text *text)
{
    size_t size = 4;

    if (!cs_disasm_iter(capstone->handles[isa], &bytes, &size, &address, capstone->insn))
        return false;
    capstone->next = address;
    *text = (struct insn_text){capstone->insn->mnemonic, capstone->insn->op_str};
    return true;
}

bool capstone_text(struct capstone *capstone, enum armpmu_isa isa, const uint8_t *bytes,
                   uint64_t address, struct insn_text *text)
{
    if (capstone->in_it_block)
        forget_it_block(capstone);
    capstone->in_it_block = isa == ARMPMU_T32 && it_begins(bytes[0] | (uint32_t)bytes[1] << 8);
    return disassemble(capstone, isa, bytes, address, text);
}

bool capstone_text_in_order(struct capstone *capstone, enum armpmu_isa isa, const uint8_t *bytes,
                            uint64_t address, struct insn_text *text)
{
    if (capstone->in_it_block && address != capstone->next)
        forget_it_block(capstone);
    capstone->in_it_block = isa == ARMPMU_T32;
    return disassemble(capstone, isa, bytes, address, text);
}
