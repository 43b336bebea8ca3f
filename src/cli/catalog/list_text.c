/* `armpmu list -v`: a paragraph for each thing. */
#include "cli/catalog/list.h"

#include "base/printable.h"
#include "base/text.h"
#include "cli/text_wrap.h"
#include "profile/attribution.h"
#include "profile/metric.h"
#include "cli/catalog/regs.h"

static void print_signals(const struct armpmu_event *event, FILE *stream)
{
    char text[512] = "";

    for (unsigned i = 0; i < event->n_signals; i++)
        text_join(text, sizeof text, " + ", "%s (%s)", armpmu_signal_name(event->signals[i]),
                  armpmu_signal_meaning(event->signals[i]));
    if (text[0] != '\0')
        text_wrap_paragraph("signals", text, stream);
}

static void print_event_metrics(const struct armpmu_core *core, const struct armpmu_event *event,
                                FILE *stream)
{
    char text[512] = "";

    for (size_t i = 0; i < core->n_metrics; i++)
        if (core->metrics[i].beside == event->first)
            text_join(text, sizeof text, ", ", "%s", core->metrics[i].name);
    if (text[0] != '\0')
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

void list_print_event(const struct list *list, const void *thing, FILE *stream)
{
    const struct armpmu_event *const event = thing;
    char text[256];

    list_number(event, text, sizeof text);
    fprintf(stream, "%s  ", text);
    if (list_is_reserved(event)) {
        fputs("reserved\n\n", stream);
        return;
    }
    text_wrap_name(list->color, event->name, 0, stream);
    putc('\n', stream);
    text_wrap_paragraph("", event->meaning, stream);
    if (event->fidelity == ARMPMU_RESERVED) {
        putc('\n', stream);
        return;
    }
    text_wrap_paragraph("counts", armpmu_unit_name(event->unit), stream);
    text_wrap_paragraph("fidelity", list_fidelity(event), stream);
    text_wrap_paragraph("needs",
                        event_needs_execution_alone(event) ? "the program's execution alone"
                                                           : "a model of the core",
                        stream);
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

void list_print_register(const struct list *list, const void *thing, FILE *stream)
{
    regs_print_register(&(struct regs_target){list->core, thing, 0, false}, list->color, stream);
    putc('\n', stream);
}

void list_print_metric(const struct list *list, const void *thing, FILE *stream)
{
    const struct armpmu_metric *const metric = thing;
    char formula[METRIC_FORMULA_BYTES];

    metric_formula(list->core, metric, formula, sizeof formula);
    text_wrap_name(list->color, metric->name, 0, stream);
    putc('\n', stream);
    text_wrap_paragraph("group", metric->group, stream);
    text_wrap_paragraph("formula", formula, stream);
    text_wrap_paragraph("unit", metric->unit, stream);
    text_wrap_paragraph("beside", armpmu_event_by_number(list->core, metric->beside)->name, stream);
    text_wrap_paragraph("if high", metric->meaning, stream);
    putc('\n', stream);
}

void list_print_machine(const struct list *list, const void *thing, FILE *stream)
{
    const struct list_machine *const listed = thing;
    const struct armpmu_machine *const machine = listed->machine;
    char text[512];

    text_wrap_name(list->color, listed->name, 0, stream);
    putc('\n', stream);
    printable(armpmu_machine_title(machine), text, sizeof text);
    text_wrap_paragraph("", text, stream);
    text_wrap_paragraph("core", armpmu_machine_core(machine)->name, stream);
    armpmu_machine_describe(machine, text, sizeof text);
    text_wrap_paragraph("geometry", text, stream);
    for (size_t key = 0; armpmu_machine_key(key) != NULL; key++) {
        const char *const value = armpmu_machine_value(machine, armpmu_machine_key(key));
        if (value != NULL)
            text_wrap_fitted(armpmu_machine_key_meaning(key),
                             fprintf(stream, "%*s%-32s = %-12s ", TEXT_WRAP_INDENT, "",
                                     armpmu_machine_key(key), value),
                             TEXT_WRAP_INDENT + 2, stream);
    }
    putc('\n', stream);
}

void list_print_core(const struct list *list, const void *thing, FILE *stream)
{
    const struct armpmu_core *const core = thing;
    char text[256];

    text_wrap_name(list->color, core->name, LIST_CORE_WIDTH, stream);
    list_core_summary(core, text, sizeof text);
    fputs("  ", stream);
    text_wrap_fitted(text, LIST_CORE_WIDTH + 2, LIST_CORE_WIDTH + 2, stream);
    text[0] = '\0';
    for (size_t j = 0; core->pmu_aliases[j] != NULL; j++)
        text_join(text, sizeof text, ", ", "%s", core->pmu_aliases[j]);
    if (text[0] != '\0')
        text_wrap_paragraph("also", text, stream);
    text_wrap_paragraph("source", core->document, stream);
    putc('\n', stream);
}

static void print_signal_events(const struct list *list, enum armpmu_signal signal, FILE *stream)
{
    char text[512] = "";

    for (size_t i = 0; i < list->core->n_events; i++)
        if (list_counts(&list->core->events[i], signal))
            text_join(text, sizeof text, ", ", "%s", list->core->events[i].name);
    text_wrap_paragraph("events", text, stream);
}

static void print_wire(const struct list *list, const struct list_wire *wire, FILE *stream)
{
    text_wrap_name(list->color, wire->name, 0, stream);
    putc('\n', stream);
    text_wrap_paragraph("", wire->meaning, stream);
}

void list_print_signal(const struct list *list, const void *thing, FILE *stream)
{
    const struct list_wire *const wire = thing;

    print_wire(list, wire, stream);
    print_signal_events(list, (enum armpmu_signal)wire->number, stream);
    putc('\n', stream);
}

void list_print_wire(const struct list *list, const void *thing, FILE *stream)
{
    print_wire(list, thing, stream);
    putc('\n', stream);
}
