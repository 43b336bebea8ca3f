#include "cli/bench/function_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arm.h"
#include "base/error.h"
#include "cli/suggest.h"

enum { FUNCTION_BYTES_MAX = 4 * BLOCK_INSNS_MAX, UNSIZED_BYTES = 4096 };

/* ---- where it is ---- */

static enum armpmu_status no_function(const char *what, const struct elf_symbol *symbols, size_t n,
                                      const char *path, struct armpmu_error *err)
{
    struct suggest near;
    char hint[256];

    suggest_begin(&near, what);
    for (size_t i = 0; i < n; i++)
        suggest_offer(&near, symbols[i].name, NULL);
    suggest_sentence(&near, hint, sizeof hint);
    return fail(err, ARMPMU_BAD_CONFIG, "explain: '%.100s' is no function of '%.200s'%s%s", what,
                path, near.count > 0 ? hint : "",
                n == 0 ? ": the file has no symbols; name an address of a block, 0x..." : "");
}

static const struct elf_symbol *named(const struct elf_symbol *symbols, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(symbols[i].name, name) == 0)
            return &symbols[i];
    return NULL;
}

/* The last symbol at or before an address that does not end before it. */
static const struct elf_symbol *holder(const struct elf_symbol *symbols, size_t n, uint64_t address)
{
    const struct elf_symbol *best = NULL;

    for (size_t i = 0; i < n && symbols[i].address <= address; i++)
        if (symbols[i].n_bytes == 0 || address < symbols[i].address + symbols[i].n_bytes)
            best = &symbols[i];
    return best;
}

/* Code bytes at an address, as many as there are up to n. */
static const uint8_t *bytes_at(const struct elf_file *file, uint64_t address, uint64_t *n)
{
    Elf64_Phdr segment;

    for (unsigned i = 0; i < file->n_segments; i++) {
        if (!elf_file_segment(file, i, &segment) || segment.p_type != PT_LOAD ||
            address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
            continue;
        const uint64_t at = address - segment.p_vaddr, left = segment.p_filesz - at;
        *n = left < *n ? left : *n;
        return elf_file_bytes(file, segment.p_offset + at, *n);
    }
    return NULL;
}

/* In a writable segment: a model finds it cacheable where the program's own data is. */
static uint64_t data_address(const struct elf_file *file)
{
    Elf64_Phdr segment;

    for (unsigned i = 0; i < file->n_segments; i++)
        if (elf_file_segment(file, i, &segment) && segment.p_type == PT_LOAD &&
            (segment.p_flags & PF_W))
            return (segment.p_vaddr + UINT64_C(0xfff)) & ~UINT64_C(0xfff);
    return UINT64_C(0x20000000);
}

/* ---- decoding ---- */

static uint32_t count_insns(const uint8_t *bytes, uint64_t n_bytes, enum armpmu_isa isa)
{
    uint32_t n = 0;

    if (isa != ARMPMU_T32)
        return (uint32_t)(n_bytes / 4);
    for (uint64_t at = 0; at + 2 <= n_bytes; n++)
        at += t32_bytes(bytes[at] | bytes[at + 1] << 8);
    return n;
}

static enum armpmu_status decode(struct function_code *out, uint64_t n_bytes,
                                 struct decoder *decoder, struct armpmu_error *err)
{
    const struct armpmu_block_source source = {
        .address = out->address,
        .bytes = out->bytes,
        .n_bytes = (uint32_t)n_bytes,
        .n_insns = count_insns(out->bytes, n_bytes, out->isa),
        .isa = out->isa,
        .it_known = true,
    };
    const enum armpmu_status status = decode_block(decoder, &source, 0, &out->code);

    if (status != ARMPMU_OK)
        return fail(err, status, "explain: the code of %s cannot be decoded", out->name);
    out->begins = calloc(out->code->n_insns + 1u, sizeof *out->begins);
    out->reached = calloc(out->code->n_insns + 1u, sizeof *out->reached);
    return out->begins != NULL && out->reached != NULL
               ? ARMPMU_OK
               : fail(err, ARMPMU_NO_MEMORY, "out of memory for the code of %s", out->name);
}

/* ---- blocks ---- */

/* Returns n_insns for an address at which none begins. */
static unsigned insn_at(const struct block *code, uint64_t address)
{
    unsigned i = 0;

    while (i < code->n_insns && code->address + code->insns[i].offset != address)
        i++;
    return i;
}

static bool ends_block(const struct insn *insn)
{
    return insn->branch != BRANCH_NONE || insn->effect == EFFECT_SYSCALL;
}

static bool falls_through(const struct insn *insn)
{
    return insn->branch == BRANCH_NONE || insn->links || insn_is_conditional(insn);
}

/* Marks what is reached from an instruction on; returns whether anything was new. */
static bool reach(struct function_code *out, unsigned i)
{
    const struct block *const code = out->code;
    const unsigned first = i;

    if (i >= code->n_insns || out->reached[i])
        return false;
    for (; i < code->n_insns && !out->reached[i]; i++) {
        const struct insn *const insn = &code->insns[i];
        if (insn->effect == EFFECT_UNDEFINED)
            return i != first;
        out->reached[i] = true;
        if (!ends_block(insn))
            continue;
        if (insn->branch == BRANCH_IMMEDIATE && !insn->links && !insn->other_isa)
            out->begins[insn_at(code, insn->target)] = true;
        if (!falls_through(insn))
            return true;
        out->begins[i + 1] = true;
    }
    return true;
}

static void find_blocks(struct function_code *out, unsigned first)
{
    bool found = true;

    out->begins[first] = true;
    while (found) {
        found = false;
        for (unsigned i = 0; i < out->code->n_insns; i++)
            if (out->begins[i])
                found |= reach(out, i);
    }
}

unsigned function_code_end(const struct function_code *code, unsigned first)
{
    unsigned end = first;

    do {
        end++;
    } while (end < code->code->n_insns && code->reached[end] && !code->begins[end] &&
             !ends_block(&code->code->insns[end - 1]));
    return end;
}

unsigned function_code_next(const struct function_code *code, unsigned from)
{
    while (from < code->code->n_insns && !(code->begins[from] && code->reached[from]))
        from++;
    return from;
}

/* ---- what is asked for ---- */

/* symbol: NULL where the code at the address of `out` is in none; bit 0 of it then says T32. */
static enum armpmu_status take(const struct elf_file *file, const struct elf_symbol *symbol,
                               struct decoder *decoder, struct function_code *out,
                               struct armpmu_error *err)
{
    const uint64_t address = out->address;
    uint64_t n = symbol != NULL && symbol->n_bytes != 0 ? symbol->n_bytes : UNSIZED_BYTES;

    out->address = symbol != NULL ? symbol->address : address & ~UINT64_C(1);
    out->isa = file->header.e_machine == EM_AARCH64                       ? ARMPMU_A64
               : (symbol != NULL ? symbol->is_thumb : (address & 1) != 0) ? ARMPMU_T32
                                                                          : ARMPMU_A32;
    if (symbol != NULL)
        snprintf(out->name, sizeof out->name, "%s", symbol->name);
    else
        snprintf(out->name, sizeof out->name, "0x%" PRIx64, out->address);
    n = n < FUNCTION_BYTES_MAX ? n : FUNCTION_BYTES_MAX;
    out->bytes = bytes_at(file, out->address, &n);
    if (out->bytes == NULL || n < 4)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "explain: there is no code of '%.200s' at 0x%" PRIx64
                    "; name a function or an address of its code",
                    file->path, out->address);
    return decode(out, n, decoder, err);
}

static bool is_address(const char *what)
{
    return what[0] == '0' && (what[1] | 0x20) == 'x';
}

enum armpmu_status function_code_find(const struct elf_file *file, const char *what,
                                      struct decoder *decoder, struct function_code *out,
                                      struct armpmu_error *err)
{
    struct elf_symbol *symbols = NULL;
    const size_t n = elf_file_symbols(file, &symbols);
    const bool by_address = what == NULL || is_address(what);
    const uint64_t address = what == NULL ? file->header.e_entry : strtoull(what, NULL, 16);
    const struct elf_symbol *const symbol =
        by_address ? holder(symbols, n, address & ~UINT64_C(1)) : named(symbols, n, what);
    enum armpmu_status status;

    *out = (struct function_code){.data = data_address(file), .address = address};
    if (symbol == NULL && !by_address)
        status = no_function(what, symbols, n, file->path, err);
    else
        status = take(file, symbol, decoder, out, err);
    if (status == ARMPMU_OK)
        find_blocks(out, 0);
    free(symbols);
    return status;
}

void function_code_free(struct function_code *code)
{
    free(code->code);
    free(code->begins);
    free(code->reached);
    *code = (struct function_code){0};
}
