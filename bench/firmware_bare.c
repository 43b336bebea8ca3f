/* The Unicorn library alone, without a hook but for the end: seconds for a flat program at 0x10000.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unicorn/unicorn.h>

static uc_err (*stop)(uc_engine *);

static void on_exception(uc_engine *uc, uint32_t number, void *user)
{
    (void)number, (void)user;
    stop(uc);
}

/* What the library is called by. */
struct calls {
    uc_err (*open)(uc_arch, uc_mode, uc_engine **);
    uc_err (*ctl)(uc_engine *, uc_control_type, ...);
    uc_err (*map)(uc_engine *, uint64_t, size_t, uint32_t);
    uc_err (*write)(uc_engine *, uint64_t, const void *, size_t);
    uc_err (*hook)(uc_engine *, uc_hook *, int, void *, void *, uint64_t, uint64_t, ...);
    uc_err (*start)(uc_engine *, uint64_t, uint64_t, uint64_t, size_t);
};

static void *find(void *library, const char *name)
{
    void *const function = dlsym(library, name);

    if (function == NULL) {
        fprintf(stderr, "firmware_bare: no %s\n", name);
        exit(1);
    }
    return function;
}

int main(int argc, char **argv)
{
    static unsigned char code[1 << 20];
    struct timespec from, to;
    uc_engine *uc;
    uc_hook hook;
    void *const library = dlopen("libunicorn.so.2", RTLD_NOW);
    FILE *const file = argc == 2 ? fopen(argv[1], "rb") : NULL;

    if (library == NULL || file == NULL)
        return 1;
    const size_t n = fread(code, 1, sizeof code, file);
    fclose(file);
    struct calls uc_;
    *(void **)&uc_.open = find(library, "uc_open");
    *(void **)&uc_.ctl = find(library, "uc_ctl");
    *(void **)&uc_.map = find(library, "uc_mem_map");
    *(void **)&uc_.write = find(library, "uc_mem_write");
    *(void **)&uc_.hook = find(library, "uc_hook_add");
    *(void **)&uc_.start = find(library, "uc_emu_start");
    *(void **)&stop = find(library, "uc_emu_stop");
    if (uc_.open(UC_ARCH_ARM, UC_MODE_ARM, &uc) != UC_ERR_OK ||
        uc_.ctl(uc, UC_CTL_WRITE(UC_CTL_CPU_MODEL, 1), UC_CPU_ARM_CORTEX_A8) != UC_ERR_OK ||
        uc_.map(uc, 0, 1 << 20, UC_PROT_ALL) != UC_ERR_OK ||
        uc_.write(uc, 0x10000, code, n) != UC_ERR_OK ||
        uc_.hook(uc, &hook, UC_HOOK_INTR, (void *)(uintptr_t)on_exception, NULL, 1, 0) != UC_ERR_OK)
        return 1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    const uc_err error = uc_.start(uc, 0x10000, UINT64_MAX, 0, 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    printf("%.3f\n", (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9);
    return error == UC_ERR_OK ? 0 : 1;
}
