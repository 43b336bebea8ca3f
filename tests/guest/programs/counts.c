/* Counts events around work with known arithmetic.
 *
 * Prints, for each piece of work and each event:
 *   count work=NAME event=0xNN least=N most=N
 * the smallest and the largest count of REPEATS windows, and for the cycle counter beside event
 * 0x11 in the same group: cycles work=NAME ccnt=N event=N What the counts should be is the reader's
 * to know: the figures are in work.h. */
#include <stdio.h>

#include "window.h"
#include "work.h"

#define REPEATS 15

struct piece {
    const char *name;
    void (*work)(void);
};

static const struct piece pieces[] = {
    {"nothing", work_nothing}, {"loop", work_loop},   {"lines", work_lines},
    {"pages", work_pages},     {"coins", work_coins},
};

/* Four at a time: one group fits the counters, so none is ever scaled. */
static const unsigned groups[][4] = {
    {0x08, 0x03, 0x04, 0x05},
    {0x10, 0x0c, 0x0d, 0x11},
};

#define N_PIECES (sizeof pieces / sizeof pieces[0])
#define N_GROUPS (sizeof groups / sizeof groups[0])

static void count_group(const struct piece *piece, const unsigned group[4])
{
    const unsigned events[] = {group[0], group[1], group[2], group[3], OOO_CYCLES};
    uint64_t counts[OOO_EVENTS_MAX], least[OOO_EVENTS_MAX], most[OOO_EVENTS_MAX];
    struct ooo_timing w;

    ooo_open(&w, events, OOO_EVENTS_MAX);
    for (unsigned repeat = 0; repeat < REPEATS; repeat++) {
        work_lines(); /* every window begins with the same, cold caches */
        work_pages();
        ooo_count(&w, piece->work, counts);
        for (unsigned i = 0; i < OOO_EVENTS_MAX; i++) {
            least[i] = repeat == 0 || counts[i] < least[i] ? counts[i] : least[i];
            most[i] = repeat == 0 || counts[i] > most[i] ? counts[i] : most[i];
        }
        if (group[3] == 0x11)
            printf("cycles work=%s ccnt=%llu event=%llu\n", piece->name,
                   (unsigned long long)counts[4], (unsigned long long)counts[3]);
    }
    for (unsigned i = 0; i < 4; i++)
        printf("count work=%s event=0x%02x least=%llu most=%llu\n", piece->name, events[i],
               (unsigned long long)least[i], (unsigned long long)most[i]);
    ooo_close(&w);
}

int main(void)
{
    work_prepare();
    for (size_t piece = 0; piece < N_PIECES; piece++) {
        for (size_t group = 0; group < N_GROUPS; group++)
            count_group(&pieces[piece], groups[group]);
    }
    return 0;
}
