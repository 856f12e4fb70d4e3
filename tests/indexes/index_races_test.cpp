// Writers against changes of indexes and tables. --rounds N and --seed S make other rounds.
#include "indexes/race_round.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace basalt::indexes {
namespace {

struct Wanted {
    std::uint64_t rounds = 10;
    std::uint64_t first_seed = 1;
};
Wanted wanted; // by the command line

constexpr std::uint64_t kMostFailures = 5;

TEST(IndexRaces, EveryIndexIsWhatItsTableMakesIt)
{
    const auto begin = std::chrono::steady_clock::now();
    RaceCounts counts;
    std::uint64_t failures = 0;
    for (std::uint64_t i = 0; i < wanted.rounds && failures < kMostFailures; ++i) {
        const auto seed = wanted.first_seed + i;
        if (const auto problem = RaceRound(seed, counts).run(); !problem.empty()) {
            ++failures;
            ADD_FAILURE() << "--rounds 1 --seed " << seed << "\n" << problem;
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(
        "%llu rounds in %.1f s: %llu writes, of which %llu refused and %llu of those throttled, %llu changes of "
        "indexes and tables, %llu of them refused, %llu tables made again, %llu reads of what was just written; %llu "
        "rounds failed\n",
        number(counts.rounds), took.count(), number(counts.writes), number(counts.refused), number(counts.throttled),
        number(counts.changes), number(counts.busy), number(counts.tables), number(counts.own_reads), number(failures));
    // Otherwise the test would look at nothing.
    EXPECT_GT(counts.writes - counts.refused, counts.rounds * 20);
    EXPECT_GT(counts.own_reads, counts.rounds);
    EXPECT_GT(counts.changes - counts.busy, counts.rounds * 2);
}

} // namespace

void parse(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
        if (option == "--rounds") {
            wanted.rounds = value;
        } else if (option == "--seed") {
            wanted.first_seed = value;
        }
    }
}

} // namespace basalt::indexes

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    basalt::indexes::parse(argc, argv);
    return RUN_ALL_TESTS();
}
