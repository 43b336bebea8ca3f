#include "cli/option_word.h"

#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

const char *option_refused(char *const *argv, char text[3])
{
    /* Of letters in one word getopt leaves optind where the word begins; optopt is such a letter,
     * or what stands for a long option that lacks its value. */
    if (optopt <= 0 || optopt > CHAR_MAX)
        return argv[optind > 1 ? optind - 1 : 1];
    snprintf(text, 3, "-%c", optopt);
    return text;
}

bool option_word(const char *option, const char *word, const char *const *words, int *index)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(word, words[i]) == 0) {
            *index = i;
            return true;
        }
    complain("%s '%.40s': there are %s, %s and %s", option, word, words[0], words[1], words[2]);
    return false;
}

bool option_color(const char *word, enum option_color *color)
{
    static const char *const words[] = {"auto", "always", "never", NULL};
    int index = 0;

    if (!option_word("--color", word, words, &index))
        return false;
    *color = (enum option_color)index;
    return true;
}

bool option_wants_color(enum option_color color)
{
    const char *const refused = getenv("NO_COLOR");

    if (color != OPTION_COLOR_AUTO)
        return color == OPTION_COLOR_ALWAYS;
    return (refused == NULL || *refused == '\0') && isatty(STDOUT_FILENO);
}
