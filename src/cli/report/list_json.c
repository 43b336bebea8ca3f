/* `armpmu list -j`: perf's keys where perf has one for it, and for the rest words of the same kind.
 */
#include "cli/report/list.h"

#include "armpmu/pmu.h"

#include "cli/report/json_build.h"
#include "cli/report/regs.h"

static json_t *names_of(const struct armpmu_event *event, enum armpmu_naming naming)
{
    json_t *names = json_array();
    char name[80];

    for (size_t i = 0; armpmu_event_alias(event, naming, i, name, sizeof name) > 0; i++)
        names = build_append(names, build_text(name));
    return names;
}

static json_t *aliases_of(const struct armpmu_event *event)
{
    json_t *aliases = json_object();

    for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++)
        if (event->aliases[naming] != NULL)
            aliases = build_put(aliases, armpmu_naming_name(naming), names_of(event, naming));
    return aliases;
}

static json_t *signals_of(const struct armpmu_event *event)
{
    json_t *signals = json_array();

    for (unsigned i = 0; i < event->n_signals; i++)
        signals = build_append(signals, build_text(armpmu_signal_name(event->signals[i])));
    return signals;
}

/* Of an event on the event bus only. */
static json_t *put_bus(json_t *object, const struct armpmu_event *event)
{
    if (event->bus_bit == ARMPMU_NOT_ON_BUS)
        return object;
    object = build_put(object, "EventBusBit", json_integer(event->bus_bit));
    return build_put(object, "UpdatesCFLR", json_boolean(event->locates_a_fault));
}

/* What perf puts between the slashes. */
static unsigned perf_number(const struct armpmu_core *core, const struct armpmu_event *event)
{
    return event->first == core->cycles_event && core->cycles_config != 0 ? core->cycles_config
                                                                          : event->first;
}

static json_t *event_object(const struct list *list, const struct armpmu_event *event)
{
    char number[24], encoding[80];

    list_number(event, number, sizeof number);
    if (event->fidelity == ARMPMU_RESERVED)
        return json_pack("{s:s, s:s, s:s}", "Unit", list->core->pmu, "EventCode", number,
                         "Fidelity", armpmu_fidelity_name(event->fidelity));
    snprintf(encoding, sizeof encoding, "%s/event=0x%x/", list->core->pmu,
             perf_number(list->core, event));
    json_t *const object =
        json_pack("{s:s, s:s, s:s, s:s%, s:s, s:s, s:s, s:s, s:o, s:o}", "Unit", list->core->pmu,
                  "EventName", event->name, "EventCode", number, "BriefDescription", event->meaning,
                  (size_t)list_brief(event->meaning), "PublicDescription", event->meaning,
                  "Encoding", encoding, "CountUnit", armpmu_unit_name(event->unit), "Fidelity",
                  armpmu_fidelity_name(event->fidelity), "Signals", signals_of(event), "Aliases",
                  aliases_of(event));
    if (event->needs_system)
        return build_put(put_bus(object, event), "FidelityOfProgram", json_string("unknown"));
    return put_bus(object, event);
}

static json_t *register_object(const struct list *list, const struct armpmu_register *reg)
{
    const struct regs_target target = {list->core, reg, 0, false};
    return regs_build_register(&target);
}

static json_t *metric_object(const struct list *list, const struct armpmu_metric *metric)
{
    char formula[160];

    list_formula(list->core, metric, formula, sizeof formula);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "Unit", list->core->pmu, "MetricName",
                     metric->name, "MetricGroup", metric->group, "MetricExpr", formula,
                     "MetricUnit", metric->unit, "BesideEvent",
                     armpmu_event_by_number(list->core, metric->beside)->name, "WhenHigh",
                     metric->meaning);
}

/* The pin whose rising edge posts it; NULL. */
static const char *pin_of(const struct armpmu_core *core, enum armpmu_signal signal)
{
    enum armpmu_signal posted;

    for (unsigned pin = 0; pin < ARMPMU_PIN_COUNT; pin++)
        if (armpmu_pin_signal(core, (enum armpmu_pin)pin, &posted) && posted == signal)
            return armpmu_pin_name((enum armpmu_pin)pin);
    return NULL;
}

static json_t *signal_object(const struct list *list, enum armpmu_signal signal)
{
    const char *const pin = pin_of(list->core, signal);
    json_t *events = json_array();

    for (size_t i = 0; i < list->core->n_events; i++)
        if (list_counts(&list->core->events[i], signal))
            events = build_append(events, json_string(list->core->events[i].name));
    json_t *const object = json_pack("{s:s, s:s, s:s, s:o}", "Unit", list->core->pmu, "SignalName",
                                     armpmu_signal_name(signal), "BriefDescription",
                                     armpmu_signal_meaning(signal), "Events", events);
    return pin != NULL ? build_put(object, "Pin", json_string(pin)) : object;
}

/* Bits: how wide its value is. Posts: the signal of a rising edge. */
static json_t *pin_object(const struct list *list, enum armpmu_pin pin)
{
    enum armpmu_signal signal;
    json_t *const object =
        json_pack("{s:s, s:s, s:s, s:i}", "Unit", list->core->pmu, "PinName", armpmu_pin_name(pin),
                  "BriefDescription", armpmu_pin_meaning(pin), "Bits", (int)armpmu_pin_bits(pin));

    return armpmu_pin_signal(list->core, pin, &signal)
               ? build_put(object, "Posts", json_string(armpmu_signal_name(signal)))
               : object;
}

static json_t *output_object(const struct list *list, enum armpmu_output output)
{
    return json_pack("{s:s, s:s, s:s, s:b}", "Unit", list->core->pmu, "OutputName",
                     armpmu_output_name(output), "BriefDescription", armpmu_output_meaning(output),
                     "ActiveLow", armpmu_output_is_active_low(output));
}

static json_t *values_of(const struct armpmu_machine *machine)
{
    json_t *values = json_object();

    for (size_t key = 0; armpmu_machine_key(key) != NULL; key++) {
        const char *const value = armpmu_machine_value(machine, armpmu_machine_key(key));
        if (value != NULL)
            values = build_put(values, armpmu_machine_key(key), build_text(value));
    }
    return values;
}

static json_t *machine_object(const struct list_machine *listed)
{
    char geometry[160];

    armpmu_machine_describe(listed->machine, geometry, sizeof geometry);
    return json_pack("{s:o, s:s, s:o, s:s, s:o}", "MachineName", build_text(listed->name), "Core",
                     armpmu_machine_core(listed->machine)->name, "Title",
                     build_text(armpmu_machine_title(listed->machine)), "Geometry", geometry,
                     "Values", values_of(listed->machine));
}

static json_t *core_object(const struct armpmu_core *core)
{
    json_t *aliases = json_array();

    for (size_t i = 0; core->pmu_aliases[i] != NULL; i++)
        aliases = build_append(aliases, build_text(core->pmu_aliases[i]));
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:i, s:s}", "CoreName", core->name, "Title",
                     core->title, "Unit", core->pmu, "UnitAliases", aliases, "Counters",
                     (int)core->n_event_counters, "CounterBits", (int)core->counter_bits, "Source",
                     core->document);
}

static json_t *object_of(const struct list *list, const void *thing)
{
    switch (list->what) {
    case LIST_EVENT:
        return event_object(list, thing);
    case LIST_REGISTER:
        return register_object(list, thing);
    case LIST_METRIC:
        return metric_object(list, thing);
    case LIST_SIGNAL:
        return signal_object(list, (enum armpmu_signal) * (const unsigned *)thing);
    case LIST_PIN:
        return pin_object(list, (enum armpmu_pin) * (const unsigned *)thing);
    case LIST_OUTPUT:
        return output_object(list, (enum armpmu_output) * (const unsigned *)thing);
    case LIST_MACHINE:
        return machine_object(thing);
    case LIST_CORE:
        return core_object(thing);
    }
    return NULL;
}

bool list_print_json(const struct list *list, FILE *stream)
{
    json_t *array = json_array();

    for (size_t i = 0; i < list->n; i++)
        array = build_append(array, object_of(list, list->things[i]));
    return build_print(array, stream);
}
