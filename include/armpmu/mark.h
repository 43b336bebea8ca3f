/* Regions of a program, marked in its source, for `armpmu stat --roi mark:NAME`, `armpmu stat
 * --regions` and `armpmu record`.
 *
 *     #include <armpmu/mark.h>
 *
 *     ARMPMU_REGION_BEGIN(sorting);
 *     sort(rows, n);
 *     ARMPMU_REGION_END(sorting);
 *
 *     gcc -DARMPMU_MARK ...        and then       armpmu stat --roi mark:sorting ./program
 *
 * Programs for Linux and firmware, C and C++, A32, T32 and A64. Without -DARMPMU_MARK, and on other
 * processors, the macros are nothing. With it each is one instruction, a branch to the next one,
 * and a symbol that armpmu looks for: do not strip the program. The region has the branch at its
 * end, not the one at its begin. It may begin and end in several places, and as often as you like;
 * threads enter and leave it each for itself. The compiler moves no access to memory over a mark;
 * computations in registers it may.
 *
 * NAME is an identifier. Needs GCC or Clang; nothing of libarmpmu. */
#ifndef ARMPMU_MARK_H
#define ARMPMU_MARK_H

#if defined(ARMPMU_MARK) && (defined(__arm__) || defined(__aarch64__))
#define ARMPMU_REGION_MARK(which, name)                                                            \
    __asm__ volatile("b \"armpmu." which "." name ".%=\"\n\"armpmu." which "." name ".%=\":" ::    \
                         : "memory")
#else
#define ARMPMU_REGION_MARK(which, name) ((void)0)
#endif

/* True if the marks are there. */
enum {
#if defined(ARMPMU_MARK) && (defined(__arm__) || defined(__aarch64__))
    ARMPMU_HAS_MARKS = 1
#else
    ARMPMU_HAS_MARKS = 0
#endif
};

#define ARMPMU_REGION_BEGIN(name) ARMPMU_REGION_MARK("begin", #name)
#define ARMPMU_REGION_END(name)   ARMPMU_REGION_MARK("end", #name)

#endif
