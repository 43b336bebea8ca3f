/* In libFuzzer's place: runs a fuzz target over files, with whatever compiler builds the tests.
 *
 * usage: replay FOLDER-OR-FILE...
 *
 * Of a folder, all its files in order of their names. The first argument must hold an input, since
 * a corpus that went missing tests nothing; a later folder need not exist. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
extern const int fuzz_is_replay;
const int fuzz_is_replay = 1; /* a target may check more, as nobody waits */

static void *need(void *memory)
{
    if (memory == NULL)
        exit(2);
    return memory;
}

/* Has the input in memory of exactly its size, so that sanitizers see a read past its end. */
static unsigned replay_file(const char *path)
{
    struct stat about;
    FILE *const file = fopen(path, "rb");

    if (file == NULL || fstat(fileno(file), &about) != 0) {
        perror(path);
        exit(2);
    }
    const size_t length = (size_t)about.st_size;
    uint8_t *const bytes = need(malloc(length > 0 ? length : 1));
    if (fread(bytes, 1, length, file) != length) {
        perror(path);
        exit(2);
    }
    fclose(file);
    printf("%s\n", path);
    fflush(stdout); /* the last line names the input that crashed */
    LLVMFuzzerTestOneInput(bytes, length);
    free(bytes);
    return 1;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static unsigned replay(const char *path)
{
    struct dirent **entries;
    struct stat about;
    unsigned n = 0;

    if (stat(path, &about) != 0)
        return 0;
    if (!S_ISDIR(about.st_mode))
        return replay_file(path);
    const int n_entries = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < n_entries; i++) {
        char *file;
        if (asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0)
            exit(2);
        n += replay_file(file);
        free(file);
        free(entries[i]);
    }
    free(n_entries < 0 ? NULL : entries);
    return n;
}

int main(int argc, char **argv)
{
    unsigned n = 0;

    for (int i = 1; i < argc; i++) {
        n += replay(argv[i]);
        if (n == 0) {
            fprintf(stderr, "replay: no inputs in '%s'\n", argv[i]);
            return 1;
        }
    }
    printf("%u inputs\n", n);
    return n == 0;
}
