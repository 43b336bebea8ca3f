/* Termination signals that come to armpmu: SIGINT, SIGQUIT, SIGTERM and SIGHUP.
 *
 *   before the program      armpmu says so and ends by the signal
 *   while it runs           the signal is the program's; the second interrupt (SIGINT or SIGQUIT)
 *                           kills the program and cuts counting short
 *   after it               the report is made; a second signal cuts counting short
 *   a second after a cut   armpmu ends by the signal
 *
 * From the first call on they stay caught until armpmu ends: a report is always made. What the
 * caller of armpmu ignores stays ignored, in the program as well. An interrupt that comes again
 * within 10 ms is the same one: timeout(1) sends each to its child and to the child's group. The
 * handler runs in the main thread; all other threads block signals. */
#ifndef BASE_TERMINATION_H
#define BASE_TERMINATION_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Catches the signals; there is nothing to report yet. Later calls do nothing. */
void termination_catch(void);

/* From here on there is something to report. */
void termination_report_follows(void);

/* A process that goes when armpmu ends before the program has started; 0: none any more. */
void termination_helper(pid_t pid);

/* Catches the signals and blocks them; *before gets the mask that was. */
void termination_block(sigset_t *before);

/* A program has started between termination_block and this, with this process id, or could not be
 * (negative). It gets the signals that came while it was not there. */
void termination_started(pid_t pid, const sigset_t *before);

/* In the child: the dispositions and the mask of armpmu's caller, for exec. */
void termination_leave(const sigset_t *mask);

/* The program runs inside armpmu and looks at termination_signal. */
void termination_runs_here(void);

/* The program has ended, its process id may not be used any more. */
void termination_over(void);

/* The first signal that came, 0: none. */
int termination_signal(void);

/* Returns whether this signal came. */
bool termination_came(int number);

/* Returns whether counting is to end at once. May be called from any thread. */
bool termination_cuts(void);

/* Counting is to end at once, without a signal. May be called from any thread. */
void termination_cut(void);

#endif
