#include "cli/run/record_guest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/elf_file.h"
#include "base/error.h"
#include "cli/file_uses.h"
#include "cli/run/ended.h"
#include "machine/core_descriptor.h"

/* Code of privileged modes that no file names, and of the kernel by its list, as perf calls it. */
#define KERNEL_OBJECT   "[kernel]"
#define KALLSYMS_OBJECT "[kernel.kallsyms]"

const struct option_row record_guest_rows[] = {
    {.help = "Guest", .kind = OPTION_HEADING},
    {0, "guest", NULL,
     "the program is qemu-system-arm or qemu-system-aarch64: record the guest's kernel and "
     "programs",
     OPTION_FLAG_TO(struct record_guest_options, is_chosen)},
    {0, "kernel", "FILE", "the kernel's symbols: a vmlinux",
     OPTION_TEXT_TO(struct record_guest_options, kernel), .completes = COMPLETE_FILE,
     .other_name = "vmlinux"},
    {0, "kallsyms", "FILE",
     "symbols of the kernel and its modules: System.map, or a copy of the guest's /proc/kallsyms",
     OPTION_TEXT_TO(struct record_guest_options, kallsyms), .completes = COMPLETE_FILE},
    {0, "kernel-text", "ADDRESS",
     "address of the kernel's symbol _text, if it differs from --kernel (KASLR)",
     OPTION_NUMBER_TO(struct record_guest_options, kernel_text), .least = 1, .most = UINT64_MAX,
     .expects = "an address, as /proc/kallsyms shows it: 0xffffffc008000000"},
    {0, "symbols", "NAME=FILE", "the file with the symbols of the guest's programs of this name",
     OPTION_LIST_TO(struct record_guest_options, symbols)},
    {0, "irq", "LIST", "as in 'armpmu guest'",
     OPTION_CALL_TO(struct record_guest_options, irq, guest_irq_translate)},
    {.kind = OPTION_END},
};

/* ---- files that name code -------------------------------------------------------------------- */

static bool is_64(const struct armpmu_machine *machine)
{
    const struct armpmu_core *const core = armpmu_machine_core(machine);

    for (size_t i = 0; i < core->n_ranges; i++)
        if (core->ranges[i].access == ARMPMU_ACCESS_MSR)
            return true;
    return false;
}

/* Checks that a file is whole and for the machine's processors. */
static enum armpmu_status check_elf(const struct elf_file *elf, const char *option,
                                    const struct armpmu_machine *machine, struct armpmu_error *err)
{
    const bool wants_64 = is_64(machine);
    const Elf64_Ehdr *const header = &elf->header;

    if (header->e_machine != (wants_64 ? EM_AARCH64 : EM_ARM))
        return fail(err, ARMPMU_BAD_INPUT,
                    "%s '%.160s' is for another architecture (ELF machine %u); the processors of "
                    "%.60s are %s",
                    option, elf->path, header->e_machine, armpmu_machine_name(machine),
                    wants_64 ? "AArch64" : "32-bit Arm");
    if (header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize > elf->n_bytes)
        return fail(
            err, ARMPMU_BAD_INPUT,
            "%s '%.160s' is truncated: its sections end at %" PRIu64 ", the file at %" PRIu64,
            option, elf->path, header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize,
            elf->n_bytes);
    return ARMPMU_OK;
}

/* Where _text is by the symbols. False where there is none. */
static bool find_text(const struct elf_symbol *symbols, size_t n, uint64_t *address)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(symbols[i].name, "_text") == 0 || strcmp(symbols[i].name, "_stext") == 0) {
            *address = symbols[i].address;
            return true;
        }
    return false;
}

static enum armpmu_status take_kernel(struct record_guest *g, const struct elf_file *elf,
                                      struct armpmu_error *err)
{
    struct elf_symbol *symbols = NULL;
    const size_t n = elf_file_symbols(elf, &symbols);
    uint64_t text = 0;
    const bool has_text = find_text(symbols, n, &text);

    free(symbols);
    if (n == 0)
        return fail(err, ARMPMU_BAD_INPUT,
                    "--kernel '%.160s' has no symbols: name a vmlinux that was not stripped",
                    elf->path);
    if (g->options->kernel_text != 0 && !has_text)
        return fail(err, ARMPMU_BAD_INPUT,
                    "--kernel '%.160s' has no symbol _text, which --kernel-text needs", elf->path);
    g->kernel_bias = g->options->kernel_text != 0 ? g->options->kernel_text - text : 0;
    elf_file_code(elf, UINT64_MAX, &g->kernel_first, &g->kernel_end);
    g->kernel_first += g->kernel_bias;
    g->kernel_end += g->kernel_bias;
    return ARMPMU_OK;
}

static enum armpmu_status read_kernel(struct record_guest *g, const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    struct elf_file elf = {.fd = -1};

    enum armpmu_status status =
        elf_file_open(g->options->kernel,
                      "name a vmlinux, the kernel's ELF file; --kallsyms takes texts", &elf, err);
    if (status == ARMPMU_OK)
        status = check_elf(&elf, "--kernel", machine, err);
    if (status == ARMPMU_OK)
        status = take_kernel(g, &elf, err);
    elf_file_close(&elf);
    return status;
}

/* NAME=FILE */
static enum armpmu_status check_program(const char *word, const struct armpmu_machine *machine,
                                        struct armpmu_error *err)
{
    const char *const equals = strchr(word, '=');
    struct elf_file elf = {.fd = -1};

    if (equals == NULL || equals == word || equals[1] == '\0')
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--symbols '%.120s': not NAME=FILE, a program's name in the guest and its file "
                    "here",
                    word);
    enum armpmu_status status =
        elf_file_open(equals + 1, "name the program's own ELF file", &elf, err);
    if (status == ARMPMU_OK)
        status = check_elf(&elf, "--symbols", machine, err);
    elf_file_close(&elf);
    return status;
}

static enum armpmu_status check_options(const struct record_guest_options *o,
                                        struct armpmu_error *err)
{
    if (o->kernel_text != 0 && o->kernel == NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--kernel-text 0x%" PRIx64 ": name the kernel's file, too, --kernel",
                    o->kernel_text);
    if (!o->is_chosen &&
        (o->kernel != NULL || o->kallsyms != NULL || o->symbols.n > 0 || o->irq[0] != '\0'))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--kernel, --kallsyms, --symbols and --irq need a machine: add --guest");
    return ARMPMU_OK;
}

enum armpmu_status record_guest_prepare(struct record_guest *g,
                                        const struct armpmu_machine *machine, const char *output,
                                        struct armpmu_error *err)
{
    const struct record_guest_options *const o = g->options;
    const struct file_use uses[] = {
        {"-o", output, true}, {"--kernel", o->kernel, false}, {"--kallsyms", o->kallsyms, false}};

    enum armpmu_status status = check_options(o, err);
    if (status == ARMPMU_OK)
        status = file_uses_check(uses, sizeof uses / sizeof uses[0], err);
    if (status == ARMPMU_OK && o->kernel != NULL)
        status = read_kernel(g, machine, err);
    if (status == ARMPMU_OK && o->kallsyms != NULL)
        status = kernel_symbols_read(o->kallsyms, is_64(machine), &g->kernel_symbols, err);
    for (size_t i = 0; i < o->symbols.n && status == ARMPMU_OK; i++)
        status = check_program(o->symbols.values[i], machine, err);
    return status;
}

/* ---- objects --------------------------------------------------------------------------------- */

/* The number of the object of a name, owned from here on; 0 without memory. */
static uint32_t file_of_name(struct record_guest *g, char *name, uint64_t bias)
{
    for (size_t i = 0; i < g->n_files && name != NULL; i++)
        if (strcmp(g->files[i].path, name) == 0) {
            free(name);
            return (uint32_t)i + 1;
        }
    if (name == NULL || !ARRAY_RESERVE(g->files, g->files_room, g->n_files + 1)) {
        free(name);
        return 0;
    }
    g->files[g->n_files++] = (struct collected_file){.path = name, .is_fixed = true, .bias = bias};
    return (uint32_t)g->n_files;
}

/* "[name]" */
static char *bracketed(const char *name)
{
    char *text = NULL;

    return asprintf(&text, "[%s]", name) >= 0 ? text : NULL;
}

static uint32_t file_of_module(struct record_guest *g, uint32_t module)
{
    if (module == KERNEL_SYMBOLS_NONE)
        return file_of_name(g, strdup(KERNEL_OBJECT), 0);
    if (!ARRAY_RESERVE(g->module_files, g->modules_room, (size_t)module + 1))
        return 0;
    if (g->module_files[module] == 0)
        g->module_files[module] = file_of_name(
            g,
            module == 0 ? strdup(KALLSYMS_OBJECT) : bracketed(g->kernel_symbols.names[module - 1]),
            0);
    return g->module_files[module];
}

static bool is_kernel(const struct record_guest *g, uint64_t address)
{
    return address >= g->kernel_first && address < g->kernel_end;
}

static uint32_t file_of_kernel(struct record_guest *g, uint64_t address)
{
    const uint32_t module = kernel_symbols_module(&g->kernel_symbols, address);

    const bool is_known = is_kernel(g, address) || module != KERNEL_SYMBOLS_NONE;

    g->n_known += is_known;
    g->n_unknown += address >> 63 != 0 && !is_known;
    if (is_kernel(g, address))
        return file_of_name(g, strdup(g->options->kernel), g->kernel_bias);
    return file_of_module(g, module);
}

/* ---- what the machine did -------------------------------------------------------------------- */

/* "busybox [74]", "[space 0x4f2d8000]" */
static char *program_name(const struct engine_guest_task *task)
{
    char *name = NULL;
    const int length = task->is_space
                           ? asprintf(&name, "[space %s]", task->name)
                           : asprintf(&name, "%s [%" PRIu32 "]", task->name, task->process);

    return length >= 0 ? name : NULL;
}

static enum armpmu_status on_task(void *user, const struct engine_guest_task *task,
                                  struct armpmu_error *err)
{
    struct record_guest *const g = user;
    const struct collected_task collected = {
        .process = task->process, .thread = task->thread, .name = task->name};

    if (!ARRAY_RESERVE(g->programs, g->contexts_room, g->n_contexts + 1))
        return fail_no_memory(err, "the machine's profile");
    g->n_tasks += !task->is_space;
    struct guest_program *const program = &g->programs[g->n_contexts++];
    *program = (struct guest_program){file_of_name(g, program_name(task), 0), task->process};
    return program->file != 0 ? profile_collect_task(g->collection, &collected, err)
                              : fail_no_memory(err, "the machine's profile");
}

static enum armpmu_status on_path(void *user, unsigned cpu, const struct armpmu_profile_path *path,
                                  struct armpmu_error *err)
{
    struct record_guest *const g = user;
    struct guest_processor *const p = &g->processors[cpu];

    if (!ARRAY_APPEND(p->contexts, p->n, p->room, path->context))
        return fail_no_memory(err, "the machine's profile");
    return profile_collect_path(g->collection, cpu, path, err);
}

/* A bare machine's programs are of its one file. */
static enum armpmu_status on_row(void *user, unsigned cpu, const struct armpmu_profile_row *row,
                                 struct armpmu_error *err)
{
    struct record_guest *const g = user;
    const uint32_t context = g->processors[cpu].contexts[row->path];
    struct armpmu_profile_row collected = *row;

    if (row->n_bytes == 0)
        collected.file = 0;
    else if (row->file == ENGINE_GUEST_PROGRAM && context != 0 && !is_kernel(g, row->address))
        collected.file = g->programs[context - 1].file;
    else
        collected.file = file_of_kernel(g, row->address);
    if (collected.file == 0 && row->n_bytes != 0)
        return fail_no_memory(err, "the machine's profile");
    return profile_collect_row(g->collection, cpu, &collected, err);
}

static enum armpmu_status on_edge(void *user, unsigned cpu, const struct armpmu_profile_edge *edge,
                                  struct armpmu_error *err)
{
    const struct record_guest *const g = user;

    return profile_collect_edge(g->collection, cpu, edge, err);
}

static enum armpmu_status on_access(void *user, unsigned cpu,
                                    const struct armpmu_data_access *access,
                                    struct armpmu_error *err)
{
    const struct record_guest *const g = user;

    return profile_collect_access(g->collection, cpu, access, g->access_latency, err);
}

static enum armpmu_status fail_without_profile(const struct session *run)
{
    const int wait_status = run->result.wait_status;
    char how[ENDED_TEXT_BYTES + sizeof "was killed by "] = "ended";
    char name[ENDED_TEXT_BYTES];

    if (WIFSIGNALED(wait_status) && run->result.interrupted == 0) {
        ended_signal(WTERMSIG(wait_status), name);
        snprintf(how, sizeof how, "was killed by %s", name);
    }
    return fail(run->err, ARMPMU_IO,
                "record: QEMU %s before it reported a profile: nothing is written", how);
}

enum armpmu_status record_guest_run(struct record_guest *g, struct session *run)
{
    const struct guest_setup setup = {.irq = g->options->irq[0] != '\0' ? g->options->irq : NULL,
                                      .on_task = on_task,
                                      .on_path = on_path,
                                      .on_row = on_row,
                                      .on_edge = on_edge,
                                      .on_access = on_access};

    run->user = g;
    run->job.guest = &setup;
    g->access_latency =
        core_descriptor_of(armpmu_machine_core(run->machine))->model->access_latency;
    const enum armpmu_status status = session_run(run);
    return status == ARMPMU_OK && run->result.cut_short ? fail_without_profile(run) : status;
}

/* ---- symbols --------------------------------------------------------------------------------- */

static bool add_source(struct record_guest *g, const struct symbol_source *source)
{
    return ARRAY_APPEND(g->sources, g->n_sources, g->sources_room, *source);
}

/* The file that --symbols names for "NAME [process]"; NULL for none. */
static const char *symbols_of(const struct record_guest *g, const char *path)
{
    const struct option_list *const list = &g->options->symbols;

    for (size_t i = list->n; i-- > 0;) {
        const char *const equals = strchr(list->values[i], '=');
        const size_t n = (size_t)(equals - list->values[i]);
        if (strncmp(path, list->values[i], n) == 0 && strncmp(path + n, " [", 2) == 0)
            return equals + 1;
    }
    return NULL;
}

enum armpmu_status record_guest_sources(struct record_guest *g, struct armpmu_error *err)
{
    bool done = true;

    for (size_t i = 0; i < g->modules_room && done; i++)
        if (g->module_files[i] != 0)
            done = add_source(
                g, &(struct symbol_source){.object = g->files[g->module_files[i] - 1].path,
                                           .kernel = &g->kernel_symbols,
                                           .module = (uint32_t)i});
    for (size_t i = 0; i < g->n_contexts && done; i++) {
        const char *const path = g->files[g->programs[i].file - 1].path;
        done = add_source(g, &(struct symbol_source){.object = path,
                                                     .file = symbols_of(g, path),
                                                     .process = g->programs[i].process});
    }
    return done ? ARMPMU_OK : fail_no_memory(err, "the machine's profile");
}

/* ---- the end --------------------------------------------------------------------------------- */

void record_guest_say(const struct record_guest *g)
{
    if (g->n_tasks == 0 && g->n_contexts != 0)
        fprintf(stderr, "armpmu: no task of a Linux kernel was recognised: programs are "
                        "distinguished by their address spaces only\n");
    const char *const file = g->options->kernel != NULL ? g->options->kernel : g->options->kallsyms;
    if (file != NULL && g->n_unknown > g->n_known)
        fprintf(stderr,
                "armpmu: most of the kernel's code lies outside '%s': is it of another kernel, or "
                "moved by KASLR? boot with nokaslr, or say where with --kernel-text\n",
                file);
}

void record_guest_free(struct record_guest *g)
{
    kernel_symbols_free(&g->kernel_symbols);
    for (size_t i = 0; i < g->n_files; i++)
        free((void *)(uintptr_t)g->files[i].path);
    for (unsigned i = 0; i < ENGINE_GUEST_CPUS_MAX; i++)
        free(g->processors[i].contexts);
    free(g->files);
    free(g->programs);
    free(g->module_files);
    free(g->sources);
}
