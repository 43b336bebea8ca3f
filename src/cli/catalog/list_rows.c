/* The rows of `armpmu list`: perf's keys where perf has one, and keys in the same style for the
 * rest. */
#include "cli/catalog/list.h"

#include <string.h>

#include "armpmu/pmu.h"
#include "cli/catalog/regs.h"
#include "profile/metric.h"

/* ---- events ---- */

static void put_aliases(struct report_table *t, const struct armpmu_event *event)
{
    char name[80];

    table_open(t, "Aliases", '{');
    for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++) {
        if (event->aliases[naming] == NULL)
            continue;
        table_open(t, armpmu_naming_name(naming), '[');
        for (size_t i = 0; armpmu_event_alias(event, naming, i, name, sizeof name) > 0; i++)
            table_text(t, NULL, name);
        table_close(t);
    }
    table_close(t);
}

/* The text that perf has between the slashes. */
static unsigned perf_number(const struct armpmu_core *core, const struct armpmu_event *event)
{
    return event->first == core->cycles_event && core->cycles_config != 0 ? core->cycles_config
                                                                          : event->first;
}

static void put_brief(struct report_table *t, const struct armpmu_event *event)
{
    char text[512];

    snprintf(text, sizeof text, "%.*s", (int)strcspn(event->meaning, ";:"), event->meaning);
    table_text(t, "BriefDescription", text);
}

/* A range of numbers that has no event, and an event that is not modelled, have only these. */
static void put_reserved(struct report_table *t, const struct armpmu_event *event)
{
    if (!table_is_json(t) || !list_is_reserved(event))
        put_brief(t, event);
    table_text(t, "Fidelity", list_fidelity(event));
}

void list_put_event(struct report_table *t, const struct list *list, const void *thing)
{
    const struct armpmu_event *const event = thing;
    char text[80];

    table_text(t, "Unit", list->core->pmu);
    if (!list_is_reserved(event))
        table_text(t, "EventName", event->name);
    list_number(event, text, sizeof text);
    table_text(t, "EventCode", text);
    if (event->fidelity == ARMPMU_RESERVED) {
        put_reserved(t, event);
        return;
    }
    put_brief(t, event);
    table_text(t, "PublicDescription", event->meaning);
    snprintf(text, sizeof text, "%s/event=0x%x/", list->core->pmu, perf_number(list->core, event));
    table_text(t, "Encoding", text);
    table_text(t, "CountUnit", armpmu_unit_name(event->unit));
    table_text(t, "Fidelity", armpmu_fidelity_name(event->fidelity));
    table_text(t, "Needs", event_needs_execution_alone(event) ? "execution" : "model");
    table_open(t, "Signals", '[');
    for (unsigned i = 0; i < event->n_signals; i++)
        table_text(t, NULL, armpmu_signal_name(event->signals[i]));
    table_close(t);
    put_aliases(t, event);
    if (event->bus_bit != ARMPMU_NOT_ON_BUS) {
        table_count(t, "EventBusBit", event->bus_bit);
        table_flag(t, "UpdatesCFLR", event->locates_a_fault);
    }
    if (event->needs_system)
        table_text(t, "FidelityOfProgram", "unknown");
}

static const struct table_column event_lines[] = {{.key = "EventCode"},
                                                  {.key = "EventName", .is_name = true, .gap = 2},
                                                  {.key = "Fidelity", .width = 13, .gap = 2},
                                                  {.key = "BriefDescription", .gap = 2}};
const struct table_form list_event_form = {
    "list", "events", TABLE_COLUMNS(event_lines),
    .keys = "Unit EventName EventCode BriefDescription PublicDescription Encoding CountUnit "
            "Fidelity Needs Signals EventBusBit UpdatesCFLR FidelityOfProgram"};

/* ---- registers and metrics ---- */

void list_put_register(struct report_table *t, const struct list *list, const void *thing)
{
    regs_put(t, &(struct regs_target){list->core, thing, 0, false});
}

void list_put_metric(struct report_table *t, const struct list *list, const void *thing)
{
    const struct armpmu_metric *const metric = thing;
    char formula[METRIC_FORMULA_BYTES];

    metric_formula(list->core, metric, formula, sizeof formula);
    table_text(t, "Unit", list->core->pmu);
    table_text(t, "MetricName", metric->name);
    table_text(t, "MetricGroup", metric->group);
    table_text(t, "MetricExpr", formula);
    table_text(t, "MetricUnit", metric->unit);
    table_text(t, "BesideEvent", armpmu_event_by_number(list->core, metric->beside)->name);
    table_text(t, "WhenHigh", metric->meaning);
}

static const struct table_column metric_lines[] = {{.key = "MetricName", .is_name = true},
                                                   {.key = "MetricGroup", .width = 9, .gap = 2},
                                                   {.key = "MetricUnit", .width = 26, .gap = 2},
                                                   {.key = "MetricExpr", .gap = 2}};
const struct table_form list_metric_form = {
    "list", "metrics", TABLE_COLUMNS(metric_lines),
    .keys = "Unit MetricName MetricGroup MetricExpr MetricUnit BesideEvent WhenHigh"};

/* ---- signals, pins and outputs ---- */

/* The pin whose rising edge posts it; NULL. */
static const char *pin_of(const struct armpmu_core *core, enum armpmu_signal signal)
{
    enum armpmu_signal posted;

    for (unsigned pin = 0; pin < ARMPMU_PIN_COUNT; pin++)
        if (armpmu_pin_signal(core, (enum armpmu_pin)pin, &posted) && posted == signal)
            return armpmu_pin_name((enum armpmu_pin)pin);
    return NULL;
}

static void put_wire(struct report_table *t, const struct list *list, const char *key,
                     const struct list_wire *wire)
{
    table_text(t, "Unit", list->core->pmu);
    table_text(t, key, wire->name);
    table_text(t, "BriefDescription", wire->meaning);
}

void list_put_signal(struct report_table *t, const struct list *list, const void *thing)
{
    const enum armpmu_signal signal = (enum armpmu_signal)((const struct list_wire *)thing)->number;

    put_wire(t, list, "SignalName", thing);
    table_open(t, "Events", '[');
    for (size_t i = 0; i < list->core->n_events; i++)
        if (list_counts(&list->core->events[i], signal))
            table_text(t, NULL, list->core->events[i].name);
    table_close(t);
    if (pin_of(list->core, signal) != NULL)
        table_text(t, "Pin", pin_of(list->core, signal));
}

/* Bits: how wide its value is. Posts: the signal of a rising edge. */
void list_put_pin(struct report_table *t, const struct list *list, const void *thing)
{
    const enum armpmu_pin pin = (enum armpmu_pin)((const struct list_wire *)thing)->number;
    enum armpmu_signal signal;

    put_wire(t, list, "PinName", thing);
    table_count(t, "Bits", armpmu_pin_bits(pin));
    if (armpmu_pin_signal(list->core, pin, &signal))
        table_text(t, "Posts", armpmu_signal_name(signal));
}

void list_put_output(struct report_table *t, const struct list *list, const void *thing)
{
    const struct list_wire *const wire = thing;

    put_wire(t, list, "OutputName", wire);
    table_flag(t, "ActiveLow", armpmu_output_is_active_low((enum armpmu_output)wire->number));
}

#define WIRE_FORM(kind, wire_name, tool_keys)                                                      \
    static const struct table_column kind##_lines[] = {{.key = wire_name, .is_name = true},        \
                                                       {.key = "BriefDescription", .gap = 2}};     \
    const struct table_form list_##kind##_form = {"list", #kind "s", TABLE_COLUMNS(kind##_lines),  \
                                                  .keys = "Unit " wire_name                        \
                                                          " BriefDescription " tool_keys};
WIRE_FORM(signal, "SignalName", "Events Pin")
WIRE_FORM(pin, "PinName", "Bits Posts")
WIRE_FORM(output, "OutputName", "ActiveLow")

/* ---- machines and cores ---- */

void list_put_machine(struct report_table *t, const struct list *list, const void *thing)
{
    const struct list_machine *const listed = thing;
    const struct armpmu_machine *const machine = listed->machine;
    char geometry[160];

    (void)list;
    armpmu_machine_describe(machine, geometry, sizeof geometry);
    table_text(t, "MachineName", listed->name);
    table_text(t, "Core", armpmu_machine_core(machine)->name);
    table_text(t, "Title", armpmu_machine_title(machine));
    table_text(t, "Geometry", geometry);
    table_open(t, "Values", '{');
    for (size_t key = 0; armpmu_machine_key(key) != NULL; key++) {
        const char *const value = armpmu_machine_value(machine, armpmu_machine_key(key));
        if (value != NULL)
            table_text(t, armpmu_machine_key(key), value);
    }
    table_close(t);
}

static const struct table_column machine_lines[] = {{.key = "MachineName", .is_name = true},
                                                    {.key = "Title", .gap = 2}};
const struct table_form list_machine_form = {"list", "machines", TABLE_COLUMNS(machine_lines),
                                             .keys = "MachineName Core Title Geometry"};

void list_put_core(struct report_table *t, const struct list *list, const void *thing)
{
    const struct armpmu_core *const core = thing;
    char summary[256];

    (void)list;
    table_text(t, "CoreName", core->name);
    if (t->options->format == TABLE_TEXT) {
        list_core_summary(core, summary, sizeof summary);
        table_text(t, "Title", summary);
        return;
    }
    table_text(t, "Title", core->title);
    table_text(t, "Unit", core->pmu);
    table_open(t, "UnitAliases", '[');
    for (size_t i = 0; core->pmu_aliases[i] != NULL; i++)
        table_text(t, NULL, core->pmu_aliases[i]);
    table_close(t);
    table_count(t, "Counters", core->n_event_counters);
    table_count(t, "CounterBits", core->counter_bits);
    table_text(t, "Source", core->document);
}

static const struct table_column core_lines[] = {
    {.key = "CoreName", .is_name = true, .width = LIST_CORE_WIDTH}, {.key = "Title", .gap = 2}};
const struct table_form list_core_form = {
    "list", "cores", TABLE_COLUMNS(core_lines),
    .keys = "CoreName Title Unit UnitAliases Counters CounterBits Source"};
