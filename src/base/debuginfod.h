/* The switch that lets libdw ask servers for debug information.
 *
 * libdw sends the build ids of files to the servers of $DEBUGINFOD_URLS, whoever set it and for
 * whatever program, and it has no call that forbids it. The variable is therefore removed from the
 * environment of this process and restored only for the programs that it runs. */
#ifndef BASE_DEBUGINFOD_H
#define BASE_DEBUGINFOD_H

/* Before there is a second thread. */
void debuginfod_forbid(void);

/* Takes it back, while options are read. */
void debuginfod_allow(void);

/* The environment for a child: this process's, with the variable. Returns NULL without memory; the
 * caller frees the list, not what is in it. */
const char **debuginfod_environment(void);

#endif
