/* Prints what symbols_resolve says of addresses.
 *
 * usage: symbols_dump OBJECT BIAS SYSROOT <addresses
 *
 * OBJECT: its path, perhaps followed by ?BUILD_ID; "-": none. SYSROOT: "-": none. A line of
 * standard input is the address of an instruction in memory, or "call ADDRESS" of a function that a
 * path calls. Prints a line for each: address, function's address and size, symbol, name, then
 * NAME@FILE:LINE of each inlined call, outermost first, and FILE:LINE; for calls up to the name. At
 * the end "build id" and its digits, and "lacks" and why debug data are missing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/symbols.h"

static struct profile *profile;
static struct armpmu_error err;

static void want(enum armpmu_status status)
{
    if (status == ARMPMU_OK)
        return;
    fprintf(stderr, "symbols_dump: %s\n", err.message);
    exit(EXIT_FAILURE);
}

static uint32_t add_object(char *path, const char *bias)
{
    char *const build_id = strchr(path, '?');
    uint32_t number = PROFILE_NONE;

    if (strcmp(path, "-") == 0)
        return PROFILE_NONE;
    if (build_id != NULL)
        *build_id = '\0';
    const struct profile_object object = {path, build_id != NULL ? build_id + 1 : NULL,
                                          strtoull(bias, NULL, 0), 0, NULL};
    want(profile_add_object(profile, &object, &number, &err));
    return number;
}

static void add_code(uint32_t object)
{
    char line[256];
    uint32_t number;

    while (fgets(line, sizeof line, stdin) != NULL) {
        const bool is_call = strncmp(line, "call ", 5) == 0;
        const uint64_t address = strtoull(line + (is_call ? 5 : 0), NULL, 0);
        const struct profile_function function = {.object = object, .address = address};
        const struct profile_insn insn = {.address = address, .object = object, .n_bytes = 4};
        want(is_call ? profile_add_function(profile, &function, &number, &err)
                     : profile_add_insn(profile, &insn, &number, &err));
    }
}

static void print_line(struct profile_line line)
{
    if (line.file == PROFILE_NONE)
        printf("?:0");
    else
        printf("%s:%" PRIu32, profile->files[line.file].path, line.line);
}

static void print_function(uint64_t address, const struct profile_function *function)
{
    printf("0x%" PRIx64 "\t0x%" PRIx64 "\t%" PRIu64 "\t%s\t%s", address, function->address,
           function->n_bytes, function->symbol, function->name);
}

static void print_insn(const struct profile_insn *insn)
{
    print_function(insn->address, &profile->functions[insn->function]);
    for (uint32_t i = 0; i < insn->n_inlines; i++) {
        const struct profile_inline *const inlined = &profile->inlines[insn->first_inline + i];
        printf("\t%s@", inlined->name);
        print_line(inlined->call);
    }
    printf("\t");
    print_line(insn->line);
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return EXIT_FAILURE;
    want(profile_new(&profile, &err));
    const uint32_t object = add_object(argv[1], argv[2]);
    add_code(object);
    const size_t n_called = profile->n_functions;
    want(symbols_resolve(profile, strcmp(argv[3], "-") == 0 ? NULL : argv[3], NULL, 0, &err));
    for (size_t i = 0; i < n_called; i++) {
        print_function(profile->functions[i].address, &profile->functions[i]);
        printf("\n");
    }
    for (size_t i = 0; i < profile->n_insns; i++)
        print_insn(&profile->insns[i]);
    if (object != PROFILE_NONE && profile->objects[object].build_id != NULL)
        printf("build id %s\n", profile->objects[object].build_id);
    if (object != PROFILE_NONE && profile->objects[object].lacks != NULL)
        printf("lacks %s\n", profile->objects[object].lacks);
    profile_free(profile);
    return EXIT_SUCCESS;
}
