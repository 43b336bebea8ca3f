// Names that no terminal has room for: templates of the standard library, a member of a template of its own, threads that
// share lines.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <pthread.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace telemetry::processing::pipeline {
template <typename Key, typename Value, typename Compare = std::less<Key>> class OrderedAggregationStage {
public:
    __attribute__((noinline)) void accumulate(const Key &key, const Value &value)
    {
        totals_[key] += value;
    }
    __attribute__((noinline)) long reduce(const std::function<long(const std::pair<const Key, Value> &)> &of) const
    {
        long sum = 0;
        for (const auto &row : totals_)
            sum += of(row);
        return sum;
    }

private:
    std::map<Key, Value, Compare> totals_;
};

struct CountersSharedByTheThreadsOfThePipeline {
    volatile long of_each_thread[2];
};
CountersSharedByTheThreadsOfThePipeline counters_shared_by_the_threads_of_the_pipeline;

template <int Index> void *thread_that_increments_its_own_counter(void *)
{
    for (int i = 0; i < 500; i++)
        counters_shared_by_the_threads_of_the_pipeline.of_each_thread[Index]++;
    return nullptr;
}
} // namespace telemetry::processing::pipeline

int main()
{
    using namespace telemetry::processing::pipeline;
    OrderedAggregationStage<std::string, long, std::greater<std::string>> stage;
    std::unordered_map<std::string, std::vector<std::pair<int, std::string>>> index;
    std::vector<std::string> names;
    pthread_t threads[2];

    for (int i = 0; i < 500; i++) {
        stage.accumulate("key" + std::to_string(i * 7919 % 499), i);
        index["k" + std::to_string(i % 31)].emplace_back(i, "v");
    }
    for (auto &entry : index)
        for (auto &pair : entry.second)
            names.push_back(entry.first + pair.second + std::to_string(pair.first));
    std::sort(names.begin(), names.end(), [](const std::string &a, const std::string &b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    pthread_create(&threads[0], nullptr, thread_that_increments_its_own_counter<0>, nullptr);
    pthread_create(&threads[1], nullptr, thread_that_increments_its_own_counter<1>, nullptr);
    for (auto thread : threads)
        pthread_join(thread, nullptr);
    std::printf("%ld %s\n", stage.reduce([](const auto &row) { return row.second + (long)row.first.size(); }), names.back().c_str());
}
