/* The profile of branches that llvm-bolt -data reads: a line for each edge, "1 FUNCTION OFFSET 1
 * FUNCTION OFFSET MISPREDICTIONS COUNT", in hexadecimal and decimal; "0 [unknown] 0" is an end
 * outside of the program. Branches that are not taken are edges to the instruction after them, and
 * so are all other ways to the target of any branch of the file, executed or not: BOLT's blocks
 * begin there, and it does not find out how often one block runs on to the next.
 *
 * BOLT tells local functions of one name apart by a number, in order of their addresses. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/elf_file.h"
#include "base/error.h"
#include "base/order.h"
#include "export/export.h"

struct bolt {
    const struct profile *profile;
    const char *path; /* of the program */
    struct elf_symbol *symbols;
    size_t n_symbols;
    uint64_t *targets; /* of direct branches in the file, rising */
    size_t n_targets, room_targets;
    FILE *out;
};

/* ---- the file ---- */

/* The address that a direct branch of A64, but no call, leads to; 0: it is none. */
static uint64_t target_of(uint32_t word, uint64_t address)
{
    unsigned lsb = 5, bits = 19;

    if ((word & 0xfc000000) == 0x14000000) /* B */
        lsb = 0, bits = 26;
    else if ((word & 0x7e000000) == 0x36000000) /* TBZ, TBNZ */
        bits = 14;
    else if ((word & 0x7e000000) != 0x34000000 && (word & 0xff000010) != 0x54000000)
        return 0; /* no CBZ, CBNZ, B.cond */
    const uint64_t offset = word >> lsb & ((UINT32_C(1) << bits) - 1);
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    return address + 4 * ((offset ^ sign) - sign);
}

static bool add_targets(struct bolt *b, const uint8_t *code, const Elf64_Phdr *segment)
{
    for (uint64_t at = 0; at + 4 <= segment->p_filesz; at += 4) {
        const uint32_t word = (uint32_t)code[at] | (uint32_t)code[at + 1] << 8 |
                              (uint32_t)code[at + 2] << 16 | (uint32_t)code[at + 3] << 24;
        const uint64_t target = target_of(word, segment->p_vaddr + at);
        if (target == 0)
            continue;
        if (!ARRAY_APPEND(b->targets, b->n_targets, b->room_targets, target))
            return false;
    }
    return true;
}

/* False without memory. */
static bool find_targets(struct bolt *b, const struct elf_file *elf)
{
    Elf64_Phdr segment;

    for (unsigned i = 0; i < elf->n_segments; i++) {
        if (!elf_file_segment(elf, i, &segment) || segment.p_type != PT_LOAD ||
            (segment.p_flags & PF_X) == 0)
            continue;
        const uint8_t *const code = elf_file_bytes(elf, segment.p_offset, segment.p_filesz);
        if (code != NULL && !add_targets(b, code, &segment))
            return false;
    }
    if (b->n_targets != 0)
        qsort(b->targets, b->n_targets, sizeof *b->targets, order_numbers);
    return true;
}

/* ---- the program ---- */

/* The program's name in the command that was recorded, which may be quoted. */
static bool is_in_command(const struct profile *p, const char *path)
{
    const char *const slash = strrchr(path, '/'), *const name = slash != NULL ? slash + 1 : path;
    const char *const command = p->setup.command != NULL ? p->setup.command : "";
    const size_t first = command[0] == '\'' ? strcspn(command + 1, "'") + 1 : strcspn(command, " ");
    const size_t n = strlen(name);

    return n > 0 && first >= n && strncmp(command + first - n, name, n) == 0 &&
           (first == n || strchr("/'", command[first - n - 1]) != NULL);
}

static const char *find_program(const struct export_job *job)
{
    const struct profile *const p = job->profile;

    for (uint32_t i = 0; i < p->n_objects; i++)
        if (job->object != NULL ? export_has_object(job, i) : is_in_command(p, p->objects[i].path))
            return p->objects[i].path;
    return NULL;
}

/* Returns whether a symbol of the file begins there with the name. *number: of local symbols with
 * the name, which one; 0: it is global. */
static bool find_symbol(const struct bolt *b, const char *name, uint64_t address, unsigned *number)
{
    unsigned n = 0;

    for (size_t i = 0; i < b->n_symbols && b->symbols[i].address <= address; i++) {
        if (strcmp(b->symbols[i].name, name) != 0)
            continue;
        n += b->symbols[i].is_local;
        *number = b->symbols[i].is_local ? n : 0;
        if (b->symbols[i].address == address)
            return true;
    }
    return false;
}

/* The function of an instruction, if it is one of the program with a symbol; NULL else. insn may be
 * PROFILE_NONE. */
static const struct profile_function *function_of(const struct bolt *b, uint32_t insn,
                                                  unsigned *number)
{
    const struct profile *const p = b->profile;
    const uint32_t at = insn != PROFILE_NONE ? p->insns[insn].function : PROFILE_NONE;
    const struct profile_function *const function = at != PROFILE_NONE ? &p->functions[at] : NULL;

    if (function == NULL || function->object == PROFILE_NONE ||
        p->objects[function->object].path != b->path)
        return NULL;
    return find_symbol(b, function->symbol,
                       export_file_address(p, function->object, function->address), number)
               ? function
               : NULL;
}

static void print_end(const struct bolt *b, uint32_t insn)
{
    unsigned number;
    const struct profile_function *const function = function_of(b, insn, &number);

    if (function == NULL) {
        fputs("0 [unknown] 0 ", b->out);
        return;
    }
    fprintf(b->out, "1 %s", function->symbol);
    if (number != 0)
        fprintf(b->out, "/%u", number);
    fprintf(b->out, " %" PRIx64 " ", b->profile->insns[insn].address - function->address);
}

static void print_edges(const struct bolt *b)
{
    unsigned number;

    for (size_t i = 0; i < b->profile->n_edges; i++) {
        const struct profile_edge *const edge = &b->profile->edges[i];
        if (function_of(b, edge->from, &number) == NULL &&
            function_of(b, edge->to, &number) == NULL)
            continue;
        print_end(b, edge->from);
        print_end(b, edge->to);
        fprintf(b->out, "%" PRIu64 " %" PRIu64 "\n", edge->n_mispredicted, edge->n);
    }
}

/* An instruction, by where it is. */
struct placed {
    uint32_t object, insn;
    uint64_t address;
};

static int by_object_and_address(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return ORDER(x->object, y->object, x->address, y->address);
}

/* An instruction that is no branch leads to the next one. */
static void print_fall_through(const struct bolt *b, const struct placed *from,
                               const struct placed *to, uint64_t n)
{
    unsigned number;
    const uint64_t target = export_file_address(b->profile, to->object, to->address);

    if (n == 0 || to->object != from->object || to->address != from->address + 4 ||
        function_of(b, from->insn, &number) == NULL ||
        bsearch(&target, b->targets, b->n_targets, sizeof target, order_numbers) == NULL)
        return;
    print_end(b, from->insn);
    print_end(b, to->insn);
    fprintf(b->out, "0 %" PRIu64 "\n", n);
}

/* False without memory. */
static bool print_fall_throughs(const struct bolt *b, const struct export_job *job)
{
    const struct profile *const p = b->profile;
    struct placed *const placed = malloc(p->n_insns * sizeof *placed + 1);
    uint64_t *const sums = export_sums_by_insn(job);
    const bool done = placed != NULL && sums != NULL;

    for (uint32_t i = 0; done && i < p->n_insns; i++)
        placed[i] = (struct placed){p->insns[i].object, i, p->insns[i].address};
    for (size_t i = 0; done && i < p->n_edges; i++)
        sums[p->edges[i].from] = 0; /* a branch */
    if (done)
        qsort(placed, p->n_insns, sizeof *placed, by_object_and_address);
    for (uint32_t i = 1; done && i < p->n_insns; i++)
        print_fall_through(b, &placed[i - 1], &placed[i], sums[placed[i - 1].insn]);
    free(placed);
    free(sums);
    return done;
}

static enum armpmu_status print(struct bolt *b, const struct export_job *job,
                                const struct elf_file *elf, struct armpmu_error *err)
{
    if (!elf_file_is_64(elf) || elf_file_is_big_endian(elf))
        return fail(err, ARMPMU_BAD_CONFIG, "'%.160s' is not an AArch64 program, as BOLT needs",
                    elf->path);
    b->n_symbols = elf_file_symbols(elf, &b->symbols);
    if (b->symbols == NULL)
        return fail(err, ARMPMU_NO_MEMORY,
                    "'%.160s' has no symbols, or there is no memory for them", elf->path);
    if (!find_targets(b, elf))
        return export_no_memory(err);
    print_edges(b);
    return print_fall_throughs(b, job) ? ARMPMU_OK : export_no_memory(err);
}

enum armpmu_status export_bolt(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    struct bolt b = {.profile = job->profile, .path = find_program(job), .out = out};
    struct elf_file elf = {0};

    if (job->profile->n_edges == 0)
        return fail(err, ARMPMU_BAD_CONFIG, "the profile has no branches: record them with -b");
    if (b.path == NULL)
        return fail(err, ARMPMU_NOT_FOUND,
                    "the program is not among the objects of the profile: name one with --object");
    enum armpmu_status status =
        elf_file_open(export_file_of(job, b.path), "name the program", &elf, err);
    if (status == ARMPMU_OK)
        status = print(&b, job, &elf, err);
    free(b.targets);
    free(b.symbols);
    elf_file_close(&elf);
    return status;
}
