/* Signal processing: an FIR filter in fixed point, a recursive one in floating point. */
#include <stdint.h>
#include <stdio.h>

enum { SAMPLES = 3000, TAPS = 32 };

static int16_t in[SAMPLES + TAPS], out[SAMPLES];
static float wave[SAMPLES];

int main(void)
{
    int16_t taps[TAPS];
    uint32_t random = 7;
    for (int i = 0; i < TAPS; i++)
        taps[i] = (int16_t)(1000 - 60 * i);
    for (int i = 0; i < SAMPLES + TAPS; i++) {
        random = random * 1664525u + 1013904223u;
        in[i] = (int16_t)(random >> 16);
    }
    for (int i = 0; i < SAMPLES; i++) {
        int32_t sum = 0;
        for (int t = 0; t < TAPS; t++)
            sum += in[i + t] * taps[t] >> 4;
        out[i] = (int16_t)(sum >> 11);
    }
    float y1 = 0, y2 = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const float y = 0.1f * out[i] + 1.6f * y1 - 0.8f * y2;
        y2 = y1;
        y1 = wave[i] = y;
    }
    int32_t sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum += (int32_t)wave[i];
    printf("%d\n", (int)sum);
    return 0;
}
