/* Reading machine files.
 *
 * inih splits lines into sections, keys and values; everything it would let pass (lines too long
 * for it, indented lines, unknown and repeated keys) is an error here, so that a slip of the pen
 * never silently changes a machine. A file is read into a draft of one slot per key; the drafts of
 * its bases fill the slots left empty; the machine is made from a draft without holes. */
#include "catalog/machine.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

/* How many files a chain of bases may have, which also ends a circle of them. */
#define CHAIN_MAX 8

enum kind { KIND_NUMBER, KIND_REPLACEMENT, KIND_YESNO, KIND_PAGE_MAP };

/* The words of each kind of choice, in the order of its enum. */
static const char *const words[][4] = {
    [KIND_NUMBER] = {NULL},
    [KIND_REPLACEMENT] = {"random", "round-robin", "lru", NULL},
    [KIND_YESNO] = {"no", "yes", NULL},
    [KIND_PAGE_MAP] = {"identity", "scattered", NULL},
};

#define KIND_replacement KIND_REPLACEMENT
#define KIND_yesno       KIND_YESNO
#define KIND_page_map    KIND_PAGE_MAP

/* A row of machine.def. */
struct row {
    const char *section, *key;
    enum kind kind;
    uint32_t low, high;
    bool power_of_two;
};

static const struct row rows[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning)                                     \
    {#section, #key, KIND_NUMBER, low, high, power_of_two},
#define CHOICE(section, key, type, meaning) {#section, #key, KIND_##type, 0, 0, false},
#include "catalog/machine.def"
#undef NUMBER
#undef CHOICE
};

/* What stands in [machine]. */
enum { LABEL_NAME, LABEL_CORE, LABEL_TITLE, LABEL_BASE, LABELS };

static const char *const labels[] = {"name", "core", "title", "base"};

/* A key that a file gave. */
struct slot {
    unsigned line; /* 0: it did not */
    uint32_t value;
    char text[16];
};

struct draft {
    struct slot slots[MACHINE_KEYS];
    unsigned label_lines[LABELS];
    char label_texts[LABELS][128];
};

/* One file while it is read. */
struct reading {
    FILE *file;
    const char *path;
    struct draft *draft;
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
    size_t used = 0;
    const char *latest = "";

    text[0] = '\0';
    for (size_t i = 0; i < MACHINE_KEYS && used < size; i++) {
        if (section != NULL && strcmp(rows[i].section, section) != 0)
            continue;
        const char *const name = section != NULL ? rows[i].key : rows[i].section;
        if (strcmp(name, latest) == 0)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
        latest = name;
    }
}

static void reject_section(struct reading *reading)
{
    char names[256];

    list_names(NULL, names, sizeof names);
    reading->status = fail(reading->err, ARMPMU_BAD_CONFIG,
                           "%s:%u: there is no section [%s]; there are machine, %s", reading->path,
                           reading->line, reading->section, names);
}

/* Looks at "[section]" lines: inih does not report a section without keys. */
static void check_section(struct reading *reading, const char *line)
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
        reading->status = fail(reading->err, ARMPMU_BAD_CONFIG,
                               "%s:%u: nothing but a comment may stand behind [%s]", reading->path,
                               reading->line, reading->section);
}

static void check_line(struct reading *reading, const char *line, bool complete)
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
 * that inih would read in a way nobody expects. */
static char *next_line(char *line, int size, void *stream)
{
    struct reading *const reading = stream;
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
        reading->status = fail(reading->err, ARMPMU_IO, "%s: %s", reading->path, strerror(errno));
        return NULL;
    }
    if (length == 0)
        return NULL;
    reading->line++;
    check_line(reading, line, c == '\n' || c == EOF || feof(reading->file));
    return reading->status == ARMPMU_OK ? line : NULL;
}

static void describe_limits(const struct row *row, char *text, size_t size)
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

static bool parse_number(const struct row *row, const char *text, uint32_t *value)
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

static bool parse_value(const struct row *row, const char *text, uint32_t *value)
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

static enum armpmu_status given_twice(const struct reading *reading, const char *section,
                                      const char *key, unsigned first)
{
    return fail(reading->err, ARMPMU_BAD_CONFIG,
                "%s:%u: %s.%s is given a second time, first in line %u; remove one of them",
                reading->path, reading->line, section, key, first);
}

static enum armpmu_status unknown_key(const struct reading *reading, const char *section,
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
static enum armpmu_status check_label(const struct reading *reading, unsigned label,
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
        snprintf(limit, sizeof limit, "is not a core; 'armpmu list core' shows those there are");
    if (limit[0] == '\0')
        return ARMPMU_OK;
    return fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: machine.%s = %.80s: %s", reading->path,
                reading->line, labels[label], text, limit);
}

static enum armpmu_status take_label(struct reading *reading, const char *key, const char *text)
{
    struct draft *const draft = reading->draft;
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

static enum armpmu_status take_key(struct reading *reading, const char *section, const char *key,
                                   const char *text)
{
    size_t i = 0;

    while (i < MACHINE_KEYS &&
           (strcmp(section, rows[i].section) != 0 || strcmp(key, rows[i].key) != 0))
        i++;
    if (i == MACHINE_KEYS)
        return unknown_key(reading, section, key);

    struct slot *const slot = &reading->draft->slots[i];
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

/* Called by inih for each key. It knows at most 49 characters of a section's name, so the name
 * comes from the line itself. */
static int take(void *user, const char *section, const char *key, const char *text)
{
    struct reading *const reading = user;

    (void)section;
    if (reading->status != ARMPMU_OK)
        return 0;
    if (reading->section[0] == '\0')
        reading->status =
            fail(reading->err, ARMPMU_BAD_CONFIG, "%s:%u: %s stands before the first [section]",
                 reading->path, reading->line, key);
    else if (strcmp(reading->section, "machine") == 0)
        reading->status = take_label(reading, key, text);
    else
        reading->status = take_key(reading, reading->section, key, text);
    return reading->status == ARMPMU_OK;
}

static enum armpmu_status read_draft(FILE *file, const char *path, struct draft *draft,
                                     struct armpmu_error *err)
{
    struct reading reading = {.file = file, .path = path, .draft = draft, .err = err};

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

static enum armpmu_status open_file(const char *path, FILE **file, struct armpmu_error *err)
{
    *file = fopen(path, "r");
    if (*file != NULL)
        return ARMPMU_OK;
    if (errno == ENOENT || errno == ENOTDIR)
        return fail(err, ARMPMU_NOT_FOUND,
                    "%s: no such machine file; 'armpmu list machine' shows those there are", path);
    return fail(err, ARMPMU_IO, "%s: %s", path, strerror(errno));
}

/* Looks for NAME.ini in the folders of a ':'-separated list. path receives the file's name. */
static FILE *find_in(const char *folders, const char *name, char *path, size_t size)
{
    while (folders != NULL && *folders != '\0') {
        const size_t length = strcspn(folders, ":");
        const int n = snprintf(path, size, "%.*s/%s.ini", (int)length, folders, name);
        FILE *const file = length > 0 && n > 0 && (size_t)n < size ? fopen(path, "r") : NULL;
        if (file != NULL)
            return file;
        folders += length + (folders[length] == ':');
    }
    return NULL;
}

#define PATH_SIZE 4096

/* Opens a base: first beside the file that names it, then as any machine. */
static enum armpmu_status open_base(const char *from, const struct draft *draft, const char *search,
                                    char *path, FILE **file, struct armpmu_error *err)
{
    char beside[PATH_SIZE];
    const char *const slash = strrchr(from, '/');
    const char *const name = draft->label_texts[LABEL_BASE];

    if (slash == NULL)
        snprintf(beside, sizeof beside, ".");
    else
        snprintf(beside, sizeof beside, "%.*s", slash == from ? 1 : (int)(slash - from), from);
    *file = find_in(beside, name, path, PATH_SIZE);
    if (*file == NULL)
        *file = find_in(search, name, path, PATH_SIZE);
    if (*file != NULL)
        return ARMPMU_OK;
    return fail(err, ARMPMU_NOT_FOUND,
                "%s:%u: machine.base = %s: no %s.ini beside this file or among the machines; "
                "'armpmu list machine' shows those there are",
                from, draft->label_lines[LABEL_BASE], name, name);
}

/* Fills the holes of a draft from another. */
static void inherit(struct draft *draft, const struct draft *base)
{
    for (size_t i = 0; i < MACHINE_KEYS; i++)
        if (draft->slots[i].line == 0)
            draft->slots[i] = base->slots[i];
    for (unsigned label = LABEL_CORE; label <= LABEL_TITLE; label++)
        if (draft->label_lines[label] == 0) {
            draft->label_lines[label] = base->label_lines[label];
            memcpy(draft->label_texts[label], base->label_texts[label],
                   sizeof draft->label_texts[label]);
        }
}

/* Two drafts of about 6 KiB and two paths: kept off the stack. */
struct chain {
    struct draft draft, base;
    char from[PATH_SIZE], path[PATH_SIZE];
};

static enum armpmu_status read_chain(FILE *file, const char *search, struct chain *chain,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = read_draft(file, chain->path, &chain->draft, err);
    const struct draft *latest = &chain->draft;

    for (unsigned depth = 1; status == ARMPMU_OK && latest->label_lines[LABEL_BASE] != 0; depth++) {
        FILE *base_file = NULL;
        memcpy(chain->from, chain->path, sizeof chain->from);
        if (depth == CHAIN_MAX)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s:%u: machine.base = %s: more than %d bases behind each other; is there "
                        "a circle",
                        chain->from, latest->label_lines[LABEL_BASE],
                        latest->label_texts[LABEL_BASE], CHAIN_MAX - 1);
        status = open_base(chain->from, latest, search, chain->path, &base_file, err);
        if (status != ARMPMU_OK)
            return status;
        memset(&chain->base, 0, sizeof chain->base);
        status = read_draft(base_file, chain->path, &chain->base, err);
        fclose(base_file);
        if (status == ARMPMU_OK) {
            inherit(&chain->draft, &chain->base);
            latest = &chain->base;
        }
    }
    return status;
}

static enum armpmu_status check_complete(const struct draft *draft, const char *path,
                                         struct armpmu_error *err)
{
    for (size_t i = 0; i < MACHINE_KEYS; i++)
        if (draft->slots[i].line == 0)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s: %s.%s is missing; give it, or name a complete machine with "
                        "\"base = NAME\" in [machine]",
                        path, rows[i].section, rows[i].key);
    return ARMPMU_OK;
}

/* A cache must hold a line in each way. */
static enum armpmu_status check_cache(const char *path, const char *section, uint32_t size_kb,
                                      uint32_t ways, uint32_t line_bytes, struct armpmu_error *err)
{
    const uint32_t least = ways * line_bytes;

    if (size_kb == 0 || size_kb * 1024 >= least)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "%s: %s.size_kb = %u: too small for %s.ways = %u lines of %s.line_bytes = %u; must "
                "be at least %u",
                path, section, size_kb, section, ways, section, line_bytes, (least + 1023) / 1024);
}

static enum armpmu_status check_together(const struct armpmu_machine *m, const char *path,
                                         struct armpmu_error *err)
{
    enum armpmu_status status =
        check_cache(path, "l1i", m->l1i_size_kb, m->l1i_ways, m->l1i_line_bytes, err);

    if (status == ARMPMU_OK)
        status = check_cache(path, "l1d", m->l1d_size_kb, m->l1d_ways, m->l1d_line_bytes, err);
    if (status == ARMPMU_OK)
        status = check_cache(path, "l2", m->l2_size_kb, m->l2_ways, m->l2_line_bytes, err);
    if (status == ARMPMU_OK && m->l1i_fetch_bytes > m->l1i_line_bytes)
        status = fail(err, ARMPMU_BAD_CONFIG,
                      "%s: l1i.fetch_bytes = %u: must not be more than l1i.line_bytes = %u", path,
                      m->l1i_fetch_bytes, m->l1i_line_bytes);
    if (status == ARMPMU_OK && m->branch_btb_ways > m->branch_btb_entries)
        status = fail(err, ARMPMU_BAD_CONFIG,
                      "%s: branch.btb_ways = %u: must not be more than branch.btb_entries = %u",
                      path, m->branch_btb_ways, m->branch_btb_entries);
    return status;
}

static enum armpmu_status make_machine(const struct draft *draft, const char *path,
                                       struct armpmu_machine **out, struct armpmu_error *err)
{
    enum armpmu_status status = check_complete(draft, path, err);
    if (status != ARMPMU_OK)
        return status;
    struct armpmu_machine *const machine = calloc(1, sizeof *machine);
    if (machine == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "%s: out of memory", path);

    snprintf(machine->name, sizeof machine->name, "%.63s", draft->label_texts[LABEL_NAME]);
    snprintf(machine->title, sizeof machine->title, "%s", draft->label_texts[LABEL_TITLE]);
    machine->core = armpmu_core_find(draft->label_texts[LABEL_CORE]);
    for (size_t i = 0; i < MACHINE_KEYS; i++)
        memcpy(machine->spelled[i], draft->slots[i].text, sizeof machine->spelled[i]);
#define NUMBER(section, key, low, high, power_of_two, meaning)                                     \
    machine->section##_##key = draft->slots[KEY_##section##_##key].value;
#define CHOICE(section, key, type, meaning)                                                        \
    machine->section##_##key = (enum machine_##type)draft->slots[KEY_##section##_##key].value;
#include "catalog/machine.def"
#undef NUMBER
#undef CHOICE

    status = check_together(machine, path, err);
    if (status != ARMPMU_OK) {
        free(machine);
        return status;
    }
    *out = machine;
    return ARMPMU_OK;
}

enum armpmu_status machine_read(FILE *file, const char *path, const char *search,
                                struct armpmu_machine **out, struct armpmu_error *err)
{
    *out = NULL;
    if (strlen(path) >= PATH_SIZE)
        return fail(err, ARMPMU_NOT_FOUND, "%.80s...: the file's name is longer than %d characters",
                    path, PATH_SIZE - 1);
    struct chain *const chain = calloc(1, sizeof *chain);
    if (chain == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "%s: out of memory", path);

    snprintf(chain->path, sizeof chain->path, "%s", path);
    enum armpmu_status status = read_chain(file, search, chain, err);
    if (status == ARMPMU_OK)
        status = make_machine(&chain->draft, path, out, err);
    free(chain);
    return status;
}

static bool names_a_file(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
}

enum armpmu_status armpmu_machine_load(const char *name_or_file, const char *search,
                                       struct armpmu_machine **out, struct armpmu_error *err)
{
    char path[PATH_SIZE];
    FILE *file = NULL;

    *out = NULL;
    if (names_a_file(name_or_file)) {
        const enum armpmu_status status = open_file(name_or_file, &file, err);
        if (status != ARMPMU_OK)
            return status;
    } else {
        file = find_in(search, name_or_file, path, sizeof path);
        if (file == NULL)
            return fail(err, ARMPMU_NOT_FOUND,
                        "no machine is called '%.80s'; 'armpmu list machine' shows those there "
                        "are, and a file is given as ./NAME.ini",
                        name_or_file);
        name_or_file = path;
    }
    const enum armpmu_status status = machine_read(file, name_or_file, search, out, err);
    fclose(file);
    return status;
}

void armpmu_machine_free(struct armpmu_machine *machine)
{
    free(machine);
}

const char *armpmu_machine_name(const struct armpmu_machine *machine)
{
    return machine->name;
}

const char *armpmu_machine_title(const struct armpmu_machine *machine)
{
    return machine->title;
}

const struct armpmu_core *armpmu_machine_core(const struct armpmu_machine *machine)
{
    return machine->core;
}

uint32_t armpmu_machine_clock_mhz(const struct armpmu_machine *machine)
{
    return machine->clock_mhz;
}

void armpmu_machine_describe(const struct armpmu_machine *m, char *text, size_t size)
{
    char l2[48] = "no L2";

    if (m->l2_size_kb != 0)
        snprintf(l2, sizeof l2, "L2 %uK/%u/%u", m->l2_size_kb, m->l2_ways, m->l2_line_bytes);
    snprintf(text, size, "%u MHz, L1I %uK/%u/%u L1D %uK/%u/%u %s, TLB %u+%u, seed %u", m->clock_mhz,
             m->l1i_size_kb, m->l1i_ways, m->l1i_line_bytes, m->l1d_size_kb, m->l1d_ways,
             m->l1d_line_bytes, l2, m->itlb_entries, m->dtlb_entries, m->random_seed);
}

static const char *const keys[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning) #section "." #key,
#define CHOICE(section, key, type, meaning)                    #section "." #key,
#include "catalog/machine.def"
#undef NUMBER
#undef CHOICE
};

static const char *const key_meanings[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning) meaning,
#define CHOICE(section, key, type, meaning)                    meaning,
#include "catalog/machine.def"
#undef NUMBER
#undef CHOICE
};

const char *armpmu_machine_key(size_t index)
{
    return index < MACHINE_KEYS ? keys[index] : NULL;
}

const char *armpmu_machine_key_meaning(size_t index)
{
    return index < MACHINE_KEYS ? key_meanings[index] : NULL;
}

const char *armpmu_machine_value(const struct armpmu_machine *machine, const char *section_dot_key)
{
    for (size_t i = 0; i < MACHINE_KEYS; i++)
        if (strcmp(section_dot_key, keys[i]) == 0)
            return machine->spelled[i];
    return NULL;
}
