/* Adds up floating-point numbers. docs/examples.md has its counts; -DCURED is the cure. */
#include <stdio.h>

#ifdef CURED
#include <arm_neon.h>
#endif

enum { NUMBERS = 1024, TURNS = 64 };

static float numbers[NUMBERS];

__attribute__((noinline)) static float add(void)
{
#ifdef CURED
    float32x4_t sums = vdupq_n_f32(0);

    for (int i = 0; i < NUMBERS; i += 4)
        sums = vaddq_f32(sums, vld1q_f32(numbers + i));
    return vgetq_lane_f32(sums, 0) + vgetq_lane_f32(sums, 1) + vgetq_lane_f32(sums, 2) +
           vgetq_lane_f32(sums, 3);
#else
    float sum = 0;

    for (int i = 0; i < NUMBERS; i++)
        sum += numbers[i];
    return sum;
#endif
}

int main(void)
{
    float sum = 0;

    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (float)(i % 16);
    for (int turn = 0; turn < TURNS; turn++) {
        numbers[turn] += 1;
        sum += add();
    }
    printf("%.0f\n", (double)sum);
    return 0;
}
