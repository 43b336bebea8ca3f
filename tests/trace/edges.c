/* Every edge is found again among any others. */
#include "../test.h"
#include "trace/edges.h"

TEST(each_edge_is_one)
{
    enum { PATHS = 3, FROM = 50, TO = 40 };
    struct edges edges = {0};

    for (unsigned turn = 1; turn <= 2; turn++)
        for (uint32_t path = 0; path < PATHS; path++)
            for (uint64_t from = 0; from < FROM; from++)
                for (uint64_t to = 0; to < TO; to++) {
                    struct armpmu_profile_edge *const edge =
                        edges_find(&edges, path, 0x10000 + 4 * from, 0x10000 + 4 * to);
                    assert_non_null(edge);
                    assert_int_equal(++edge->n, turn);
                    assert_int_equal(edge->path, path);
                    assert_int_equal(edge->from, 0x10000 + 4 * from);
                    assert_int_equal(edge->to, 0x10000 + 4 * to);
                }
    assert_int_equal(edges.n, PATHS * FROM * TO);
    edges_free(&edges);
    assert_null(edges.at);
}
