// One run of random steps on a database with one or two tables.
#pragma once

#include "indexes/table_run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace basalt::indexes {

struct RunCounts {
    std::uint64_t steps = 0, writes = 0, transactions = 0, index_changes = 0, comparisons = 0, reopenings = 0, lags = 0,
                  tables = 0;
    void add(const RunCounts &other);
};

class PropertyRun {
public:
    /// Everything follows from the seed but how fast indexes are filled.
    PropertyRun(std::uint64_t seed, std::size_t steps);

    /// What went wrong, empty if nothing did.
    [[nodiscard]] std::string run();
    [[nodiscard]] const RunCounts &counts() const { return counts_; }

private:
    struct Settings {
        BackendKind backend = BackendKind::async_files;
        Options options;
        std::size_t tables = 1;
        bool large = false;
        bool many_indexes = false;
    };
    [[nodiscard]] static Settings settings_of(std::uint64_t seed, Random &random);
    [[nodiscard]] std::string describe_settings() const;

    void step();
    void rare_step();
    TableRun &some_table() { return *random_.one_of(tables_); }
    /// Writes to different keys, of one or two tables.
    [[nodiscard]] std::vector<std::pair<TableRun *, Write>> some_writes(std::size_t most, bool batch);
    void write_batch();
    void write_transaction();
    void write_something();
    void lag_behind();
    void lag_a_little();
    void reopen();
    void compare_everything();

    Random random_;
    const Settings settings_;
    const std::uint64_t seed_;
    const std::size_t steps_;
    RunCounts counts_;
    std::unique_ptr<OpenedDatabase> database_;
    std::vector<std::unique_ptr<TableRun>> tables_;
};

} // namespace basalt::indexes
