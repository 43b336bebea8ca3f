/* How often a test repeats itself. Sanitizers make it three to eight times as slow, and look for
 * errors in memory: a third of the seeds find those. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define SEEDS_OF(n) (((n) + 2) / 3)
#else
#define SEEDS_OF(n) (n)
#endif

#endif
