#include "cli/shell_words.h"

#include <string.h>

void shell_word(const char *word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%_-+=:,./";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    fputc('\'', out);
}

void shell_words(const char *const *words, FILE *out)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        fputs(i != 0 ? " " : "", out);
        shell_word(words[i], out);
    }
}
