/* `armpmu list` for people: aligned columns, and with -v a paragraph for each thing. */
#include "cli/report/list.h"

#include <string.h>

#include "base/printable.h"
#include "cli/text_wrap.h"
#include "profile/attribution.h"
#include "cli/report/regs.h"

static void print_signals(const struct armpmu_event *event, FILE *stream)
{
    char text[512] = "";
    size_t used = 0;

    for (unsigned i = 0; i < event->n_signals && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s (%s)", i > 0 ? " + " : "",
                                 armpmu_signal_name(event->signals[i]),
                                 armpmu_signal_meaning(event->signals[i]));
    if (used > 0)
        text_wrap_paragraph("signals", text, stream);
}

static void print_event_metrics(const struct armpmu_core *core, const struct armpmu_event *event,
                                FILE *stream)
{
    char text[512] = "";
    size_t used = 0;

    for (size_t i = 0; i < core->n_metrics && used < sizeof text; i++)
        if (core->metrics[i].beside == event->first)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "",
                                     core->metrics[i].name);
    if (used > 0)
        text_wrap_paragraph("metrics", text, stream);
}

static void print_bus(const struct armpmu_event *event, FILE *stream)
{
    char text[64];

    if (event->bus_bit == ARMPMU_NOT_ON_BUS)
        return;
    snprintf(text, sizeof text, "EVNTBUS[%u]%s", event->bus_bit,
             event->locates_a_fault ? ", with an update of the CFLR" : "");
    text_wrap_paragraph("event bus", text, stream);
}

static void print_event(const struct list *list, const struct armpmu_event *event, FILE *stream)
{
    char text[256];

    list_number(event, text, sizeof text);
    fprintf(stream, "%s  ", text);
    if (event->fidelity == ARMPMU_RESERVED) {
        fputs("reserved\n\n", stream);
        return;
    }
    text_wrap_name(list->color, event->name, 0, stream);
    putc('\n', stream);
    text_wrap_paragraph("", event->meaning, stream);
    text_wrap_paragraph("counts", armpmu_unit_name(event->unit), stream);
    text_wrap_paragraph("fidelity", list_fidelity(event), stream);
    print_signals(event, stream);
    if (event_owner_of(list->core, event) != NULL)
        text_wrap_paragraph("belongs to", event_owner_of(list->core, event)->who, stream);
    print_bus(event, stream);
    print_event_metrics(list->core, event, stream);
    for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++) {
        list_aliases(event, naming, text, sizeof text);
        if (text[0] != '\0')
            text_wrap_paragraph(armpmu_naming_name(naming), text, stream);
    }
    putc('\n', stream);
}

static void print_events(const struct list *list, FILE *stream)
{
    int number_width = 0, name_width = 0;
    char number[24];

    for (size_t i = 0; i < list->n; i++) {
        const struct armpmu_event *const event = list->things[i];
        list_number(event, number, sizeof number);
        number_width = text_wrap_longest(number_width, number);
        name_width = text_wrap_longest(name_width, event->name);
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct armpmu_event *const event = list->things[i];
        if (list->verbose) {
            print_event(list, event, stream);
            continue;
        }
        list_number(event, number, sizeof number);
        fprintf(stream, "%-*s  ", number_width, number);
        text_wrap_name(list->color, event->name, name_width, stream);
        fprintf(stream, "  %-13s  %.*s\n", armpmu_fidelity_name(event->fidelity),
                list_brief(event->meaning), event->meaning);
    }
}

static void print_registers(const struct list *list, FILE *stream)
{
    struct regs_columns columns = {0};

    for (size_t i = 0; i < list->n; i++)
        regs_measure(list->things[i], &columns);
    for (size_t i = 0; i < list->n; i++) {
        const struct regs_target target = {list->core, list->things[i], 0, false};
        if (!list->verbose) {
            regs_print_line(target.reg, &columns, list->color, stream);
            continue;
        }
        regs_print_register(&target, list->color, stream);
        putc('\n', stream);
    }
}

static void print_metrics(const struct list *list, FILE *stream)
{
    enum { GROUP_WIDTH = 9 };
    int name_width = 0;
    char formula[160];

    for (size_t i = 0; i < list->n; i++)
        name_width =
            text_wrap_longest(name_width, ((const struct armpmu_metric *)list->things[i])->name);
    for (size_t i = 0; i < list->n; i++) {
        const struct armpmu_metric *const metric = list->things[i];
        list_formula(list->core, metric, formula, sizeof formula);
        text_wrap_name(list->color, metric->name, list->verbose ? 0 : name_width, stream);
        if (!list->verbose) {
            fprintf(stream, "  %-*s  %-26s  %s\n", GROUP_WIDTH, metric->group, metric->unit,
                    formula);
            continue;
        }
        putc('\n', stream);
        text_wrap_paragraph("group", metric->group, stream);
        text_wrap_paragraph("formula", formula, stream);
        text_wrap_paragraph("unit", metric->unit, stream);
        text_wrap_paragraph("beside", armpmu_event_by_number(list->core, metric->beside)->name,
                            stream);
        text_wrap_paragraph("if high", metric->meaning, stream);
        putc('\n', stream);
    }
}

static void print_machines(const struct list *list, FILE *stream)
{
    int name_width = 0;
    char geometry[512];

    for (size_t i = 0; i < list->n; i++)
        name_width =
            text_wrap_longest(name_width, ((const struct list_machine *)list->things[i])->name);
    for (size_t i = 0; i < list->n; i++) {
        const struct list_machine *const listed = list->things[i];
        const struct armpmu_machine *const machine = listed->machine;
        if (!list->verbose) {
            text_wrap_name(list->color, listed->name, name_width, stream);
            fputs("  ", stream);
            printable_put(armpmu_machine_title(machine), stream);
            putc('\n', stream);
            continue;
        }
        text_wrap_name(list->color, listed->name, 0, stream);
        putc('\n', stream);
        printable(armpmu_machine_title(machine), geometry, sizeof geometry);
        text_wrap_paragraph("", geometry, stream);
        text_wrap_paragraph("core", armpmu_machine_core(machine)->name, stream);
        armpmu_machine_describe(machine, geometry, sizeof geometry);
        text_wrap_paragraph("geometry", geometry, stream);
        for (size_t key = 0; armpmu_machine_key(key) != NULL; key++) {
            const char *const value = armpmu_machine_value(machine, armpmu_machine_key(key));
            if (value != NULL)
                fprintf(stream, "%*s%-32s = %-12s %s\n", TEXT_WRAP_INDENT, "",
                        armpmu_machine_key(key), value, armpmu_machine_key_meaning(key));
        }
        putc('\n', stream);
    }
}

static void print_cores(const struct list *list, FILE *stream)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct armpmu_core *const core = list->things[i];
        text_wrap_name(list->color, core->name, 12, stream);
        fprintf(stream, "  %s: PMU %s, %u counters of %u bits%s\n", core->title, core->pmu,
                core->n_event_counters, core->counter_bits,
                list_has_cycle_counter(core) ? " and a cycle counter" : "");
        if (!list->verbose)
            continue;
        char names[160] = "";
        size_t used = 0;
        for (size_t j = 0; core->pmu_aliases[j] != NULL && used < sizeof names; j++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", j > 0 ? ", " : "",
                                     core->pmu_aliases[j]);
        if (used > 0)
            text_wrap_paragraph("also", names, stream);
        text_wrap_paragraph("source", core->document, stream);
        putc('\n', stream);
    }
}

static void print_signal_events(const struct list *list, enum armpmu_signal signal, FILE *stream)
{
    char text[512] = "";
    size_t used = 0;

    for (size_t i = 0; i < list->core->n_events && used < sizeof text; i++)
        if (list_counts(&list->core->events[i], signal))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "",
                                     list->core->events[i].name);
    text_wrap_paragraph("events", text, stream);
}

/* Signals, pins and outputs. */
static void print_wires(const struct list *list, FILE *stream)
{
    int width = 0;

    for (size_t i = 0; i < list->n; i++)
        width = text_wrap_longest(width,
                                  list_wire_name(list->what, *(const unsigned *)list->things[i]));
    for (size_t i = 0; i < list->n; i++) {
        const unsigned wire = *(const unsigned *)list->things[i];
        text_wrap_name(list->color, list_wire_name(list->what, wire), list->verbose ? 0 : width,
                       stream);
        if (!list->verbose) {
            fprintf(stream, "  %s\n", list_wire_meaning(list->what, wire));
            continue;
        }
        putc('\n', stream);
        text_wrap_paragraph("", list_wire_meaning(list->what, wire), stream);
        if (list->what == LIST_SIGNAL)
            print_signal_events(list, (enum armpmu_signal)wire, stream);
        putc('\n', stream);
    }
}

void list_print_text(const struct list *list, FILE *stream)
{
    switch (list->what) {
    case LIST_EVENT:
        print_events(list, stream);
        break;
    case LIST_REGISTER:
        print_registers(list, stream);
        break;
    case LIST_METRIC:
        print_metrics(list, stream);
        break;
    case LIST_SIGNAL:
    case LIST_PIN:
    case LIST_OUTPUT:
        print_wires(list, stream);
        break;
    case LIST_MACHINE:
        print_machines(list, stream);
        break;
    case LIST_CORE:
        print_cores(list, stream);
        break;
    }
}
