// One round of writers on a table whose indexes come and go and which is deleted and made again.
#pragma once

#include "indexes/opened_database.h"
#include "indexes/writes.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace basalt::indexes {

struct RaceCounts {
    std::atomic<std::uint64_t> writes = 0, refused = 0, throttled = 0, own_reads = 0;
    std::uint64_t rounds = 0, changes = 0, busy = 0, tables = 0;
};

class RaceRound {
public:
    /// The seed says what everybody asks for, and the threads' timing the rest.
    RaceRound(std::uint64_t seed, RaceCounts &counts);
    /// What went wrong first; empty if nothing did.
    [[nodiscard]] std::string run();

private:
    struct Settings {
        BackendKind backend = BackendKind::memory;
        Options options;
        std::size_t writers = 4;
    };
    [[nodiscard]] static Settings settings_of(std::uint64_t seed, Random &random);

    void write(std::size_t writer, std::uint64_t seed);
    void write_once(Random &random);
    /// Puts an item that nobody else writes, and sees it in an index at once.
    void write_own(std::size_t writer, std::uint64_t version);
    [[nodiscard]] IndexShape some_index(const std::string &name);
    void change_tables();
    void change_index();
    void recreate_table();
    void create_table();
    void await_active();
    void compare();

    void judge_write(const std::string &operation, const Json &request);
    void fail(const std::string &problem);
    [[nodiscard]] bool failed() const { return failed_.load(); }

    Random random_;
    const Settings settings_;
    RaceCounts &counts_;
    OpenedDatabase database_;
    TableShape shape_; // the main thread's
    std::uint64_t changes_ = 0;
    /// Odd while there may be no table; another number for each table.
    std::atomic<std::uint64_t> table_number_ = 1;
    std::atomic<bool> stop_ = false;
    std::atomic<bool> failed_ = false;
    std::mutex mutex_;
    std::string problem_;
};

} // namespace basalt::indexes
