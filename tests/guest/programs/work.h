/* Pieces of work whose events can be worked out by hand. The figures leave out the few instructions
 * around the loops: they are part of a window's noise. */
#ifndef WORK_H
#define WORK_H

#define WORK_TURNS  20000u /* of the counted loop      */
#define WORK_LINES  4096u  /* 256 KiB: many times an L1 data cache of 16 or 32 KiB */
#define WORK_PASSES 4u
#define WORK_PAGES  128u /* four times what the data TLB holds */
#define WORK_COINS  16384u

/* Touches all memory of the pieces once, so that none faults later. */
void work_prepare(void);

/* Nothing; the caches and the TLB hold the program's own data no more when it begins. */
void work_nothing(void);

/* WORK_TURNS times two instructions, the second a branch that is taken every time but the last. */
void work_loop(void);

/* WORK_PASSES times a load of each of WORK_LINES lines, four instructions each. */
void work_lines(void);

/* WORK_PASSES times a load of each of WORK_PAGES pages, four instructions each. */
void work_pages(void);

/* WORK_COINS branches, each taken or not by the toss of a coin: half of them are predicted wrongly.
 */
void work_coins(void);

/* Some of everything: unaligned accesses, bursts of stores, calls, NEON, system calls. */
void work_mixed(void);

/* Two functions with loops of `turns` turns, for samples to fall into. */
void work_hot(unsigned turns);
void work_cold(unsigned turns);
extern const char work_hot_end[], work_cold_end[];

#endif
