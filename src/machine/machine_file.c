/* Reading one machine file.
 *
 * inih splits lines into sections, keys and values; everything it would let pass (lines too long
 * for it, indented lines, unknown and repeated keys) is an error here, so that a slip of the pen
 * never silently changes a machine. */
#include "machine/machine_file.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum key_kind {
    KIND_NUMBER,
    KIND_REPLACEMENT,
    KIND_YESNO,
    KIND_PAGE_MAP,
    KIND_HELD_LINES,
    KIND_CACHE_INDEX,
    KIND_PROTECTION,
    KIND_ELSEWHERE,
    KIND_PIPES,
};

/* The words of each kind of choice, in the order of its enum. */
static const char *const words[][7] = {
    [KIND_NUMBER] = {NULL},
    [KIND_REPLACEMENT] = {"random", "round-robin", "lru", NULL},
    [KIND_YESNO] = {"no", "yes", NULL},
    [KIND_PAGE_MAP] = {"identity", "scattered", NULL},
    [KIND_HELD_LINES] = {"missed", "victims", NULL},
    [KIND_CACHE_INDEX] = {"physical", "virtual", NULL},
    [KIND_PROTECTION] = {"none", "parity", "ecc", NULL},
    [KIND_ELSEWHERE] = {"cacheable", "noncacheable", "tcm", NULL},
    [KIND_PIPES] = {"any", "v0", "v1", "v01", "v02", "v13", NULL},
};

#define KIND_replacement KIND_REPLACEMENT
#define KIND_yesno       KIND_YESNO
#define KIND_page_map    KIND_PAGE_MAP
#define KIND_held_lines  KIND_HELD_LINES
#define KIND_cache_index KIND_CACHE_INDEX
#define KIND_protection  KIND_PROTECTION
#define KIND_elsewhere   KIND_ELSEWHERE
#define KIND_pipes       KIND_PIPES

/* A row of machine.def. */
struct key_row {
    const char *section, *key;
    enum key_kind kind;
    uint32_t low, high;
    bool power_of_two;
};

static const struct key_row rows[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning)                                     \
    {#section, #key, KIND_NUMBER, low, high, power_of_two},
#define CHOICE(section, key, type, meaning) {#section, #key, KIND_##type, 0, 0, false},
#include "machine/machine.def"
#undef NUMBER
#undef CHOICE
};

static const char *const labels[] = {"name", "core", "title", "base"};

/* One file while it is read. */
struct machine_reader {
    FILE *file;
    const char *path;
    struct machine_draft *draft;
    unsigned line;
    char section[64]; /* of the latest "[section]" line */
    enum armpmu_status status;
    struct armpmu_error *err;
};

static bool is_text(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '\n')
            return false;
    return true;
}

static bool is_blank_or_comment(const char *line)
{
    line += strspn(line, " \t\r\n");
    return *line == '\0' || *line == ';' || *line == '#';
}

static bool section_is_known(const char *section)
{
    if (strcmp(section, "stub") == 0)
        return true;
    if (strcmp(section, "machine") == 0)
        return true;
    for (size_t i = 0; i < MACHINE_KEYS; i++)
        if (strcmp(section, rows[i].section) == 0)
            return true;
    return false;
}

/* ", " separated names of all sections, or of all keys of a section. */
static void list_names(const char *section, char *text, size_t size)
{
    const char *latest = "";

    text[0] = '\0';
    for (size_t i = 0; i < MACHINE_KEYS; i++) {
        if (section != NULL && strcmp(rows[i].section, section) != 0)
            continue;
        const char *const name = section != NULL ? rows[i].key : rows[i].section;
        if (strcmp(name, latest) == 0)
            continue;
        text_join(text, size, ", ", "%s", name);
        latest = name;
    }
}

static void reject_section(struct machine_reader *reading)
{
    char names[256];

    list_names(NULL, names, sizeof names);
    reading->status = fail(reading->err, ARMPMU_BAD_CONFIG,
                           "%s:%u: there is no section [%s]; there are machine, stub, %s",
                           reading->path, reading->line, reading->section, names);
}

/* Looks at "[section]" lines: inih does not report a section without keys. */
static void check_section(struct machine_reader *reading, const char *line)
{
    const size_t length = strcspn(line + 1, "]\r\n");

    if (line[1 + length] != ']') {
        reading->status = fail(reading->err, ARMPMU_BAD_CONFIG,
                               "%s:%u: the ']' is missing that ends the section's name",
                               reading->path, reading->line);
        return;
    }
    snprintf(reading->section, sizeof reading->section, "%.*s", (int)(length < 63 ? length : 63),
             line + 1);
    if (!section_is_known(reading->section))
        reject_section(reading);
    else if (!is_blank_or_comment(line + length + 2))
        reading->status =
            fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: nothing but a comment may follow [%s]",
                 reading->path, reading->line, reading->section);
}

static void check_line(struct machine_reader *reading, const char *line, bool complete)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const char *complaint = NULL;

    if (reading->line == 1 && strncmp(line, byte_order_mark, 3) == 0)
        line += 3;
    if (!is_text(line, strlen(line)))
        complaint = "this is not text; a machine file holds \"key = value\" lines";
    else if (!complete)
        complaint = "the line is too long; break the comment into lines of its own";
    else if ((line[0] == ' ' || line[0] == '\t') && !is_blank_or_comment(line))
        complaint = "the line is indented; keys and sections begin at its first character";
    if (complaint != NULL)
        reading->status = fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: %s", reading->path,
                               reading->line, complaint);
    else if (line[0] == '[')
        check_section(reading, line);
}

/* fgets for inih: as it, but a line that does not fit or holds a NUL is an error, and so is one
 * that inih would read in an unexpected way. */
static char *next_line(char *line, int size, void *stream)
{
    struct machine_reader *const reading = stream;
    size_t length = 0;
    int c = EOF;

    if (reading->status != ARMPMU_OK)
        return NULL;
    while (length + 1 < (size_t)size && (c = getc(reading->file)) != EOF) {
        line[length++] = (char)(c == '\0' ? '\1' : c); /* reported as not text */
        if (c == '\n')
            break;
    }
    line[length] = '\0';
    if (ferror(reading->file)) {
        reading->status =
            fail(reading->err, ARMPMU_IO, "%s: %s; name a machine file that can be read",
                 reading->path, strerror(errno));
        return NULL;
    }
    if (length == 0)
        return NULL;
    reading->line++;
    check_line(reading, line, c == '\n' || c == EOF || feof(reading->file));
    return reading->status == ARMPMU_OK ? line : NULL;
}

static void describe_limits(const struct key_row *row, char *text, size_t size)
{
    const char *const *const choice = words[row->kind];

    if (row->kind == KIND_NUMBER && row->power_of_two && row->low == 0)
        snprintf(text, size, "0 or a power of two up to %u", row->high);
    else if (row->kind == KIND_NUMBER)
        snprintf(text, size, "a %s from %u to %u", row->power_of_two ? "power of two" : "number",
                 row->low, row->high);
    else if (choice[2] == NULL)
        snprintf(text, size, "%s or %s", choice[0], choice[1]);
    else
        snprintf(text, size, "%s, %s or %s", choice[0], choice[1], choice[2]);
}

static bool parse_number(const struct key_row *row, const char *text, uint32_t *value)
{
    uint64_t number = 0;

    if (*text == '\0' || strlen(text) > 10)
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        number = number * 10 + (uint64_t)(*text - '0');
    }
    *value = (uint32_t)number;
    return number >= row->low && number <= row->high &&
           (!row->power_of_two || (number & (number - 1)) == 0);
}

static bool parse_value(const struct key_row *row, const char *text, uint32_t *value)
{
    if (row->kind == KIND_NUMBER)
        return parse_number(row, text, value);
    for (uint32_t i = 0; words[row->kind][i] != NULL; i++)
        if (strcmp(text, words[row->kind][i]) == 0) {
            *value = i;
            return true;
        }
    return false;
}

static enum armpmu_status given_twice(const struct machine_reader *reading, const char *section,
                                      const char *key, unsigned first)
{
    return fail(reading->err, ARMPMU_BAD_CONFIG,
                "%s:%u: %s.%s is given a second time, first in line %u; remove one of them",
                reading->path, reading->line, section, key, first);
}

static enum armpmu_status unknown_key(const struct machine_reader *reading, const char *section,
                                      const char *key)
{
    char names[400];

    if (strcmp(section, "machine") == 0)
        snprintf(names, sizeof names, "name, core, title, base");
    else
        list_names(section, names, sizeof names);
    return fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: [%s] has no key '%s'; it has %s",
                reading->path, reading->line, section, key, names);
}

static bool is_file_name(const char *text)
{
    return text[0] != '.' && text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")] == '\0';
}

/* Values of [machine]: each names its own limit. */
static enum armpmu_status check_label(const struct machine_reader *reading, unsigned label,
                                      const char *text)
{
    const size_t longest = label == LABEL_TITLE ? 127 : 63;
    char limit[80] = "";

    if (text[0] == '\0')
        snprintf(limit, sizeof limit, "must not be empty");
    else if (strlen(text) > longest)
        snprintf(limit, sizeof limit, "must not be longer than %zu characters", longest);
    else if ((label == LABEL_NAME || label == LABEL_BASE) && !is_file_name(text))
        snprintf(limit, sizeof limit, "must be letters, digits, '.', '_' and '-'");
    else if (label == LABEL_CORE && armpmu_core_find(text) == NULL)
        snprintf(limit, sizeof limit, "is not a core; 'armpmu list core' lists them");
    if (limit[0] == '\0')
        return ARMPMU_OK;
    return fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: machine.%s = %.80s: %s", reading->path,
                reading->line, labels[label], text, limit);
}

static enum armpmu_status take_label(struct machine_reader *reading, const char *key,
                                     const char *text)
{
    struct machine_draft *const draft = reading->draft;
    unsigned label = 0;

    while (label < LABELS && strcmp(key, labels[label]) != 0)
        label++;
    if (label == LABELS)
        return unknown_key(reading, "machine", key);
    if (draft->label_lines[label] != 0)
        return given_twice(reading, "machine", key, draft->label_lines[label]);
    const enum armpmu_status status = check_label(reading, label, text);
    if (status != ARMPMU_OK)
        return status;
    draft->label_lines[label] = reading->line;
    snprintf(draft->label_texts[label], sizeof draft->label_texts[label], "%s", text);
    return ARMPMU_OK;
}

/* The row of a key; MACHINE_KEYS for none. */
static size_t find_row(const char *section, const char *key)
{
    size_t i = 0;

    while (i < MACHINE_KEYS &&
           (strcmp(section, rows[i].section) != 0 || strcmp(key, rows[i].key) != 0))
        i++;
    return i;
}

static enum armpmu_status take_key(struct machine_reader *reading, const char *section,
                                   const char *key, const char *text)
{
    const size_t i = find_row(section, key);

    if (i == MACHINE_KEYS)
        return unknown_key(reading, section, key);

    struct machine_slot *const slot = &reading->draft->slots[i];
    if (slot->line != 0)
        return given_twice(reading, section, key, slot->line);
    if (!parse_value(&rows[i], text, &slot->value)) {
        char limits[80];
        describe_limits(&rows[i], limits, sizeof limits);
        return fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: %s.%s = %.80s: must be %s",
                    reading->path, reading->line, section, key, text, limits);
    }
    slot->line = reading->line;
    snprintf(slot->text, sizeof slot->text, "%s", text);
    return ARMPMU_OK;
}

static bool parse_word(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *value <= UINT32_MAX;
}

/* "0x48002000 = 1" or "= toggle". */
static enum armpmu_status take_stub(struct machine_reader *reading, const char *key,
                                    const char *text)
{
    struct machine_draft *const draft = reading->draft;
    struct armpmu_machine_stub stub = {.toggles = strcmp(text, "toggle") == 0};
    uint64_t value = 0;

    if (!parse_word(key, &stub.address) || stub.address % 4 != 0)
        return fail(reading->err, ARMPMU_BAD_CONFIG,
                    "%s:%u: [stub] %.80s: must be the address of a register, a multiple of 4 below "
                    "0x100000000",
                    reading->path, reading->line, key);
    if (!stub.toggles && !parse_word(text, &value))
        return fail(reading->err, ARMPMU_BAD_CONFIG,
                    "%s:%u: [stub] %s = %.80s: must be toggle, or a number below 0x100000000",
                    reading->path, reading->line, key, text);
    stub.value = (uint32_t)value;
    for (unsigned i = 0; i < draft->n_stubs; i++)
        if (draft->stubs[i].address == stub.address)
            return fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: [stub] %s is given twice",
                        reading->path, reading->line, key);
    if (draft->n_stubs == ARMPMU_MACHINE_STUBS_MAX)
        return fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: [stub] has more than %u registers",
                    reading->path, reading->line, ARMPMU_MACHINE_STUBS_MAX);
    draft->stubs[draft->n_stubs++] = stub;
    return ARMPMU_OK;
}

/* Called by inih for each key. It knows at most 49 characters of a section's name, so the name
 * comes from the line itself. */
static int take(void *user, const char *section, const char *key, const char *text)
{
    struct machine_reader *const reading = user;

    (void)section;
    if (reading->status != ARMPMU_OK)
        return 0;
    if (reading->section[0] == '\0')
        reading->status =
            fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: %s is before the first [section]",
                 reading->path, reading->line, key);
    else if (strcmp(reading->section, "machine") == 0)
        reading->status = take_label(reading, key, text);
    else if (strcmp(reading->section, "stub") == 0)
        reading->status = take_stub(reading, key, text);
    else
        reading->status = take_key(reading, reading->section, key, text);
    return reading->status == ARMPMU_OK;
}

enum armpmu_status machine_draft_read(FILE *file, const char *path, struct machine_draft *draft,
                                      struct armpmu_error *err)
{
    struct machine_reader reading = {.file = file, .path = path, .draft = draft, .err = err};

    const int result = ini_parse_stream(next_line, &reading, take, &reading);
    if (reading.status != ARMPMU_OK)
        return reading.status;
    if (result < 0)
        return fail(err, ARMPMU_NO_MEMORY, "%s: out of memory", path);
    if (result > 0)
        return fail(err, ARMPMU_BAD_CONFIG, "%s:%d: this is not \"key = value\"", path, result);
    for (unsigned label = LABEL_NAME; label <= LABEL_TITLE; label++)
        if (draft->label_lines[label] == 0 &&
            (label == LABEL_NAME || draft->label_lines[LABEL_BASE] == 0))
            return fail(err, ARMPMU_BAD_CONFIG, "%s: machine.%s is missing; give it in [machine]",
                        path, labels[label]);
    return ARMPMU_OK;
}

/* ---- settings ---- */

/* The section or the key is none. */
static enum armpmu_status unknown_setting(const char *setting, const char *section, const char *key,
                                          struct armpmu_error *err)
{
    const bool has_section = strcmp(section, "machine") != 0 && strcmp(section, "stub") != 0 &&
                             section_is_known(section);
    char names[400];

    list_names(has_section ? section : NULL, names, sizeof names);
    if (has_section)
        return fail(err, ARMPMU_BAD_CONFIG, "--set %.80s: [%s] has no key '%s'; it has %s", setting,
                    section, key, names);
    return fail(err, ARMPMU_BAD_CONFIG, "--set %.80s: there is no section '%s'; there are %s",
                setting, section, names);
}

enum armpmu_status machine_draft_set(struct machine_draft *draft, const char *setting,
                                     struct armpmu_error *err)
{
    char section[64], key[64];
    const char *const value = strchr(setting, '=');

    if (value == NULL || sscanf(setting, "%63[^.=].%63[^=]", section, key) != 2)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--set %.80s: must be SECTION.KEY=VALUE, as in l2.size_kb=512", setting);
    const size_t i = find_row(section, key);
    if (i == MACHINE_KEYS)
        return unknown_setting(setting, section, key, err);
    struct machine_slot *const slot = &draft->slots[i];
    char limits[80];
    describe_limits(&rows[i], limits, sizeof limits);
    if (!parse_value(&rows[i], value + 1, &slot->value))
        return fail(err, ARMPMU_BAD_CONFIG, "--set %.80s: %s.%s must be %s", setting, section, key,
                    limits);
    slot->line = 1;
    snprintf(slot->text, sizeof slot->text, "%s", value + 1);
    return ARMPMU_OK;
}
