#include "cli/calibrate/machine_writer.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "cli/calibrate/features.h"
#include "cli/cmd/check_formula.h"

#define KEY_WIDTH 32 /* of "key = value" before the comment */

static const struct measured_key {
    const char *section, *key, *unit, *formula;
} keys[] = {
#define MEASURED(section, key, unit, formula) {#section, #key, unit, formula},
#include "cli/calibrate/keys.def"
#undef MEASURED
};

#define N_KEYS (sizeof keys / sizeof keys[0])

/* What a machine file takes. */
static const struct key_limits {
    const char *section, *key;
    int64_t low, high;
} limits[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning) {#section, #key, low, high},
#define CHOICE(section, key, type, meaning)
#include "machine/machine.def"
#undef NUMBER
#undef CHOICE
};

/* What was found of a key. */
struct finding {
    bool found;
    int64_t thousandths, value;
    char why[160]; /* it was not found */
};

static const struct key_limits *limits_of(const struct measured_key *key)
{
    const struct key_limits *found = limits;

    while (strcmp(found->section, key->section) != 0 || strcmp(found->key, key->key) != 0)
        found++;
    return found;
}

static bool base_has(const struct armpmu_machine *base, const struct measured_key *key)
{
    char name[80];

    snprintf(name, sizeof name, "%s.%s", key->section, key->key);
    return armpmu_machine_value(base, name) != NULL;
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
static void round_finding(const struct measured_key *key, struct finding *finding)
{
    const struct key_limits *const takes = limits_of(key);
    const int64_t thousandths = finding->thousandths;
    char text[32];

    finding->value = (thousandths + 500) / 1000;
    finding->found =
        thousandths > -500 && finding->value >= takes->low && finding->value <= takes->high;
    if (!finding->found)
        snprintf(finding->why, sizeof finding->why,
                 "%.80s is %s, the key takes %" PRId64 " to %" PRId64, key->formula,
                 decimal(thousandths, text, sizeof text), takes->low, takes->high);
}

static void find(const struct machine_writer *w, const struct measured_key *key,
                 struct finding *finding)
{
    struct features features = {.measured = w->measured, .base = w->base};
    struct armpmu_error err = {""};

    *finding = (struct finding){.found = false};
    if (check_formula(key->formula, feature_value, &features, &finding->thousandths, &err) ==
        ARMPMU_OK)
        round_finding(key, finding);
    else
        snprintf(finding->why, sizeof finding->why, "%s",
                 features.why[0] != '\0' ? features.why : err.message);
}

static void write_key(const struct machine_writer *w, const struct measured_key *key,
                      const struct finding *finding)
{
    char text[32];
    const int width = fprintf(w->stream, "%s = %" PRId64, key->key, finding->value);

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

static void write_missing(const struct machine_writer *w, const struct measured_key *key,
                          const struct finding *finding, FILE *notes)
{
    fprintf(w->stream, "; %s: not measured, %s\n", key->key, finding->why);
    printable_put(w->path, notes);
    fprintf(notes, ": %s.%s stays as in ", key->section, key->key);
    printable_put(w->base_name, notes);
    fprintf(notes, ": %s\n", finding->why);
}

unsigned machine_write(const struct machine_writer *writer, FILE *notes)
{
    const char *section = "";
    unsigned found = 0;

    write_head(writer);
    for (size_t i = 0; i < N_KEYS; i++) {
        struct finding finding;
        if (!base_has(writer->base, &keys[i]))
            continue;
        find(writer, &keys[i], &finding);
        if (strcmp(section, keys[i].section) != 0)
            fprintf(writer->stream, "\n[%s]\n", keys[i].section);
        section = keys[i].section;
        if (finding.found)
            write_key(writer, &keys[i], &finding);
        else
            write_missing(writer, &keys[i], &finding, notes);
        found += finding.found;
    }
    return found;
}
