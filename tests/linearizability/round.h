// One history from beginning to end: a program with the clients, killed and started again, and what the checkers say.
#pragma once

#include "linearizability/history.h"
#include "linearizability/shared_log.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace basalt::linearizability {

enum class Crash : std::uint8_t { none, kill, power_cut };

struct Round {
    Settings settings;
    Crash crash = Crash::none;
    std::uint32_t crashes = 0; // at most; the program may be faster
};

/// Everything follows from the seed.
[[nodiscard]] Round plan_round(std::uint64_t seed);
[[nodiscard]] std::string to_text(const Round &round);

struct RoundResult {
    History history;
    std::uint32_t crashes = 0;
    /// Empty if all is well: else what the clients complained of, or the evidence of a checker.
    std::string problem;
    std::uint64_t steps = 0;    // of the checkers
    std::filesystem::path kept; // with a problem: the directory of the database and all else
};

/// Runs in a new directory under `place`, which is gone afterwards if all is well.
[[nodiscard]] RoundResult run_round(const Round &round, const std::filesystem::path &program,
                                    const std::filesystem::path &place);

/// The evidence against a history; empty if it is sound.
[[nodiscard]] std::string judge(const History &history, std::uint64_t &steps);

} // namespace basalt::linearizability
