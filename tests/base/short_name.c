/* Names of C++ cut to columns: what tells them from others stays. */
#include <string.h>

#include "../test.h"
#include "base/short_name.h"

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

TEST(names_keep_what_tells_them_apart)
{
    static const struct {
        const char *name;
        size_t width;
        const char *shown;
    } cases[] = {
        {"main", 4, "main"},
        {"int f(int)", 10, "int f(int)"},
        {"f(" STRING ")", 20, "f(std::string)"},
        {"a::Index<" STRING ", std::less<int> >::sum(int)", 45,
         "a::Index<std::string, std::less<> >::sum(int)"},
        {"a::Index<" STRING ", std::less<int> >::sum(int)", 44, "a::Index<std::string>::sum()"},
        {"a::Index<" STRING ", std::less<int> >::sum(int)", 27, "a::Index<>::sum()"},
        {"a::Index<int, std::less<int> >::sum(int const&) const", 50,
         "a::Index<int, std::less<> >::sum(int const&) const"},
        {"bool std::operator< <char>(int)", 29, "bool std::operator< <char>()"},
        {"std::less<int>::operator()(int, int) const", 33, "std::less<>::operator()() const"},
        {"(anonymous namespace)::f(long long)", 30, "(anonymous namespace)::f()"},
        {"company::storage::Index<" STRING ">::sum() const", 36,
         "...::Index<std::string>::sum() const"},
        {"company::storage::Index<" STRING ">::sum() const", 30, "...::Index<>::sum() const"},
        {"company::storage::Index<int, std::less<int> >::sum() const", 30,
         "...::Index<int>::sum() const"},
        {"company::storage::index::sum()", 17, "...::index::sum()"},
        {"    company::storage::index::sum()", 22, "    ...::index::sum()"},
        {"a_long_name_of_c", 10, "a_long_..."},
        {"a>b)c<d(", 6, "a>b)c<"},
        {"x", 0, "x"},
        {"xyzw", 0, "..."},
    };
    char name[300];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strcpy(name, cases[i].name);
        short_name(name, cases[i].width);
        if (strcmp(name, cases[i].shown) != 0)
            fail_msg("%s in %zu: '%s', not '%s'", cases[i].name, cases[i].width, name,
                     cases[i].shown);
    }
}

/* Never longer than asked for, from three bytes on. */
TEST(any_text_fits)
{
    static const char letters[] = "ab:<>() ,operator";
    uint32_t seed = 1;

    for (unsigned i = 0; i < 20000; i++) {
        char name[64];
        size_t n = 0;
        for (; n < 8 + i % 50; n++) {
            seed = seed * 1664525 + 1013904223;
            name[n] = letters[(seed >> 16) % (sizeof letters - 1)];
        }
        name[n] = '\0';
        const size_t blanks = strspn(name, " "), width = 3 + i % 40;
        short_name(name, width);
        assert_true(strlen(name) <= (width > blanks + 3 ? width : blanks + 3));
    }
}
