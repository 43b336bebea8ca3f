/* Shortest ways in a graph by breadth-first search, again and again from other places. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 2000, EDGES = 4 };

static uint16_t edge[NODES][EDGES], queue[NODES];
static int16_t distance[NODES];

static int search(unsigned from)
{
    unsigned head = 0, tail = 0;
    int farthest = 0;
    memset(distance, -1, sizeof distance);
    distance[from] = 0;
    queue[tail++] = (uint16_t)from;
    while (head < tail) {
        const unsigned node = queue[head++];
        for (int i = 0; i < EDGES; i++) {
            const unsigned next = edge[node][i];
            if (distance[next] >= 0)
                continue;
            distance[next] = (int16_t)(distance[node] + 1);
            farthest = distance[next];
            queue[tail++] = (uint16_t)next;
        }
    }
    return farthest;
}

int main(void)
{
    uint32_t random = 3;
    int sum = 0;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < EDGES; j++) {
            random = random * 1664525u + 1013904223u;
            edge[i][j] = (uint16_t)((random >> 12) % NODES);
        }
    for (unsigned i = 0; i < 10; i++)
        sum += search(i * 97);
    printf("%d\n", sum);
    return 0;
}
