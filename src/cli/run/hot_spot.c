#include "base/short_name.h"
#include "cli/run/stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/elf_file.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/profile_table.h"
#include "cli/text_wrap.h"
#include "profile/metric.h"
#include "profile/symbols.h"

/* Stripped, it and its libraries still have the names that other files may use. */
static bool is_dynamic(const struct elf_file *file)
{
    bool dynamic = false;
    Elf64_Phdr segment;

    for (unsigned i = 0; i < file->n_segments; i++)
        dynamic = dynamic || (elf_file_segment(file, i, &segment) && segment.p_type == PT_DYNAMIC);
    return dynamic;
}

bool hot_spot_has_names(const char *program)
{
    struct elf_file file;
    struct armpmu_error unused;
    bool has_names = true;

    if (elf_file_open(program, "", &file, &unused) == ARMPMU_OK)
        has_names = is_dynamic(&file) || elf_file_has_symbols(&file);
    elf_file_close(&file);
    return has_names;
}

/* ---- collecting ---- */

static void add(void *user, const struct armpmu_event *event)
{
    struct hot_spot *const spot = user;

    for (size_t i = 0; i < spot->n_events; i++)
        if (spot->events[i] == event)
            return;
    if (event != NULL)
        spot->events[spot->n_events++] = event;
}

enum armpmu_status hot_spot_open(struct hot_spot *spot, const struct armpmu_core *core,
                                 struct armpmu_error *err)
{
    spot->events = calloc(core->n_events + 1, sizeof *spot->events);
    if (spot->events == NULL)
        return fail_no_memory(err, "a profile");
    add(spot, armpmu_event_by_number(core, core->cycles_event));
    for (size_t i = 0; i < core->n_metrics; i++)
        metric_each_event(core, &core->metrics[i], add, spot);
    return profile_collection_new(spot->events, spot->n_events, false, &spot->collection, err);
}

void hot_spot_close(struct hot_spot *spot)
{
    profile_collection_free(spot->collection);
    free(spot->events);
    *spot = (struct hot_spot){0};
}

/* ---- printing ---- */

/* The line of the function with most cycles, where lines are known. Cycles are counted by block
 * (ARMPMU_PROFILE_BLOCKS), so the line is where the block begins: the text says "around". */
static void print_line(const struct profile_table *lines, const char *symbol, FILE *stream)
{
    const struct profile *const p = lines->profile;

    for (size_t i = 0; i < lines->n_groups; i++) {
        const struct profile_insn *const insn = &p->insns[lines->groups[i].insn];
        if (strcmp(profile_symbol(p, lines->groups[i].insn), symbol) != 0)
            continue;
        if (insn->line.file != PROFILE_NONE) {
            fputs(", most around ", stream);
            printable_put(profile_basename(p->files[insn->line.file].path), stream);
            fprintf(stream, ":%u", (unsigned)insn->line.line);
        }
        return;
    }
}

static void print(const struct profile_table *functions, const struct profile_table *lines,
                  uint32_t worst, FILE *stream)
{
    const struct profile *const p = functions->profile;
    const struct profile_group *const top = &functions->groups[0];
    const char *const symbol = profile_symbol(p, top->insn);

    char *const name = printable_copy(symbol);

    fputs(" Hot spot: ", stream);
    if (name != NULL && text_wrap_columns() > 0)
        short_name(name, (size_t)text_wrap_columns() - strlen(" Hot spot: ,"));
    fputs(name != NULL ? name : "", stream);
    free(name);
    fprintf(stream, ", %.1f %% of the cycles", percent(top->self[0], p->totals[0]));
    if (worst != PROFILE_NONE) {
        fprintf(stream, ", %.1f %% of ", percent(top->self[1], p->totals[worst]));
        printable_put(p->events[worst].name, stream);
    }
    print_line(lines, symbol, stream);
    fputs(".", stream);
}

/* Broken where a terminal ends. */
static enum armpmu_status print_wrapped(const struct profile_table *functions,
                                        const struct profile_table *lines, uint32_t worst,
                                        FILE *stream, struct armpmu_error *err)
{
    char *text = NULL;
    size_t size;
    FILE *const sentence = memory_stream_open(&text, &size);

    if (sentence != NULL)
        print(functions, lines, worst, sentence);
    if (sentence == NULL || !memory_stream_close(sentence, &text))
        return fail_no_memory(err, "the hot spot");
    text_wrap_fitted(text, 0, 3, stream);
    fputs(" More: armpmu record, with the same arguments, then armpmu annotate.\n\n", stream);
    free(text);
    return ARMPMU_OK;
}

static bool has_name(const struct profile_table *functions)
{
    const struct profile *const p = functions->profile;

    return functions->n_groups != 0 && functions->groups[0].self[0] != 0 &&
           p->insns[functions->groups[0].insn].function != PROFILE_NONE;
}

static enum armpmu_status print_profile(const struct profile *profile, FILE *stream,
                                        struct armpmu_error *err)
{
    const struct profile_keys by_function = {{KEY_SYMBOL}, 1},
                              by_line = {{KEY_SYMBOL, KEY_LINE}, 2};
    const uint32_t worst = annotate_worst(profile);
    uint32_t numbers[2] = {0, worst};
    const struct event_choice events = {numbers, worst != PROFILE_NONE ? 2 : 1, 0};
    struct profile_table functions = {.profile = profile, .events = &events, .keys = by_function};
    struct profile_table lines = {.profile = profile, .events = &events, .keys = by_line};

    enum armpmu_status status = profile_table_make(&functions, 0, err);
    if (status == ARMPMU_OK)
        status = profile_table_make(&lines, 0, err);
    if (status == ARMPMU_OK && has_name(&functions))
        status = print_wrapped(&functions, &lines, worst, stream, err);
    profile_table_free(&functions);
    profile_table_free(&lines);
    return status;
}

static enum armpmu_status fill(struct hot_spot *spot, const struct record_run *run,
                               const struct run_result *result, struct profile *profile,
                               struct armpmu_error *err)
{
    enum armpmu_status status = record_setup(profile, run, err);

    for (size_t i = 0; i < spot->n_events && status == ARMPMU_OK; i++)
        status = record_event(profile, spot->events[i], spot->events[i]->name, err);
    if (status == ARMPMU_OK)
        status = record_rows(profile, spot->collection, result, run->argv[0], err);
    return status == ARMPMU_OK ? symbols_resolve(profile, spot->sysroot, NULL, 0, err) : status;
}

enum armpmu_status hot_spot_print(struct hot_spot *spot, const struct record_run *run,
                                  const struct run_result *result, FILE *stream,
                                  struct armpmu_error *err)
{
    struct profile *profile;
    enum armpmu_status status = profile_new(&profile, err);

    if (status == ARMPMU_OK)
        status = fill(spot, run, result, profile, err);
    if (status == ARMPMU_OK)
        status = print_profile(profile, stream, err);
    profile_free(profile);
    return status;
}
