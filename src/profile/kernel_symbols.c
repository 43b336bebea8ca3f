#include "profile/kernel_symbols.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/read_file.h"

#define FILE_BYTES_MAX (256u << 20)
#define GAP_BYTES      (64u << 10) /* that the last function before a gap may reach to */

struct reading {
    const char *path;
    bool is_64;
    struct kernel_symbols *out;
    unsigned long line;
    size_t n_hidden; /* symbols whose address was 0 */
    /* Without CONFIG_KALLSYMS_ALL a list has ends of sections, which are data, but no variables. */
    bool has_variables;
    struct armpmu_error *err;
};

/* ---- lines ---- */

static enum armpmu_status module_of(struct reading *r, const char *name, uint32_t *module)
{
    struct kernel_symbols *const out = r->out;

    for (size_t i = out->n_names; i-- > 0;)
        if (strcmp(out->names[i], name) == 0) {
            *module = (uint32_t)i + 1;
            return ARMPMU_OK;
        }
    if (!ARRAY_APPEND(out->names, out->n_names, out->names_room, name))
        return fail_no_memory(r->err, "the kernel's symbols");
    *module = (uint32_t)out->n_names;
    return ARMPMU_OK;
}

/* Value of a type as nm has it. 0: neither code nor data. */
static uint8_t rank_of(char type, const char *types, const char *global)
{
    const char *const found = strchr(types, type);

    return found == NULL || type == '\0' ? 0 : found < global ? 1 : 2;
}

static uint8_t rank_of_code(char type)
{
    static const char types[] = "twWT";

    return rank_of(type, types, types + 2);
}

static uint8_t rank_of_data(char type)
{
    static const char types[] = "dbrgsvDBRGSV";

    return rank_of(type, types, types + 6);
}

static enum armpmu_status add(struct reading *r, const struct code_symbol *symbol, char *module,
                              bool is_code)
{
    struct kernel_symbols *const out = r->out;
    uint32_t number = 0;
    enum armpmu_status status = ARMPMU_OK;

    if (module != NULL) { /* "[name]" */
        module[strcspn(module, "]")] = '\0';
        status = module_of(r, module + 1, &number);
    }
    if (status != ARMPMU_OK)
        return status;
    if (!is_code)
        return ARRAY_APPEND(out->variables, out->n_variables, out->variables_room,
                            (struct kernel_variable){*symbol, number})
                   ? ARMPMU_OK
                   : fail_no_memory(r->err, "the kernel's symbols");
    if (!ARRAY_RESERVE(out->symbols, out->room, out->n + 1) ||
        !ARRAY_RESERVE(out->modules, out->modules_room, out->n + 1))
        return fail_no_memory(r->err, "the kernel's symbols");
    out->modules[out->n] = number;
    out->symbols[out->n++] = *symbol;
    return ARMPMU_OK;
}

static enum armpmu_status refuse_line(const struct reading *r, const char *line)
{
    return fail(r->err, ARMPMU_BAD_INPUT,
                "'%.120s', line %lu, '%.60s': not ADDRESS TYPE NAME, as System.map and "
                "/proc/kallsyms have it",
                r->path, r->line, line);
}

/* Words are separated by blanks or tabs; the line is changed. */
static enum armpmu_status read_line(struct reading *r, char *line)
{
    char *rest = line, *end;
    char *const address = strsep(&rest, " \t"), *const type = strsep(&rest, " \t"),
                *const name = strsep(&rest, " \t"), *const module = strsep(&rest, " \t");
    const uint64_t start = strtoull(address, &end, 16);

    if (!isxdigit((unsigned char)address[0]) || *end != '\0' || type == NULL || strlen(type) != 1 ||
        name == NULL || name[0] == '\0' ||
        (module != NULL && module[0] != '[' && module[0] != '\0'))
        return refuse_line(r, address);
    const uint8_t code = rank_of_code(type[0]), rank = code != 0 ? code : rank_of_data(type[0]);
    r->n_hidden += start == 0;
    r->has_variables |= type[0] == 'b' || type[0] == 'B';
    if (rank == 0 || start == 0 || name[0] == '$')
        return ARMPMU_OK;
    if (code != 0 && (start > UINT32_MAX) != r->is_64 && module == NULL)
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%.120s', line %lu: 0x%" PRIx64
                    " is not an address of a %u-bit kernel; name the file of the running kernel",
                    r->path, r->line, start, r->is_64 ? 64u : 32u);
    const struct code_symbol symbol = {name, start, 0, rank};
    return add(r, &symbol, module != NULL && module[0] == '[' ? module : NULL, code != 0);
}

static enum armpmu_status read_lines(struct reading *r, char *text, size_t n)
{
    enum armpmu_status status = ARMPMU_OK;

    if (n > 0 && text[n - 1] != '\n')
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%.160s' ends in the middle of a line: it is truncated", r->path);
    for (char *line; status == ARMPMU_OK && (line = strsep(&text, "\n")) != NULL;) {
        r->line++;
        line[strcspn(line, "\r")] = '\0';
        if (line[0] != '\0')
            status = read_line(r, line);
    }
    return status;
}

/* ---- by address ---- */

static int by_address(const void *left, const void *right)
{
    const struct kernel_variable *a = left, *b = right;

    if (a->symbol.start != b->symbol.start)
        return a->symbol.start < b->symbol.start ? -1 : 1;
    return (a->symbol.rank < b->symbol.rank) - (a->symbol.rank > b->symbol.rank);
}

/* Each symbol ends where the next begins, but at most a number of bytes on. */
static void sort_symbols(struct kernel_variable *symbols, size_t n, uint64_t most)
{
    uint64_t next = UINT64_MAX;

    if (n != 0)
        qsort(symbols, n, sizeof *symbols, by_address);
    for (size_t i = n; i-- > 0;) {
        struct code_symbol *const symbol = &symbols[i].symbol;
        if (i + 1 < n && symbols[i + 1].symbol.start != symbol->start)
            next = symbols[i + 1].symbol.start;
        symbol->end = next - symbol->start < most ? next : symbol->start + most;
    }
}

static enum armpmu_status sort(struct reading *r)
{
    struct kernel_symbols *const out = r->out;
    struct kernel_variable *const sorted = malloc(out->n * sizeof *sorted + 1);

    if (sorted == NULL)
        return fail_no_memory(r->err, "the kernel's symbols");
    for (size_t i = 0; i < out->n; i++)
        sorted[i] = (struct kernel_variable){out->symbols[i], out->modules[i]};
    sort_symbols(sorted, out->n, GAP_BYTES);
    if (!r->has_variables)
        out->n_variables = 0;
    sort_symbols(out->variables, out->n_variables, GAP_BYTES);
    for (size_t i = 0; i < out->n; i++) {
        out->symbols[i] = sorted[i].symbol;
        out->modules[i] = sorted[i].module;
    }
    free(sorted);
    return ARMPMU_OK;
}

enum armpmu_status kernel_symbols_read(const char *path, bool is_64, struct kernel_symbols *out,
                                       struct armpmu_error *err)
{
    const struct file_source file = {path, "name a System.map or a text of /proc/kallsyms",
                                     FILE_BYTES_MAX};
    struct reading r = {.path = path, .is_64 = is_64, .out = out, .err = err};

    enum armpmu_status status = read_text_file(&file, &out->text, err);
    if (status == ARMPMU_OK)
        status = read_lines(&r, out->text, strlen(out->text));
    if (status != ARMPMU_OK)
        return status;
    if (out->n == 0)
        return fail(err, ARMPMU_BAD_INPUT, "'%.160s' names no code%s", path,
                    r.n_hidden == 0 ? ": it is neither a System.map nor a copy of /proc/kallsyms"
                                    : ", all its addresses are 0: read /proc/kallsyms as root");
    return sort(&r);
}

void kernel_symbols_free(struct kernel_symbols *symbols)
{
    free(symbols->text);
    free(symbols->symbols);
    free(symbols->modules);
    free(symbols->variables);
    free(symbols->names);
    *symbols = (struct kernel_symbols){0};
}

/* ---- look-up ---- */

uint32_t kernel_symbols_module(const struct kernel_symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (symbols->symbols[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < symbols->symbols[low - 1].end ? symbols->modules[low - 1]
                                                              : KERNEL_SYMBOLS_NONE;
}

bool kernel_symbols_each_variable(const struct kernel_symbols *symbols, uint32_t module,
                                  data_symbols_fn each, void *user)
{
    for (size_t i = 0; i < symbols->n_variables; i++) {
        const struct code_symbol *const symbol = &symbols->variables[i].symbol;
        if (symbols->variables[i].module == module &&
            !each(user, symbol->name, false, symbol->start, symbol->end - symbol->start))
            return false;
    }
    return true;
}

bool kernel_symbols_load(const struct kernel_symbols *symbols, uint32_t module,
                         struct object_symbols *out)
{
    for (size_t i = 0; i < symbols->n; i++)
        if (symbols->modules[i] == module && !object_symbols_add(out, &symbols->symbols[i]))
            return false;
    return object_symbols_index(out);
}
