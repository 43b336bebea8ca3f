#include "cli/bench/machine_writer.h"

#include <inttypes.h>
#include <string.h>

#include "cli/bench/features.h"
#include "base/formula.h"
#include "machine/core_descriptor.h"

#define KEY_WIDTH 32 /* of "key = value" before the comment */

/* The values for a machine file, by key. */
static const struct {
    int64_t low, high;
} limits[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning) {low, high},
#define CHOICE(section, key, type, meaning)                    {0, 0},
#include "machine/machine.def"
#undef NUMBER
#undef CHOICE
};

/* The value that was found for a key. */
struct finding {
    bool found;
    int64_t thousandths, value;
    char why[160]; /* it was not found */
};

/* Without its section. */
static const char *key_name(const struct core_measured_key *key)
{
    return strchr(armpmu_machine_key(key->key), '.') + 1;
}

/* With two decimals. */
static const char *decimal(int64_t thousandths, char *text, size_t size)
{
    const int64_t hundredths = (thousandths < 0 ? -thousandths : thousandths) / 10;

    snprintf(text, size, "%s%" PRId64 ".%02" PRId64, thousandths < 0 ? "-" : "", hundredths / 100,
             hundredths % 100);
    return text;
}

/* Rounds to the nearest number. */
static void round_finding(const struct core_measured_key *key, struct finding *finding)
{
    const int64_t thousandths = finding->thousandths;
    char text[32];

    finding->value = (thousandths + 500) / 1000;
    finding->found = thousandths > -500 && finding->value >= limits[key->key].low &&
                     finding->value <= limits[key->key].high;
    if (!finding->found)
        snprintf(finding->why, sizeof finding->why,
                 "%.80s is %s, the key takes %" PRId64 " to %" PRId64, key->formula,
                 decimal(thousandths, text, sizeof text), limits[key->key].low,
                 limits[key->key].high);
}

static void find(const struct machine_writer *w, const struct core_measured_key *key,
                 struct finding *finding)
{
    struct features features = {.measured = w->measured, .base = w->base};
    struct armpmu_error err = {""};

    *finding = (struct finding){.found = false};
    if (formula_value(key->formula, feature_value, &features, &finding->thousandths, &err) ==
        ARMPMU_OK)
        round_finding(key, finding);
    else
        snprintf(finding->why, sizeof finding->why, "%s",
                 features.why[0] != '\0' ? features.why : err.message);
}

static void write_key(const struct machine_writer *w, const struct core_measured_key *key,
                      const struct finding *finding)
{
    char text[32];
    const int width = fprintf(w->stream, "%s = %" PRId64, key_name(key), finding->value);

    fprintf(w->stream, "%*s; measured: %s %s (median of %u)\n",
            width < KEY_WIDTH ? KEY_WIDTH - width : 1, "",
            decimal(finding->thousandths, text, sizeof text), key->unit, w->measured->runs);
}

static void write_head(const struct machine_writer *w)
{
    fprintf(w->stream,
            "; Measured by armpmu calibrate. What is not here is as in %s.\n\n"
            "[machine]\nname = %s\nbase = %s\ntitle = %s, measured\n",
            w->base_name, w->name, w->base_name, w->name);
}

static void write_missing(const struct machine_writer *w, const struct core_measured_key *key,
                          const struct finding *finding)
{
    fprintf(w->stream, "; %s: not measured, %s\n", key_name(key), finding->why);
    w->note("%s: %s stays as in %s: %s", w->path, armpmu_machine_key(key->key), w->base_name,
            finding->why);
}

/* "[issue]" before the first key of a section. */
static void write_section(const struct machine_writer *w, const struct core_measured_key *key,
                          const struct core_measured_key *before)
{
    const char *const name = armpmu_machine_key(key->key);
    const int length = (int)strcspn(name, ".");

    if (before == NULL || strncmp(name, armpmu_machine_key(before->key), (size_t)length + 1) != 0)
        fprintf(w->stream, "\n[%.*s]\n", length, name);
}

unsigned machine_write(const struct machine_writer *writer)
{
    const struct core_descriptor *const core =
        core_descriptor_of(armpmu_machine_core(writer->base));
    const struct core_measured_key *before = NULL;
    unsigned found = 0;

    write_head(writer);
    for (const struct core_measured_key *key = core->measured; key->key != MACHINE_KEYS; key++) {
        struct finding finding;
        find(writer, key, &finding);
        write_section(writer, key, before);
        before = key;
        if (finding.found)
            write_key(writer, key, &finding);
        else
            write_missing(writer, key, &finding);
        found += finding.found;
    }
    return found;
}
