/* `armpmu list --format=md`: the page of a core in docs/events. */
#include "cli/catalog/list.h"

#include "cli/text_wrap.h"
#include "profile/attribution.h"
#include "profile/metric.h"

static bool has_bus(const struct armpmu_core *core)
{
    for (size_t i = 0; i < core->n_events; i++)
        if (core->events[i].bus_bit != ARMPMU_NOT_ON_BUS)
            return true;
    return false;
}

/* The columns that only a core with an event bus has. */
static void print_bus(const struct armpmu_event *event, FILE *stream)
{
    if (event->bus_bit != ARMPMU_NOT_ON_BUS)
        fprintf(stream, " %u |%s |", event->bus_bit, event->locates_a_fault ? " yes" : "");
    else
        fputs(" | |", stream);
}

/* The events that an event is the sum of. */
static void print_signals(const struct armpmu_event *event, FILE *stream)
{
    for (unsigned i = 0; i < event->n_signals; i++)
        fprintf(stream, "%s`%s`", i > 0 ? " + " : "",
                armpmu_signal_name((enum armpmu_signal)event->signals[i]));
}

static void print_event(const struct armpmu_event *event, bool bus, FILE *stream)
{
    char number[24];
    list_number(event, number, sizeof number);
    fprintf(stream, "| %s |", number);
    if (list_is_reserved(event))
        fputs(" |", stream);
    else
        fprintf(stream, " `%s` |", event->name);
    if (event->fidelity == ARMPMU_RESERVED) {
        fprintf(stream, "%s | %s | %s | |\n", bus ? " | |" : "", list_fidelity(event),
                event->meaning);
        return;
    }
    if (bus)
        print_bus(event, stream);
    fprintf(stream, " %s | %s | ", armpmu_unit_name(event->unit), list_fidelity(event));
    text_wrap_markdown(event->meaning, stream);
    fputs(" | ", stream);
    print_signals(event, stream);
    fputs(" |\n", stream);
}

static void print_events(const struct armpmu_core *core, FILE *stream)
{
    const bool bus = has_bus(core);

    fprintf(stream,
            "## Events\n\n"
            "| No. | Name |%s Counts | Fidelity | Definition | Signals |\n"
            "|---|---|%s---|---|---|---|\n",
            bus ? " EVNTBUS | CFLR |" : "", bus ? "---|---|" : "");
    for (size_t i = 0; i < core->n_events; i++)
        print_event(&core->events[i], bus, stream);
    fputs(
        "\n**exact**: decided by the instruction stream alone. **modelled**: depends on the core "
        "model and the\nmachine. **input**: comes from a pin or an injected fault. An event is the "
        "sum of the **signals** of its core's\nmodel. Every sentence that a test shows of it: "
        "[docs/validation.md](../validation.md#evidence-by-event).\n",
        stream);
    if (bus)
        fputs("**EVNTBUS**: the event's bit of the event bus. **CFLR**: the event goes with an "
              "update "
              "of that register.\n",
              stream);
}

static void print_owners(const struct armpmu_core *core, FILE *stream)
{
    fputs("\n## Where they happen\n\n"
          "The instruction to which `armpmu record` gives each event. The rule, and call paths: "
          "[docs/profiling.md](../profiling.md#attribution).\n\n"
          "| No. | Name | Belongs to | Because |\n"
          "|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *const event = &core->events[i];
        const struct event_owner *const owner = event_owner_of(core, event);
        if (owner != NULL)
            fprintf(stream, "| 0x%02x | `%s` | %s | %s |\n", event->first, event->name, owner->who,
                    owner->why);
    }
}

static void print_names(const struct armpmu_core *core, FILE *stream)
{
    fputs("\n## Names elsewhere\n\n"
          "Each of these is accepted wherever an event is named.\n\n"
          "| No. | Name | perf and Linux | libpfm4 | PAPI | gator | Customary |\n"
          "|---|---|---|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *const event = &core->events[i];
        if (event->fidelity == ARMPMU_RESERVED)
            continue;
        fprintf(stream, "| 0x%02x | `%s` |", event->first, event->name);
        for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++) {
            char aliases[256];
            list_aliases(event, naming, aliases, sizeof aliases);
            putc(' ', stream);
            text_wrap_markdown(aliases, stream);
            fputs(aliases[0] != '\0' ? " |" : "|", stream);
        }
        putc('\n', stream);
    }
}

static void print_metrics(const struct armpmu_core *core, FILE *stream)
{
    fputs("\n## Metrics\n\n"
          "| Name | Group | Formula | Unit | When it is high |\n"
          "|---|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < core->n_metrics; i++) {
        const struct armpmu_metric *const metric = &core->metrics[i];
        char formula[METRIC_FORMULA_BYTES];
        metric_formula(core, metric, formula, sizeof formula);
        fprintf(stream, "| `%s` | %s | `%s` | %s | %s |\n", metric->name, metric->group, formula,
                metric->unit, metric->meaning);
    }
}

void list_print_page(const struct armpmu_core *core, FILE *stream)
{
    fprintf(
        stream,
        "# %s: events\n\n"
        "Printed by `armpmu list --format=md --core=%s`: change the catalogue, not this page.\n\n"
        "Source: %s.\n"
        "The definitions are our own words.\n\n"
        "PMU `%s`: %u event counters of %u bits%s. "
        "Its registers: [docs/registers](../registers/%s.md).\n\n",
        core->title, core->name, core->document, core->pmu, core->n_event_counters,
        core->counter_bits, list_has_cycle_counter(core) ? " and a cycle counter" : "", core->name);
    print_events(core, stream);
    print_owners(core, stream);
    print_names(core, stream);
    print_metrics(core, stream);
}
