// The published list of reserved words against the table in the program.
#include "expression/reserved_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace basalt::expression {
namespace {

std::vector<std::string> published_words()
{
    std::ifstream file(BASALT_RESERVED_WORDS_FILE);
    std::vector<std::string> words;
    for (std::string line; std::getline(file, line);) {
        words.push_back(line);
    }
    return words;
}

std::string lower(std::string word)
{
    std::ranges::transform(word, word.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    return word;
}

TEST(ReservedWords, AllPublishedWordsInAnyCase)
{
    const auto words = published_words();
    ASSERT_EQ(words.size(), kReservedWordCount);
    for (const std::string &word : words) {
        EXPECT_TRUE(is_reserved_word(word)) << word;
        EXPECT_TRUE(is_reserved_word(lower(word))) << word;
        std::string mixed = lower(word);
        mixed.front() = word.front();
        EXPECT_TRUE(is_reserved_word(mixed)) << mixed;
        mixed = word;
        mixed.back() = static_cast<char>(mixed.back() | 0x20);
        EXPECT_TRUE(is_reserved_word(mixed)) << mixed;
    }
}

TEST(ReservedWords, NearMissesAreFree)
{
    const auto words = published_words();
    const std::set<std::string> reserved(words.begin(), words.end());
    for (const std::string &word : words) {
        std::vector<std::string> near{
            word + "X", word + "_", "X" + word, word.substr(1), word.substr(0, word.size() - 1), word + " "};
        for (std::size_t i = 0; i < word.size(); ++i) {
            std::string changed = word;
            changed[i] = changed[i] == 'Q' ? 'Z' : 'Q';
            near.push_back(changed);
        }
        for (const std::string &miss : near) {
            EXPECT_EQ(is_reserved_word(miss), reserved.contains(miss)) << miss;
            EXPECT_EQ(is_reserved_word(lower(miss)), reserved.contains(miss)) << lower(miss);
        }
    }
}

TEST(ReservedWords, OtherNames)
{
    const std::vector<std::string_view> names{"",
                                              "a",
                                              "A",
                                              "pk",
                                              "sk",
                                              "metadata",
                                              "id",
                                              "REMOVE",
                                              "[ABORT",
                                              "`ABORT",
                                              "{ABORT",
                                              "CONTAINS",
                                              "zzzzzz",
                                              "ZONES",
                                              "_NAME",
                                              "1NAME",
                                              "@NAME",
                                              "begins_with",
                                              "\xC3\x84RAY",
                                              "ABSOLUTEABSOLUTEABSOLUTE",
                                              std::string_view("KEY\0", 4)};
    for (const std::string_view name : names) {
        EXPECT_FALSE(is_reserved_word(name)) << name;
    }
    EXPECT_FALSE(is_reserved_word(std::string(4096, 'A')));
}

} // namespace
} // namespace basalt::expression
