#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/read_file.h"
#include "cli/profile/annotate_report.h"

#define SOURCE_PATH_SIZE 4096
#define LINES_MOST       1000000u /* more is no source that somebody reads */

/* A regular file of no unlikely size; anything else could block or never end. */
static FILE *open_regular(const char *path)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool is_regular = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                            about.st_size <= TEXT_FILE_MAX;
    FILE *const file = is_regular ? fdopen(fd, "r") : NULL;

    if (fd >= 0 && file == NULL) {
        close(fd);
        errno = is_regular ? ENOMEM : EINVAL;
    }
    return file;
}

/* Below a folder: the whole path, then less and less of its front, at last the name alone. */
static FILE *search(const char *folder, const char *path)
{
    char full[SOURCE_PATH_SIZE];
    FILE *file = NULL;

    for (const char *rest = path; file == NULL && rest != NULL; rest = strchr(rest, '/')) {
        rest += strspn(rest, "/");
        if (snprintf(full, sizeof full, "%s/%s", folder, rest) < (int)sizeof full)
            file = open_regular(full);
    }
    return file;
}

static FILE *open_moved(const char *path, const char *source_path)
{
    const char *const equals = strchr(source_path, '=');
    char full[SOURCE_PATH_SIZE];

    if (equals == NULL)
        return search(source_path, path);
    const size_t n = (size_t)(equals - source_path);
    if (n == 0 || strncmp(path, source_path, n) != 0 ||
        snprintf(full, sizeof full, "%s%s", equals + 1, path + n) >= (int)sizeof full)
        return NULL;
    return open_regular(full);
}

static bool read_lines(struct annotate_source *source, FILE *file)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n;

    while (source->n < LINES_MOST && (n = getline(&text, &room, file)) >= 0) {
        text[strcspn(text, "\r\n")] = '\0';
        if (!ARRAY_RESERVE(source->lines, source->room, source->n + 1) ||
            (source->lines[source->n] = strdup(text)) == NULL)
            break;
        source->n++;
    }
    const bool is_read = feof(file) != 0;
    free(text);
    return is_read;
}

bool annotate_source_read(struct annotate_source *source, const char *path, const char *source_path)
{
    FILE *file = source_path != NULL ? open_moved(path, source_path) : NULL;

    *source = (struct annotate_source){NULL, 0, 0};
    if (file == NULL)
        file = open_regular(path);
    if (file == NULL)
        return false;
    const bool is_read = read_lines(source, file);
    fclose(file);
    return is_read;
}

void annotate_source_free(struct annotate_source *source)
{
    ARRAY_FREE_EACH(source->lines, source->n);
}
