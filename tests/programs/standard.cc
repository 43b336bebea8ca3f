/* What programs of C++ do: containers, strings, exceptions, virtual functions, a loop that a compiler vectorises. */
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct shape {
    virtual ~shape() = default;
    virtual unsigned size() const = 0;
};

struct square : shape {
    explicit square(unsigned side) : side(side) {}
    unsigned size() const override { return side * side; }
    unsigned side;
};

unsigned caught(unsigned times)
{
    unsigned n = 0;
    for (unsigned i = 0; i < times; i++)
        try {
            throw std::out_of_range("wanted");
        } catch (const std::exception &) {
            n++;
        }
    return n;
}

} // namespace

__attribute__((noinline)) unsigned sum_of_squares(const std::vector<unsigned> &values)
{
    unsigned sum = 0;
    for (const unsigned value : values)
        sum += value * value;
    return sum;
}

int main()
{
    std::map<std::string, unsigned> words;
    for (unsigned i = 0; i < 2000; i++)
        words[std::to_string(i * 7 % 997)]++;
    std::vector<std::string> sorted{"b", std::string(12, 'a'), "cc"};
    std::sort(sorted.begin(), sorted.end());
    std::vector<unsigned> values(1000);
    for (unsigned i = 0; i < values.size(); i++)
        values[i] = i;
    const std::unique_ptr<shape> one(new square(1));
    unsigned total = 0;
    for (unsigned round = 0; round < 50; round++)
        total = sum_of_squares(values) * one->size();
    std::printf("words %zu longest %s caught %u total %u\n", words.size(), sorted[0].c_str(), caught(3), total);
    return 0;
}
