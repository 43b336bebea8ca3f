/* Machines: a file and its bases made into one.
 *
 * A file is read into a draft of one slot per key; the drafts of its bases fill the slots left
 * empty; the machine is made from a draft without holes. */
#include "base/read_file.h"
#include "machine/machine.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "machine/built_in.h"
#include "machine/core_descriptor.h"
#include "machine/machine_file.h"

/* How many files a chain of bases may have, which also ends a circle of them. */
#define CHAIN_MAX 8

static const char *const keys[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning) #section "." #key,
#define CHOICE(section, key, type, meaning)                    #section "." #key,
#include "machine/machine.def"
#undef NUMBER
#undef CHOICE
};

static enum armpmu_status open_file(const char *path, FILE **file, struct armpmu_error *err)
{
    *file = read_file_stream(path);
    if (*file != NULL)
        return ARMPMU_OK;
    if (errno == ENOENT || errno == ENOTDIR)
        return fail(err, ARMPMU_NOT_FOUND,
                    "%s: no such machine file; 'armpmu list machine' lists them", path);
    return fail(err, ARMPMU_IO, "%s: %s; name a machine file that can be read", path,
                strerror(errno));
}

/* Looks for NAME.ini in the folders of a ':'-separated list. path receives the file's name. errno
 * is ENOMEM where memory was short. */
static FILE *find_in_folders(const char *folders, const char *name, char *path, size_t size)
{
    errno = 0;
    while (folders != NULL && *folders != '\0') {
        const size_t length = strcspn(folders, ":");
        const int n = snprintf(path, size, "%.*s/%s.ini", (int)length, folders, name);
        FILE *const file = length > 0 && n > 0 && (size_t)n < size ? read_file_stream(path) : NULL;
        if (file != NULL || (length > 0 && errno == ENOMEM))
            return file;
        folders += length + (folders[length] == ':');
    }
    return NULL;
}

/* The same, then among those that are compiled in. */
static FILE *find_machine(const char *folders, const char *name, char *path, size_t size)
{
    FILE *const file = find_in_folders(folders, name, path, size);

    if (file != NULL || errno == ENOMEM)
        return file;
    snprintf(path, size, "built-in %s.ini", name);
    return built_in_open(name);
}

#define PATH_SIZE 4096

/* "SECTION.KEY=VALUE" each. */
struct machine_changes {
    const char *const *settings;
    size_t n;
};

/* Two drafts of about 6 KiB and two paths: kept off the stack. */
struct chain {
    struct machine_draft draft, base;
    char from[PATH_SIZE], path[PATH_SIZE];
};

/* Opens the base of a draft, which chain->from names: first beside that file, then as any machine.
 */
static enum armpmu_status open_base(const struct machine_draft *draft, const char *search,
                                    struct chain *chain, FILE **file, struct armpmu_error *err)
{
    char beside[PATH_SIZE];
    const char *const from = chain->from, *const slash = strrchr(from, '/');
    const char *const name = draft->label_texts[LABEL_BASE];

    if (slash == NULL)
        snprintf(beside, sizeof beside, ".");
    else
        snprintf(beside, sizeof beside, "%.*s", slash == from ? 1 : (int)(slash - from), from);
    *file = find_in_folders(beside, name, chain->path, PATH_SIZE);
    if (*file == NULL && errno != ENOMEM)
        *file = find_machine(search, name, chain->path, PATH_SIZE);
    if (*file != NULL)
        return ARMPMU_OK;
    if (errno == ENOMEM)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for machine file %s.ini", name);
    return fail(err, ARMPMU_NOT_FOUND,
                "%s:%u: machine.base = %s: no %s.ini beside this file or among the machines; "
                "'armpmu list machine' lists them",
                from, draft->label_lines[LABEL_BASE], name, name);
}

/* Fills the holes of a draft from another. */
static void inherit(struct machine_draft *draft, const struct machine_draft *base)
{
    for (size_t i = 0; i < MACHINE_KEYS; i++)
        if (draft->slots[i].line == 0)
            draft->slots[i] = base->slots[i];
    if (draft->n_stubs == 0) { /* a file's own are all */
        memcpy(draft->stubs, base->stubs, sizeof draft->stubs);
        draft->n_stubs = base->n_stubs;
    }
    for (unsigned label = LABEL_CORE; label <= LABEL_TITLE; label++)
        if (draft->label_lines[label] == 0) {
            draft->label_lines[label] = base->label_lines[label];
            memcpy(draft->label_texts[label], base->label_texts[label],
                   sizeof draft->label_texts[label]);
        }
}

static enum armpmu_status read_chain(FILE *file, const char *search, struct chain *chain,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = machine_draft_read(file, chain->path, &chain->draft, err);
    const struct machine_draft *latest = &chain->draft;

    for (unsigned depth = 1; status == ARMPMU_OK && latest->label_lines[LABEL_BASE] != 0; depth++) {
        FILE *base_file = NULL;
        memcpy(chain->from, chain->path, sizeof chain->from);
        if (depth == CHAIN_MAX)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s:%u: machine.base = %s: a chain of more than %d bases; is there "
                        "a circle?",
                        chain->from, latest->label_lines[LABEL_BASE],
                        latest->label_texts[LABEL_BASE], CHAIN_MAX - 1);
        status = open_base(latest, search, chain, &base_file, err);
        if (status != ARMPMU_OK)
            return status;
        memset(&chain->base, 0, sizeof chain->base);
        status = machine_draft_read(base_file, chain->path, &chain->base, err);
        fclose(base_file);
        if (status == ARMPMU_OK) {
            inherit(&chain->draft, &chain->base);
            latest = &chain->base;
        }
    }
    return status;
}

/* A machine has each key of its core and no other. */
static enum armpmu_status check_complete(const struct machine_draft *draft, const char *path,
                                         struct armpmu_error *err)
{
    const struct armpmu_core *const core = armpmu_core_find(draft->label_texts[LABEL_CORE]);
    const bool *const keys_of_core = core_descriptor_of(core)->keys;

    for (size_t i = 0; i < MACHINE_KEYS; i++) {
        const bool given = draft->slots[i].line != 0, wanted = keys_of_core[i];
        if (wanted && !given)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s: %s is missing; give it, or name a complete machine with "
                        "\"base = NAME\" in [machine]",
                        path, keys[i]);
        if (given && !wanted)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s: %s is not a key of a machine with the core %s; remove it, or base the "
                        "machine on one with that core",
                        path, keys[i], core->name);
    }
    return ARMPMU_OK;
}

/* The caches of a machine: what their keys begin with, and their values. */
struct cache_geometry {
    const char *section;
    uint32_t size_kb, ways, line_bytes;
};

/* Cores whose manuals have powers of two alone, since they take sets and ways from address bits. */
static enum armpmu_status check_powers(const char *path, const struct armpmu_core *core,
                                       const struct cache_geometry *cache, struct armpmu_error *err)
{
    const bool any = core_descriptor_of(core)->keys[KEY_llc_size_kb];
    const struct {
        const char *key;
        uint32_t value;
    } numbers[] = {{"size_kb", cache->size_kb}, {"ways", cache->ways}};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && !any; i++)
        if ((numbers[i].value & (numbers[i].value - 1)) != 0)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s: %s.%s = %u: must be a power of two on the core %s", path,
                        cache->section, numbers[i].key, numbers[i].value, core->name);
    return ARMPMU_OK;
}

/* A cache holds whole sets, one at least. */
static enum armpmu_status check_cache(const char *path, const struct armpmu_core *core,
                                      const struct cache_geometry *cache, struct armpmu_error *err)
{
    const uint32_t set_bytes = cache->ways * cache->line_bytes, bytes = cache->size_kb * 1024;

    if (bytes != 0 && bytes < set_bytes)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s: %s.size_kb = %u: too small for %s.ways = %u lines of %s.line_bytes = %u; "
                    "must be at least %u",
                    path, cache->section, cache->size_kb, cache->section, cache->ways,
                    strcmp(cache->section, "llc") == 0 ? "l2" : cache->section, cache->line_bytes,
                    (set_bytes + 1023) / 1024);
    if (bytes % set_bytes != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s: %s.size_kb = %u: no whole number of sets of %s.ways = %u lines of %u "
                    "bytes; change one of them",
                    path, cache->section, cache->size_kb, cache->section, cache->ways,
                    cache->line_bytes);
    return check_powers(path, core, cache, err);
}

/* Only a core that may protect its caches does without one. */
static enum armpmu_status check_level1(const struct armpmu_machine *m, const char *path,
                                       struct armpmu_error *err)
{
    const bool optional = core_descriptor_of(m->core)->keys[KEY_l1i_protection];
    const char *const missing = m->l1i_size_kb == 0 ? "l1i" : m->l1d_size_kb == 0 ? "l1d" : NULL;

    if (optional || missing == NULL)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "%s: %s.size_kb = 0: a %s has this cache; give its size, 1 to 1024", path, missing,
                m->core->name);
}

static enum armpmu_status check_together(const struct armpmu_machine *m, const char *path,
                                         struct armpmu_error *err)
{
    const struct cache_geometry caches[] = {
        {"l1i", m->l1i_size_kb, m->l1i_ways, m->l1i_line_bytes},
        {"l1d", m->l1d_size_kb, m->l1d_ways, m->l1d_line_bytes},
        {"l2", m->l2_size_kb, m->l2_ways, m->l2_line_bytes},
        {"llc", m->llc_size_kb, m->llc_ways, m->l2_line_bytes},
    };
    enum armpmu_status status = check_level1(m, path, err);

    if (status == ARMPMU_OK && m->l2_holds == HOLDS_VICTIMS && m->l2_shared == YESNO_YES)
        status = fail(err, ARMPMU_BAD_CONFIG,
                      "%s: l2.holds = victims: must be missed with l2.shared = yes", path);

    for (size_t i = 0; i < sizeof caches / sizeof caches[0] && status == ARMPMU_OK; i++)
        if (caches[i].size_kb != 0)
            status = check_cache(path, m->core, &caches[i], err);
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

static enum armpmu_status make_machine(const struct machine_draft *draft, const char *path,
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
    memcpy(machine->stubs, draft->stubs, sizeof machine->stubs);
    machine->n_stubs = draft->n_stubs;
    for (size_t i = 0; i < MACHINE_KEYS; i++)
        memcpy(machine->spelled[i], draft->slots[i].text, sizeof machine->spelled[i]);
#define NUMBER(section, key, low, high, power_of_two, meaning)                                     \
    machine->section##_##key = draft->slots[KEY_##section##_##key].value;
#define CHOICE(section, key, type, meaning)                                                        \
    machine->section##_##key = (enum machine_##type)draft->slots[KEY_##section##_##key].value;
#include "machine/machine.def"
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

/* Gives keys other values, and says so in the machine. */
static enum armpmu_status apply(const struct machine_changes *changes, struct machine_draft *draft,
                                struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < changes->n && status == ARMPMU_OK; i++)
        status = machine_draft_set(draft, changes->settings[i], err);
    return status;
}

static enum armpmu_status keep_settings(struct armpmu_machine *machine,
                                        const struct machine_changes *changes,
                                        struct armpmu_error *err)
{
    size_t room = 1;
    char *end;

    for (size_t i = 0; i < changes->n; i++)
        room += strlen(changes->settings[i]) + 1;
    machine->settings = end = calloc(1, room);
    if (end == NULL)
        return fail_no_memory(err, "the machine's settings");
    for (size_t i = 0; i < changes->n; i++)
        end += sprintf(end, "%s%s", i > 0 ? " " : "", changes->settings[i]);
    return ARMPMU_OK;
}

/* The draft with its changes. A message names these in place of the file where the machine is sound
 * without them. */
static enum armpmu_status make_changed(struct chain *chain, const char *path,
                                       const struct machine_changes *changes,
                                       struct armpmu_machine **out, struct armpmu_error *err)
{
    char options[240] = "";
    struct armpmu_machine *unchanged = NULL;

    chain->base = chain->draft;
    enum armpmu_status status = apply(changes, &chain->draft, err);
    if (status != ARMPMU_OK)
        return status;
    status = make_machine(&chain->draft, path, out, err);
    if (status != ARMPMU_BAD_CONFIG ||
        make_machine(&chain->base, path, &unchanged, NULL) != ARMPMU_OK)
        return status;
    armpmu_machine_free(unchanged);
    for (size_t i = 0; i < changes->n; i++)
        text_join(options, sizeof options, " ", "--set %.80s", changes->settings[i]);
    return make_machine(&chain->draft, options, out, err);
}

static enum armpmu_status read_changed(FILE *file, const char *path, const char *search,
                                       const struct machine_changes *changes,
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
        status = make_changed(chain, path, changes, out, err);
    if (status == ARMPMU_OK)
        status = keep_settings(*out, changes, err);
    if (status != ARMPMU_OK) {
        armpmu_machine_free(*out);
        *out = NULL;
    }
    free(chain);
    return status;
}

enum armpmu_status machine_read(FILE *file, const char *path, const char *search,
                                struct armpmu_machine **out, struct armpmu_error *err)
{
    return read_changed(file, path, search, &(struct machine_changes){NULL, 0}, out, err);
}

bool machine_is_file(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
}

enum armpmu_status armpmu_machine_load_changed(const char *name_or_file, const char *search,
                                               const char *const *settings, size_t n_settings,
                                               struct armpmu_machine **out,
                                               struct armpmu_error *err)
{
    const struct machine_changes changes = {settings, n_settings};
    char path[PATH_SIZE];
    FILE *file = NULL;

    *out = NULL;
    if (machine_is_file(name_or_file)) {
        const enum armpmu_status status = open_file(name_or_file, &file, err);
        if (status != ARMPMU_OK)
            return status;
    } else {
        file = find_machine(search, name_or_file, path, sizeof path);
        if (file == NULL && errno == ENOMEM)
            return fail(err, ARMPMU_NO_MEMORY, "out of memory for machine file %.80s.ini",
                        name_or_file);
        if (file == NULL)
            return fail(err, ARMPMU_NOT_FOUND,
                        "no machine is called '%.80s'; 'armpmu list machine' lists them, and a "
                        "file is given as ./NAME.ini",
                        name_or_file);
        name_or_file = path;
    }
    const enum armpmu_status status = read_changed(file, name_or_file, search, &changes, out, err);
    fclose(file);
    return status;
}

enum armpmu_status armpmu_machine_load(const char *name_or_file, const char *search,
                                       struct armpmu_machine **out, struct armpmu_error *err)
{
    return armpmu_machine_load_changed(name_or_file, search, NULL, 0, out, err);
}

const char *armpmu_machine_settings(const struct armpmu_machine *machine)
{
    return machine->settings;
}

void armpmu_machine_free(struct armpmu_machine *machine)
{
    if (machine != NULL)
        free(machine->settings);
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

bool armpmu_machine_drives(const struct armpmu_machine *machine, enum armpmu_signal signal)
{
    static const enum armpmu_signal bus_unit[] = {
        ARMPMU_SIGNAL_PRODUCT_INPUT0, ARMPMU_SIGNAL_PRODUCT_INPUT1, ARMPMU_SIGNAL_PRODUCT_INPUT2,
        ARMPMU_SIGNAL_PRODUCT_INPUT6};

    for (size_t i = 0; i < sizeof bus_unit / sizeof bus_unit[0]; i++)
        if (bus_unit[i] == signal)
            return machine->product_bus_unit == YESNO_YES;
    return false;
}

uint32_t armpmu_machine_clock_mhz(const struct armpmu_machine *machine)
{
    return machine->clock_mhz;
}

void armpmu_machine_describe(const struct armpmu_machine *m, char *text, size_t size)
{
    char l1i[48] = "no L1I", l1d[48] = "no L1D", l2[48] = "no L2", tlb[32] = "no TLB";
    char tcm[64] = "";

    if (m->l1i_size_kb != 0)
        snprintf(l1i, sizeof l1i, "L1I %uK/%u/%u", m->l1i_size_kb, m->l1i_ways, m->l1i_line_bytes);
    if (m->l1d_size_kb != 0)
        snprintf(l1d, sizeof l1d, "L1D %uK/%u/%u", m->l1d_size_kb, m->l1d_ways, m->l1d_line_bytes);
    if (m->atcm_size_kb != 0 || m->btcm_size_kb != 0)
        snprintf(tcm, sizeof tcm, " ATCM %uK BTCM %uK", m->atcm_size_kb, m->btcm_size_kb);
    if (m->l2_size_kb != 0)
        snprintf(l2, sizeof l2, "L2 %uK/%u/%u", m->l2_size_kb, m->l2_ways, m->l2_line_bytes);
    if (m->dtlb_entries != 0)
        snprintf(tlb, sizeof tlb, "TLB %u+%u", m->itlb_entries, m->dtlb_entries);
    snprintf(text, size, "%u MHz, %s %s%s %s, %s, seed %u", m->clock_mhz, l1i, l1d, tcm, l2, tlb,
             m->random_seed);
}

static const char *const key_meanings[] = {
#define NUMBER(section, key, low, high, power_of_two, meaning) meaning,
#define CHOICE(section, key, type, meaning)                    meaning,
#include "machine/machine.def"
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
        if (strcmp(section_dot_key, keys[i]) == 0 && core_descriptor_of(machine->core)->keys[i])
            return machine->spelled[i];
    return NULL;
}

bool machine_differs_only_in(const bool *allowed, const struct armpmu_machine *machine,
                             const struct armpmu_machine *other)
{
    bool same = machine->core == other->core && machine->cures == other->cures;

    for (enum machine_key key = 0; key < MACHINE_KEYS && same; key++)
        same = allowed[key] || strcmp(machine->spelled[key], other->spelled[key]) == 0;
    return same;
}

unsigned armpmu_machine_stubs(const struct armpmu_machine *machine)
{
    return machine->n_stubs;
}

void armpmu_machine_stub_at(const struct armpmu_machine *machine, unsigned index,
                            struct armpmu_machine_stub *out)
{
    *out = machine->stubs[index];
}
