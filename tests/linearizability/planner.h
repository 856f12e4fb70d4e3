// Which operation a client does next.
#pragma once

#include "linearizability/shared_log.h"

#include <random>

namespace basalt::linearizability {

class Planner {
public:
    /// The log must outlive this.
    Planner(SharedLog &log, std::uint32_t client, std::uint64_t seed);

    /// The operation for the record of this number, whose versions are named after it.
    [[nodiscard]] Operation next(std::size_t record);
    /// Reads everything at one moment, or item by item where there are no transactions.
    [[nodiscard]] std::vector<Operation> read_all() const;

private:
    [[nodiscard]] std::uint32_t below(std::uint32_t bound);
    [[nodiscard]] bool chance(std::uint32_t percent) { return below(100) < percent; }
    [[nodiscard]] Operation plain(Kind kind) const;
    [[nodiscard]] Operation single_write(std::size_t record);
    [[nodiscard]] Operation transact_write(std::size_t record);
    [[nodiscard]] Operation batch_write(std::size_t record);
    [[nodiscard]] Operation several_reads(Kind kind);
    [[nodiscard]] Operation query(Kind kind) const;
    void set_condition(Access &access, std::uint32_t percent);
    void choose_items(Operation &operation, std::size_t least);

    SharedLog &log_;
    const std::uint32_t client_;
    std::mt19937_64 random_;
};

/// For each version the number of the record that writes it.
[[nodiscard]] std::uint32_t version_name(std::size_t record, std::size_t access);

} // namespace basalt::linearizability
