// Histories of concurrent clients, a third of them killed on the way and a third with power cuts. --histories N and
// --seed S make other ones; seeds S, S+1, ... each say everything about one history but the timing of its threads.
#include "linearizability/round.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace basalt::linearizability {
namespace {

namespace fs = std::filesystem;

struct Wanted {
    std::uint64_t histories = 45;
    std::uint64_t first_seed = 1;
};
Wanted wanted; // by the command line

constexpr std::uint64_t kMostFailures = 5;

struct Totals {
    std::uint64_t histories = 0, with_kills = 0, with_power_cuts = 0, crashes = 0, failures = 0;
    std::uint64_t operations = 0, transactions = 0, unknown = 0, failed_conditions = 0, refused = 0, steps = 0;

    void add(const Round &round, const RoundResult &result)
    {
        ++histories;
        with_kills += round.crash == Crash::kill && result.crashes > 0 ? 1 : 0;
        with_power_cuts += round.crash == Crash::power_cut && result.crashes > 0 ? 1 : 0;
        crashes += result.crashes;
        steps += result.steps;
        for (const Operation &operation : result.history) {
            ++operations;
            transactions += operation.kind == Kind::transact_get || operation.kind == Kind::transact_write ? 1 : 0;
            unknown += operation.outcome == Outcome::unknown ? 1 : 0;
            failed_conditions += operation.outcome == Outcome::condition_failed ? 1 : 0;
            refused += operation.outcome == Outcome::refused ? 1 : 0;
        }
    }
};

std::string kept_history(const Round &round, const RoundResult &result)
{
    const fs::path path = result.kept / "history.txt";
    std::ofstream(path) << to_text(round) << "\n" << to_text(result.history);
    return path.string();
}

TEST(Histories, HaveAnOrder)
{
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "history_program";
    const auto begin = std::chrono::steady_clock::now();
    Totals totals;
    for (std::uint64_t i = 0; i < wanted.histories && totals.failures < kMostFailures; ++i) {
        const Round round = plan_round(wanted.first_seed + i);
        const RoundResult result = run_round(round, program, fs::temp_directory_path());
        totals.add(round, result);
        if (!result.problem.empty()) {
            ++totals.failures;
            ADD_FAILURE() << "--histories 1 --seed " << round.settings.seed << "\n"
                          << to_text(round) << "\n"
                          << result.problem << "\nwhole history: " << kept_history(round, result);
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf(
        "seeds %llu..%llu: %llu histories in %.1f s, %llu across kills, %llu across power cuts, %llu crashes, "
        "%llu failed\n%llu operations: %llu transactions, %llu with failed conditions, %llu refused, %llu of "
        "unknown outcome; %llu steps of the checkers\n",
        static_cast<unsigned long long>(wanted.first_seed),
        static_cast<unsigned long long>(wanted.first_seed + totals.histories - 1),
        static_cast<unsigned long long>(totals.histories), took.count(),
        static_cast<unsigned long long>(totals.with_kills), static_cast<unsigned long long>(totals.with_power_cuts),
        static_cast<unsigned long long>(totals.crashes), static_cast<unsigned long long>(totals.failures),
        static_cast<unsigned long long>(totals.operations), static_cast<unsigned long long>(totals.transactions),
        static_cast<unsigned long long>(totals.failed_conditions), static_cast<unsigned long long>(totals.refused),
        static_cast<unsigned long long>(totals.unknown), static_cast<unsigned long long>(totals.steps));
    // Otherwise the test would look at nothing.
    EXPECT_GT(totals.operations, totals.histories * 20);
}

} // namespace

void parse(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
        if (option == "--histories") {
            wanted.histories = value;
        } else if (option == "--seed") {
            wanted.first_seed = value;
        }
    }
}

} // namespace basalt::linearizability

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    basalt::linearizability::parse(argc, argv);
    return RUN_ALL_TESTS();
}
