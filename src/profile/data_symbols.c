#include "profile/data_symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "profile/demangle.h"

#define NAMES_MOST 3u

/* The names in a region: those with the most bytes there, the largest first. */
struct held_names {
    struct {
        const char *name;
        uint64_t n_bytes;
    } names[NAMES_MOST];
    unsigned n; /* of all */
    const char *section;
};

struct naming {
    struct profile *profile;
    struct held_names *held; /* by region */
};

/* ---- what lies where ---- */

static void hold(struct held_names *held, const char *name, uint64_t n_bytes)
{
    unsigned at = NAMES_MOST;

    held->n++;
    while (at > 0 && (held->names[at - 1].name == NULL || held->names[at - 1].n_bytes < n_bytes))
        at--;
    if (at == NAMES_MOST)
        return;
    memmove(&held->names[at + 1], &held->names[at], (NAMES_MOST - 1 - at) * sizeof *held->names);
    held->names[at].name = name;
    held->names[at].n_bytes = n_bytes;
}

/* How many bytes of a region lie from start to end. */
static uint64_t overlap(const struct profile *p, uint32_t region, uint64_t start, uint64_t end)
{
    const uint64_t first = p->regions[region].address;
    const uint64_t last = first + p->caches[p->regions[region].cache].region_bytes - 1;
    const uint64_t low = first > start ? first : start, high = last < end - 1 ? last : end - 1;

    return p->caches[p->regions[region].cache].is_physical || low > high ? 0 : high - low + 1;
}

/* Returns whether there are bytes, and they end within the addresses. */
static bool is_somewhere(uint64_t start, uint64_t n_bytes)
{
    return start + n_bytes > start;
}

static bool each_section(Elf *elf, uint64_t bias, data_symbols_fn each, void *user)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return true;
    while ((section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, &header) != NULL && (header.sh_flags & SHF_ALLOC) != 0 &&
            (header.sh_flags & SHF_TLS) == 0 &&
            is_somewhere(header.sh_addr + bias, header.sh_size) &&
            !each(user, elf_strptr(elf, names, header.sh_name), true, header.sh_addr + bias,
                  header.sh_size))
            return false;
    return true;
}

static bool each_symbol(Dwfl_Module *module, uint64_t bias, data_symbols_fn each, void *user)
{
    const int n = dwfl_module_getsymtab(module);

    for (int i = 0; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *const name =
            dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        if (name == NULL || name[0] == '\0' || symbol.st_shndx == SHN_UNDEF ||
            (type != STT_OBJECT && type != STT_FUNC))
            continue;
        if (type == STT_FUNC) /* bit 0 is T32; instructions of A64 are aligned */
            address &= ~UINT64_C(1);
        if (is_somewhere(address + bias, symbol.st_size) &&
            !each(user, name, false, address + bias, symbol.st_size))
            return false;
    }
    return true;
}

bool data_symbols_each(Dwfl_Module *module, uint64_t bias, data_symbols_fn each, void *user)
{
    GElf_Addr zero;
    Elf *const elf = dwfl_module_getelf(module, &zero);

    return elf == NULL ||
           (each_section(elf, bias, each, user) && each_symbol(module, bias, each, user));
}

static bool hold_in_regions(void *user, const char *name, bool is_section, uint64_t start,
                            uint64_t n_bytes)
{
    const struct naming *const to = user;

    for (uint32_t i = 0; i < to->profile->n_regions; i++) {
        const uint64_t n = overlap(to->profile, i, start, start + n_bytes);
        if (n != 0 && is_section)
            to->held[i].section = name;
        else if (n != 0)
            hold(&to->held[i], name, n);
    }
    return true;
}

/* ---- names ---- */

static void print_names(const struct held_names *held, FILE *out)
{
    for (unsigned i = 0; i < NAMES_MOST && i < held->n; i++) {
        char *const demangled = demangle(held->names[i].name);
        fprintf(out, "%s%s", i > 0 ? ", " : "",
                demangled != NULL ? demangled : held->names[i].name);
        free(demangled);
    }
    fputs(held->n > NAMES_MOST ? ", ..." : "", out);
}

static enum armpmu_status name_region(const struct naming *to, uint32_t region, const char *object,
                                      struct armpmu_error *err)
{
    const struct held_names *const held = &to->held[region];
    struct profile_region *const named = &to->profile->regions[region];
    char *name = NULL;
    size_t n_bytes;

    if (named->name != NULL || (held->n == 0 && held->section == NULL))
        return ARMPMU_OK;
    FILE *const out = memory_stream_open(&name, &n_bytes);
    if (out == NULL)
        return fail_no_memory(err, "names of data");
    print_names(held, out);
    if (held->n == 0)
        fprintf(out, "%s of %s", held->section, basename(object));
    enum armpmu_status status =
        memory_stream_close(out, &name) ? ARMPMU_OK : fail_no_memory(err, "names");
    const char *own = name;
    if (status == ARMPMU_OK)
        status = profile_own_text(to->profile, &own, err);
    if (status == ARMPMU_OK)
        named->name = own;
    free(name);
    return status;
}

enum armpmu_status data_symbols_name(struct profile *profile, Dwfl_Module *module, uint32_t object,
                                     uint64_t bias, struct armpmu_error *err)
{
    struct naming to = {.profile = profile};
    enum armpmu_status status = ARMPMU_OK;

    if (profile->n_regions == 0)
        return ARMPMU_OK;
    to.held = calloc(profile->n_regions, sizeof *to.held);
    if (to.held == NULL)
        return fail_no_memory(err, "names of data");
    (void)data_symbols_each(module, bias, hold_in_regions, &to);
    for (uint32_t i = 0; i < profile->n_regions && status == ARMPMU_OK; i++)
        status = name_region(&to, i, profile->objects[object].path, err);
    free(to.held);
    return status;
}

/* ---- heap ---- */

/* A program, and no library: the heap lies above it. */
static bool is_program(Elf *elf)
{
    GElf_Ehdr header;
    GElf_Shdr section;
    GElf_Dyn entry;
    Elf_Scn *dynamic = NULL;

    if (gelf_getehdr(elf, &header) == NULL || header.e_type == ET_EXEC)
        return true;
    while ((dynamic = elf_nextscn(elf, dynamic)) != NULL)
        if (gelf_getshdr(dynamic, &section) != NULL && section.sh_type == SHT_DYNAMIC)
            break;
    Elf_Data *const data = dynamic != NULL ? elf_getdata(dynamic, NULL) : NULL;
    for (int i = 0; data != NULL && gelf_getdyn(data, i, &entry) != NULL && entry.d_tag != DT_NULL;
         i++)
        if (entry.d_tag == DT_FLAGS_1)
            return (entry.d_un.d_val & DF_1_PIE) != 0;
    return false;
}

uint64_t data_symbols_end(Dwfl_Module *module, uint64_t bias)
{
    GElf_Addr zero;
    GElf_Phdr segment;
    Elf *const elf = dwfl_module_getelf(module, &zero);
    size_t n = 0;
    uint64_t end = 0;

    if (elf == NULL || elf_getphdrnum(elf, &n) != 0 || !is_program(elf))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (gelf_getphdr(elf, (int)i, &segment) != NULL && segment.p_type == PT_LOAD &&
            segment.p_vaddr + segment.p_memsz + bias > end)
            end = segment.p_vaddr + segment.p_memsz + bias;
    return end;
}

enum armpmu_status data_symbols_name_heap(struct profile *profile, uint64_t end,
                                          struct armpmu_error *err)
{
    const char *name = "[heap]";
    const enum armpmu_status status = profile_own_text(profile, &name, err);

    for (size_t i = 0; i < profile->n_regions && status == ARMPMU_OK; i++) {
        struct profile_region *const region = &profile->regions[i];
        if (region->name == NULL && !profile->caches[region->cache].is_physical &&
            region->address >= end && region->address - end < HEAP_MOST)
            region->name = name;
    }
    return status;
}
