// Random writes and index changes, and whether every global index is what its table makes it. --runs N, --steps N and
// --seed S make other runs; the seeds S, S+1, ... each say everything about one run.
#include "indexes/property_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace basalt::indexes {
namespace {

struct Wanted {
    std::uint64_t runs = 8;
    std::uint64_t steps = 500;
    std::uint64_t first_seed = 1;
};
Wanted wanted; // by the command line

constexpr std::uint64_t kMostFailures = 5;

TEST(IndexProperties, EveryIndexIsWhatItsTableMakesIt)
{
    const auto begin = std::chrono::steady_clock::now();
    RunCounts counts;
    std::uint64_t failures = 0;
    std::uint64_t run = 0;
    for (; run < wanted.runs && failures < kMostFailures; ++run) {
        const auto seed = wanted.first_seed + run;
        PropertyRun property(seed, wanted.steps);
        if (const auto problem = property.run(); !problem.empty()) {
            ++failures;
            ADD_FAILURE() << "--runs 1 --steps " << wanted.steps << " --seed " << seed << "\n" << problem;
        }
        counts.add(property.counts());
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("%llu runs, %llu steps in %.1f s: %llu writes, %llu transactions, %llu index changes, %llu tables made "
                "again, %llu whole comparisons, %llu reopenings, %llu lags; %llu runs failed\n",
                number(run), number(counts.steps), took.count(), number(counts.writes), number(counts.transactions),
                number(counts.index_changes), number(counts.tables), number(counts.comparisons),
                number(counts.reopenings), number(counts.lags), number(failures));
    // Otherwise the test would look at nothing.
    EXPECT_GE(counts.comparisons, run);
    EXPECT_GT(counts.index_changes, counts.steps / 100);
}

} // namespace

void parse(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
        if (option == "--runs") {
            wanted.runs = value;
        } else if (option == "--steps") {
            wanted.steps = value;
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
