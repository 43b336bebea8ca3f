/* The place is looked up like those of a profile, which has one instruction here. */
#include "cli/run/ended.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>

#include "base/elf_file.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/profile/profile_table.h"
#include "isa/decoder.h"
#include "profile/collect.h"
#include "profile/symbols.h"

/* The file that the code is from. Without a list of files only a program of fixed addresses. */
static bool find_object(const struct run_result *result, const char *program,
                        struct profile_object *out)
{
    const uint32_t number = result->fault.file;
    struct elf_file file;
    struct armpmu_error unused;

    if (number > 0 && number <= result->n_files) {
        const struct engine_file *const from = &result->files[number - 1];
        const struct collected_file known = {
            .path = from->path, .start = from->start, .offset = from->offset};
        *out = (struct profile_object){.path = from->path,
                                       .bias = collected_file_bias(&known),
                                       .offset = from->start - from->offset};
        return true;
    }
    const bool is_fixed =
        elf_file_open(program, "", &file, &unused) == ARMPMU_OK && file.header.e_type == ET_EXEC;
    elf_file_close(&file);
    *out = (struct profile_object){.path = program};
    return is_fixed;
}

static void print_place(const struct profile *profile, char *text, size_t size)
{
    const struct profile_insn *const insn = &profile->insns[0];
    size_t n = 0;

    if (insn->function == PROFILE_NONE)
        return;
    const struct profile_function *const function = &profile->functions[insn->function];
    n = (size_t)snprintf(text, size, " in ");
    n += printable(function->name, text + n, size - n);
    n += (size_t)snprintf(text + n, size - n, "+0x%" PRIx64, insn->address - function->address);
    if (insn->line.file == PROFILE_NONE || n + 3 >= size)
        return;
    n += (size_t)snprintf(text + n, size - n, ", ");
    n += printable(profile_basename(profile->files[insn->line.file].path), text + n, size - n);
    snprintf(text + n, size - n, ":%" PRIu32, insn->line.line);
}

/* " in sum+0x1c" and its line, or nothing. */
static void find_place(const struct run_result *result, const char *program, const char *sysroot,
                       char *text, size_t size)
{
    struct profile_insn insn = {.address = result->fault.address,
                                .function = PROFILE_NONE,
                                .line = {PROFILE_NONE, 0},
                                .isa = result->fault.isa,
                                .n_bytes = result->fault.size};
    struct profile_object object;
    struct armpmu_error unused;
    struct profile *profile;
    uint32_t number;

    text[0] = '\0';
    if (!find_object(result, program, &object) || profile_new(&profile, &unused) != ARMPMU_OK)
        return;
    if (profile_add_object(profile, &object, &insn.object, &unused) == ARMPMU_OK &&
        profile_add_insn(profile, &insn, &number, &unused) == ARMPMU_OK &&
        symbols_resolve(profile, sysroot, NULL, 0, &unused) == ARMPMU_OK)
        print_place(profile, text, size);
    profile_free(profile);
}

static void disassemble(const struct engine_fault *fault, char *text, size_t size)
{
    struct capstone *const capstone = capstone_new();
    struct insn_text insn;

    if (capstone != NULL && fault->accesses &&
        capstone_text(capstone, fault->isa, fault->bytes, fault->address, &insn))
        snprintf(text, size, ": '%s %s' accesses memory that is not mapped", insn.mnemonic,
                 insn.operands);
    else
        snprintf(text, size,
                 fault->accesses ? ": the instruction accesses memory that is not mapped"
                                 : ": it branched from there to an address without code");
    capstone_free(capstone);
}

void fault_explain(const struct run_result *result, const char *program, const char *sysroot)
{
    const struct engine_fault *const fault = &result->fault;
    char place[512], what[256];

    /* A trace that the program wrote into tells no place, and has a message of its own. */
    if (!fault->known || result->killed != 0 || result->problem.message[0] != '\0')
        return;
    find_place(result, program, sysroot, place, sizeof place);
    disassemble(fault, what, sizeof what);
    print_error("'%s' ended by %s at 0x%08" PRIx64 "%s%s", program,
                WTERMSIG(result->wait_status) == SIGBUS ? "SIGBUS" : "SIGSEGV", fault->address,
                place, what);
}
