#include "profile/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/order.h"
#include "profile/access_data.h"
#include "profile/data_symbols.h"
#include "profile/data_types.h"
#include "profile/demangle.h"
#include "profile/object_file.h"
#include "profile/object_lines.h"
#include "profile/object_symbols.h"

#define ANONYMOUS "[anonymous]"

/* An instruction, by where it is. */
struct located_insn {
    uint32_t object, number;
    uint64_t address;
};

/* An object whose code gets names. */
struct resolver {
    struct profile *profile;
    struct armpmu_error *err;
    uint32_t object;                    /* PROFILE_NONE: code of no object */
    const struct symbol_source *source; /* NULL: the object's path */
    uint64_t bias, end;                 /* end: of a program in memory; 0 of all else */
    struct object_symbols symbols;
    struct object_lines lines;
    struct code_symbol last; /* where the last instruction was, with its function's number */
    uint32_t last_function;
    struct profile_line last_line; /* and the file of its line */
    const char *last_file;
    uint32_t first_inline, n_inlines; /* the last that were added */
    struct inlined_call inlined[OBJECT_INLINES_MAX];
};

/* ---- names ---- */

/* The name of code without a symbol, at an address in memory. The caller frees it. */
static char *made_name(const struct resolver *r, uint64_t address)
{
    const struct profile *const p = r->profile;
    const char *path = r->object != PROFILE_NONE ? p->objects[r->object].path : ANONYMOUS;
    char *name = NULL;
    int length;

    if (strcmp(path, ANONYMOUS) == 0)
        length = asprintf(&name, "[0x%llx]", (unsigned long long)address);
    else
        length =
            asprintf(&name, "%s+0x%llx", basename(path), (unsigned long long)(address - r->bias));
    return length >= 0 ? name : NULL;
}

/* Gives a function its symbol and name. symbol NULL: there is none. */
static enum armpmu_status set_names(struct resolver *r, struct profile_function *function,
                                    const char *symbol)
{
    char *const own = symbol == NULL ? made_name(r, function->address) : NULL;
    char *const demangled = symbol != NULL ? demangle(symbol) : NULL;
    enum armpmu_status status;

    function->symbol = symbol != NULL ? symbol : own;
    function->name = demangled != NULL ? demangled : function->symbol;
    status = function->symbol != NULL ? profile_own_text(r->profile, &function->symbol, r->err)
                                      : fail_no_memory(r->err, "symbols");
    if (status == ARMPMU_OK)
        status = profile_own_text(r->profile, &function->name, r->err);
    if (status != ARMPMU_OK)
        function->symbol = function->name = NULL;
    free(own);
    free(demangled);
    return status;
}

/* The function of a symbol, or of code without one. */
static enum armpmu_status function_of(struct resolver *r, const struct code_symbol *symbol,
                                      uint32_t *number)
{
    const struct profile_function added = {.object = r->object, .address = symbol->start + r->bias};
    const enum armpmu_status status = profile_add_function(r->profile, &added, number, r->err);

    if (status != ARMPMU_OK || r->profile->functions[*number].symbol != NULL)
        return status;
    r->profile->functions[*number].n_bytes = symbol->end - symbol->start;
    return set_names(r, &r->profile->functions[*number], symbol->name);
}

/* A function that a path calls, perhaps not at its symbol's begin. */
static enum armpmu_status name_called(struct resolver *r, struct profile_function *function)
{
    const struct code_symbol symbol = object_symbols_find(&r->symbols, function->address - r->bias);

    const uint64_t address = function->address - r->bias;
    function->n_bytes = symbol.end > address ? symbol.end - address : 0;
    return set_names(r, function, symbol.name);
}

/* ---- source ---- */

/* Takes "." and "folder/.." out of an absolute path. */
static void simplify(char *path)
{
    char *end = path, *rest = path;

    for (char *part; (part = strsep(&rest, "/")) != NULL;) {
        const size_t n = strlen(part);
        if (n == 0 || strcmp(part, ".") == 0)
            continue;
        if (strcmp(part, "..") == 0) {
            while (end > path && *--end != '/')
                ;
            continue;
        }
        *end++ = '/';
        memmove(end, part, n);
        end += n;
    }
    *end = '\0';
}

/* The caller frees it. NULL without memory. */
static char *path_of(const struct source_line *source)
{
    char *path = NULL;

    if (source->file[0] == '/' || source->folder == NULL || source->folder[0] != '/')
        return strdup(source->file);
    if (asprintf(&path, "%s/%s", source->folder, source->file) < 0)
        return NULL;
    simplify(path);
    return path;
}

static enum armpmu_status add_file(struct resolver *r, const struct source_line *source)
{
    char *const path = path_of(source);
    const enum armpmu_status status =
        path != NULL ? profile_add_file(r->profile, path, &r->last_line.file, r->err)
                     : fail_no_memory(r->err, "symbols");

    free(path);
    return status;
}

static enum armpmu_status line_of(struct resolver *r, const struct source_line *source,
                                  struct profile_line *out)
{
    enum armpmu_status status = ARMPMU_OK;

    *out = (struct profile_line){PROFILE_NONE, 0};
    if (source->file == NULL)
        return ARMPMU_OK;
    if (source->file != r->last_file) /* each file's name is once in its unit */
        status = add_file(r, source);
    r->last_file = status == ARMPMU_OK ? source->file : NULL;
    *out = (struct profile_line){r->last_line.file, source->line};
    return status;
}

static bool is_same_call(const struct inlined_call *a, const struct inlined_call *b)
{
    return a->symbol == b->symbol && a->call.file == b->call.file && a->call.line == b->call.line;
}

/* Returns whether these are, or begin, the inlines that were added last. */
static bool were_added_last(const struct resolver *r, const struct source_place *place)
{
    if (place->n_inlined > r->n_inlines)
        return false;
    for (unsigned i = 0; i < place->n_inlined; i++)
        if (!is_same_call(&place->inlined[i], &r->inlined[i]))
            return false;
    return true;
}

static enum armpmu_status add_inline(struct resolver *r, const struct inlined_call *call)
{
    char *const demangled = demangle(call->symbol);
    struct profile_inline inlined = {.name = demangled != NULL ? demangled : call->symbol};
    uint32_t number;
    enum armpmu_status status = line_of(r, &call->call, &inlined.call);

    if (status == ARMPMU_OK)
        status = profile_add_inline(r->profile, &inlined, &number, r->err);
    free(demangled);
    return status;
}

static enum armpmu_status add_inlines(struct resolver *r, const struct source_place *place)
{
    enum armpmu_status status = ARMPMU_OK;

    if (were_added_last(r, place))
        return ARMPMU_OK;
    r->first_inline = (uint32_t)r->profile->n_inlines;
    r->n_inlines = place->n_inlined;
    memcpy(r->inlined, place->inlined, sizeof r->inlined);
    for (unsigned i = 0; i < place->n_inlined && status == ARMPMU_OK; i++)
        status = add_inline(r, &place->inlined[i]);
    return status;
}

static enum armpmu_status resolve_source(struct resolver *r, struct profile_insn *insn)
{
    struct source_place place = {.n_inlined = 0};
    enum armpmu_status status;

    if (!object_lines_find(&r->lines, insn->address - r->bias, &place))
        return fail_no_memory(r->err, "symbols");
    status = add_inlines(r, &place);
    insn->first_inline = place.n_inlined > 0 ? r->first_inline : 0;
    insn->n_inlines = place.n_inlined;
    return status == ARMPMU_OK ? line_of(r, &place.line, &insn->line) : status;
}

/* The symbol's size may be too small. */
static void reach(struct profile_function *function, const struct profile_insn *insn)
{
    const uint64_t n_bytes = insn->address + insn->n_bytes - function->address;

    if (function->n_bytes < n_bytes)
        function->n_bytes = n_bytes;
}

static enum armpmu_status resolve_insn(struct resolver *r, struct profile_insn *insn)
{
    const uint64_t address = insn->address - r->bias;
    const struct code_symbol symbol = object_symbols_find(&r->symbols, address);
    enum armpmu_status status = ARMPMU_OK;

    if (r->last_function == PROFILE_NONE || symbol.start != r->last.start ||
        symbol.end != r->last.end)
        status = function_of(r, &symbol, &r->last_function);
    r->last = symbol;
    insn->function = r->last_function;
    if (status != ARMPMU_OK)
        return status;
    reach(&r->profile->functions[insn->function], insn);
    return resolve_source(r, insn);
}

/* ---- an object ---- */

static bool add_called(struct resolver *r)
{
    const struct profile *const p = r->profile;

    for (size_t i = 0; i < p->n_functions; i++)
        if (p->functions[i].object == r->object &&
            !object_symbols_add_start(&r->symbols, p->functions[i].address - r->bias))
            return false;
    object_symbols_sort(&r->symbols);
    return true;
}

static enum armpmu_status name_all_called(struct resolver *r)
{
    struct profile *const p = r->profile;
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < p->n_functions && status == ARMPMU_OK; i++)
        if (p->functions[i].object == r->object && p->functions[i].symbol == NULL)
            status = name_called(r, &p->functions[i]);
    return status;
}

static enum armpmu_status resolve_code(struct resolver *r, const struct located_insn *insns,
                                       size_t n)
{
    enum armpmu_status status = add_called(r) ? ARMPMU_OK : fail_no_memory(r->err, "symbols");

    for (size_t i = 0; i < n && status == ARMPMU_OK; i++)
        status = resolve_insn(r, &r->profile->insns[insns[i].number]);
    return status == ARMPMU_OK ? name_all_called(r) : status;
}

/* ---- files ---- */

/* Returns whether the file has the object's build id; an object that has none gets that of the
 * file. */
static bool is_that_object(struct resolver *r, Dwfl_Module *module)
{
    const char **const wanted = &r->profile->objects[r->object].build_id;

    if (*wanted != NULL)
        return object_file_has_id(module, *wanted);
    char *const found = object_file_id(module);
    if (found != NULL) {
        *wanted = found;
        if (profile_own_text(r->profile, wanted, NULL) != ARMPMU_OK)
            *wanted = NULL;
    }
    free(found);
    return true;
}

/* The file with the object's symbols; NULL for none. */
static const char *file_of(const struct resolver *r)
{
    const char *const path = r->profile->objects[r->object].path;

    if (r->source != NULL)
        return r->source->file;
    return path[0] != '[' ? path : NULL;
}

static enum armpmu_status name_accesses(struct resolver *r, Dwfl_Module *module)
{
    const struct access_data_source source = {
        .module = module,
        .kernel = r->source != NULL ? r->source->kernel : NULL,
        .kernel_module = r->source != NULL ? r->source->module : 0,
        .object = r->object,
        .bias = r->bias,
        .process = r->source != NULL && r->source->file != NULL ? r->source->process : PROFILE_NONE,
    };

    return module != NULL || source.kernel != NULL ? access_data_name(r->profile, &source, r->err)
                                                   : ARMPMU_OK;
}

static enum armpmu_status note_lack(struct resolver *r, Dwfl_Module *module)
{
    char *const text = object_lines_lack(&r->lines, module);

    r->profile->objects[r->object].lacks = text;
    const enum armpmu_status status =
        text != NULL ? profile_own_text(r->profile, &r->profile->objects[r->object].lacks, r->err)
                     : ARMPMU_OK;
    free(text);
    return status;
}

static enum armpmu_status resolve_in_file(struct resolver *r, Dwfl_Module *module,
                                          const struct located_insn *insns, size_t n)
{
    if (r->source != NULL && r->source->kernel != NULL &&
        !kernel_symbols_load(r->source->kernel, r->source->module, &r->symbols))
        return fail_no_memory(r->err, "symbols");
    if (module == NULL || !is_that_object(r, module)) {
        const enum armpmu_status named = name_accesses(r, NULL);
        return named == ARMPMU_OK ? resolve_code(r, insns, n) : named;
    }
    if (!object_symbols_load(&r->symbols, module) || !object_lines_load(&r->lines, module))
        return fail_no_memory(r->err, "symbols");
    enum armpmu_status status = data_symbols_name(r->profile, module, r->object, r->bias, r->err);
    if (status == ARMPMU_OK)
        status = name_accesses(r, module);
    if (status == ARMPMU_OK)
        status = data_types_name(r->profile, module, r->object, r->bias, r->err);
    r->end = data_symbols_end(module, r->bias);
    if (status == ARMPMU_OK)
        status = resolve_code(r, insns, n);
    return status == ARMPMU_OK ? note_lack(r, module) : status;
}

static enum armpmu_status resolve_object(struct resolver *r, const char *sysroot,
                                         const struct located_insn *insns, size_t n)
{
    struct object_file file;

    if (r->object == PROFILE_NONE && r->source != NULL &&
        !jit_map_load(r->source->jit, &r->symbols))
        return fail_no_memory(r->err, "symbols");
    if (r->object == PROFILE_NONE)
        return resolve_code(r, insns, n);
    if (file_of(r) == NULL)
        return resolve_in_file(r, NULL, insns, n);
    const enum armpmu_status status = object_file_open(&file, file_of(r), sysroot)
                                          ? resolve_in_file(r, file.module, insns, n)
                                          : fail_no_memory(r->err, "symbols");
    object_file_close(&file);
    return status;
}

/* All that is asked for. */
struct symbol_request {
    struct profile *profile;
    const char *sysroot;
    const struct symbol_source *sources;
    size_t n_sources;
    struct armpmu_error *err;
};

static const struct symbol_source *source_of(const struct symbol_request *request, uint32_t object)
{
    const char *const path = object != PROFILE_NONE ? request->profile->objects[object].path : NULL;

    for (size_t i = 0; i < request->n_sources; i++) {
        const char *const other = request->sources[i].object;
        if (path == other || (path != NULL && other != NULL && strcmp(path, other) == 0))
            return &request->sources[i];
    }
    return NULL;
}

static enum armpmu_status resolve(const struct symbol_request *request, uint32_t object,
                                  const struct located_insn *insns, size_t n, uint64_t *end)
{
    struct profile *const profile = request->profile;
    struct resolver r = {
        .profile = profile,
        .err = request->err,
        .object = object,
        .source = source_of(request, object),
        .bias = object != PROFILE_NONE ? profile->objects[object].bias : 0,
        .last_function = PROFILE_NONE,
    };
    const enum armpmu_status status = resolve_object(&r, request->sysroot, insns, n);

    *end = r.end;
    object_symbols_free(&r.symbols);
    object_lines_free(&r.lines);
    return status;
}

/* ---- all ---- */

static int by_object_and_address(const void *left, const void *right)
{
    const struct located_insn *a = left, *b = right;

    return ORDER(a->object, b->object, a->address, b->address, a->number, b->number);
}

/* Instructions by object and address. Gives their number. */
static size_t locate(const struct profile *profile, struct located_insn *out)
{
    size_t n = 0;

    for (uint32_t i = 0; i < profile->n_insns; i++)
        if (profile->insns[i].n_bytes > 0)
            out[n++] =
                (struct located_insn){profile->insns[i].object, i, profile->insns[i].address};
    if (n > 0)
        qsort(out, n, sizeof *out, by_object_and_address);
    return n;
}

/* Returns whether it ran as a process of Linux. */
static bool is_program(const struct profile *profile)
{
    return profile->setup.engine != NULL && strcmp(profile->setup.engine, "qemu") == 0;
}

/* Where the first file above an address is loaded: those that lie anywhere begin at address 0. */
static uint64_t next_object(const struct profile *profile, uint64_t end)
{
    uint64_t next = UINT64_MAX;

    for (size_t i = 0; i < profile->n_objects; i++)
        if (profile->objects[i].bias >= end && profile->objects[i].bias < next)
            next = profile->objects[i].bias;
    return next;
}

static enum armpmu_status resolve_all(const struct symbol_request *request,
                                      const struct located_insn *insns, size_t n)
{
    const struct profile *const profile = request->profile;
    enum armpmu_status status = ARMPMU_OK;
    size_t first = 0, end;
    uint64_t end_of, end_of_program = 0;

    /* PROFILE_NONE, the greatest number, comes last: code of no object. */
    for (size_t i = 0; i <= profile->n_objects && status == ARMPMU_OK; i++, first = end) {
        const uint32_t object = i < profile->n_objects ? (uint32_t)i : PROFILE_NONE;
        for (end = first; end < n && insns[end].object == object;)
            end++;
        status = resolve(request, object, insns + first, end - first, &end_of);
        if (end_of != 0 && (end_of_program == 0 || end_of < end_of_program))
            end_of_program = end_of;
    }
    if (status == ARMPMU_OK && !is_program(profile))
        return access_data_name_system(request->profile, request->err);
    if (status != ARMPMU_OK || end_of_program == 0)
        return status;
    const enum armpmu_status named =
        data_symbols_name_heap(request->profile, end_of_program, request->err);
    return named == ARMPMU_OK
               ? access_data_name_rest(request->profile, end_of_program,
                                       next_object(profile, end_of_program), request->err)
               : named;
}

enum armpmu_status symbols_resolve(struct profile *profile, const char *sysroot,
                                   const struct symbol_source *sources, size_t n_sources,
                                   struct armpmu_error *err)
{
    const struct symbol_request request = {profile, sysroot, sources, n_sources, err};
    struct located_insn *const insns = malloc(profile->n_insns * sizeof *insns + 1);

    if (insns == NULL)
        return fail_no_memory(err, "symbols");
    const enum armpmu_status status = resolve_all(&request, insns, locate(profile, insns));
    free(insns);
    return status;
}
