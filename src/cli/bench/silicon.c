#include "cli/bench/silicon.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read_file.h"
#include "cli/bench/board.h"
#include "cli/run/ended.h"
#include "machine/core_descriptor.h"

struct silicon_session {
    struct silicon_options *options;
    struct session run;
    struct perf_counts counts;
    struct silicon_row *rows;
    struct armpmu_error *err;
};

/* The source of the board's counts, for messages. */
static const char *origin(const struct silicon_session *s)
{
    return s->options->file != NULL ? s->options->file : "this board";
}

/* ---- the board ---- */

static enum armpmu_status read_file(struct silicon_session *s)
{
    const struct file_source source = {s->options->file,
                                       "name a file with the output of 'perf stat -x,'", 0};
    FILE *file;
    enum armpmu_status status = read_file_start(&source, &file, s->err);

    if (status != ARMPMU_OK)
        return status;
    status = perf_counts_read(&s->counts, file, s->options->file, s->err);
    fclose(file);
    return status;
}

/* The first core of the board after *at that is known here, and where the next one begins. */
static const struct armpmu_core *next_core(const char **at)
{
    const struct armpmu_core *core = NULL;
    char *end;

    while (core == NULL && *at != NULL && **at != '\0') {
        core = board_core(strtoul(*at, &end, 16));
        *at = end == *at ? NULL : end + strspn(end, ", ");
    }
    return core;
}

/* Without a word of the user's, the machine is of the board's core. */
static void choose_machine(struct silicon_session *s)
{
    const char *at = s->counts.facts[PERF_MIDR];
    const struct armpmu_core *const core = next_core(&at);

    if (s->options->run.machine == NULL && getenv("ARMPMU_MACHINE") == NULL && core != NULL)
        s->options->run.machine = core_descriptor_of(core)->machine;
}

/* One of the board's cores is the machine's, if any is known. */
static enum armpmu_status check_core(const struct silicon_session *s)
{
    const struct armpmu_core *const wanted = armpmu_machine_core(s->run.machine);
    const char *at = s->counts.facts[PERF_MIDR];
    const struct armpmu_core *const first = next_core(&at);
    const struct armpmu_core *core = first;

    while (core != NULL && core != wanted)
        core = next_core(&at);
    if (first == NULL || core == wanted)
        return ARMPMU_OK;
    return fail(s->err, ARMPMU_BAD_CONFIG,
                "calibrate: %.200s is a %s, the machine %s a %s; choose another with --machine",
                origin(s), first->name, armpmu_machine_name(s->run.machine), wanted->name);
}

static enum armpmu_status list_events(const struct silicon_session *s, struct event_list *list)
{
    const struct armpmu_core *const core = armpmu_machine_core(s->run.machine);
    const struct core_events *const sets = &core_descriptor_of(core)->events;
    const uint16_t *number = sets->usual != NULL ? sets->usual : sets->hardware;
    const struct option_list *const asked = &s->options->events;
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < asked->n && status == ARMPMU_OK; i++)
        status = event_list_parse(list, core, MODE_ALL, asked->values[i], s->err);
    for (; asked->n == 0 && *number != CORE_EVENTS_END && status == ARMPMU_OK; number++)
        status = event_list_add(list, armpmu_event_by_number(core, *number), s->err);
    return status;
}

static enum armpmu_status count_on_board(struct silicon_session *s)
{
    struct event_list list = {.of_program = true};
    enum armpmu_status status = list_events(s, &list);

    if (status == ARMPMU_OK)
        status = board_count(&s->counts, armpmu_machine_core(s->run.machine), &list, s->run.program,
                             s->err);
    event_list_free(&list);
    return status;
}

/* ---- the model ---- */

/* The machine's event of perf's name; of one that it does not have, why. */
static enum armpmu_status find_event(const struct silicon_session *s, struct silicon_row *row)
{
    struct event_list list = {.takes_software = true};
    struct armpmu_error why = {""};
    const enum armpmu_status status = event_list_parse(&list, armpmu_machine_core(s->run.machine),
                                                       MODE_ALL, row->silicon->event, &why);

    if (status == ARMPMU_OK && list.count == 1)
        row->event = list.items[0].event;
    why.message[strcspn(why.message, ";")] = '\0'; /* without advice */
    if (row->event == NULL)
        row->why = strdup(status != ARMPMU_OK ? why.message : "several events");
    event_list_free(&list);
    return row->event != NULL || row->why != NULL ? ARMPMU_OK
                                                  : fail_no_memory(s->err, "the comparison");
}

static enum armpmu_status find_events(struct silicon_session *s)
{
    enum armpmu_status status = ARMPMU_OK;

    s->rows = calloc(s->counts.n, sizeof *s->rows);
    if (s->rows == NULL)
        return fail_no_memory(s->err, "the comparison");
    for (size_t i = 0; i < s->counts.n && status == ARMPMU_OK; i++) {
        s->rows[i].silicon = &s->counts.rows[i];
        status = find_event(s, &s->rows[i]);
    }
    return status;
}

static enum armpmu_status count_on_model(struct silicon_session *s)
{
    const enum armpmu_status status = session_run(&s->run);

    if (status != ARMPMU_OK)
        return status;
    session_explain(&s->run, false);
    for (size_t i = 0; i < s->counts.n; i++)
        if (s->rows[i].event != NULL)
            s->rows[i].model = armpmu_event_count(s->rows[i].event, s->run.result.signals);
    return ARMPMU_OK;
}

/* ---- both ---- */

static enum armpmu_status set_up(struct silicon_session *s)
{
    const char *const file = s->options->file;
    enum armpmu_status status = session_needs_program(&s->run);

    s->options->run.engine = ENGINE_QEMU;
    if (status == ARMPMU_OK && file != NULL && s->options->events.n != 0)
        status = fail(s->err, ARMPMU_BAD_CONFIG,
                      "calibrate: the events are those of %.200s; leave -e out", file);
    if (status == ARMPMU_OK)
        status = file != NULL ? read_file(s) : board_identify(&s->counts, s->err);
    if (status != ARMPMU_OK)
        return status;
    choose_machine(s);
    status = session_open(&s->run, NULL);
    return status == ARMPMU_OK ? check_core(s) : status;
}

static enum armpmu_status compare(struct silicon_session *s, const struct table_options *how,
                                  FILE *out)
{
    char early[ENDED_TEXT_BYTES];
    enum armpmu_status status = set_up(s);

    if (status == ARMPMU_OK && s->options->file == NULL)
        status = count_on_board(s);
    if (status == ARMPMU_OK)
        status = find_events(s);
    if (status == ARMPMU_OK)
        status = count_on_model(s);
    if (status != ARMPMU_OK)
        return status;
    const struct silicon_report report = {
        .run = &s->run,
        .counts = &s->counts,
        .rows = s->rows,
        .early = ended_early(&s->run.result, early) ? early : NULL,
    };
    return silicon_print(&report, how, out, s->err);
}

int silicon_compare(struct silicon_options *options, const struct table_options *how,
                    char *const *program, FILE *out, struct armpmu_error *err)
{
    struct silicon_session s = {
        .options = options,
        .run = {.command = "calibrate", .options = &options->run, .program = program, .err = err},
        .err = err,
    };

    s.run.user = &s;
    const int end = session_close(&s.run, compare(&s, how, out));
    for (size_t i = 0; s.rows != NULL && i < s.counts.n; i++)
        free(s.rows[i].why);
    free(s.rows);
    perf_counts_free(&s.counts);
    return end;
}
