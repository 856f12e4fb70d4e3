// The history while it is made: a file mapped by the program whose threads are the clients and by the test that kills
// it, so that it survives the program.
#pragma once

#include "linearizability/history.h"

#include <atomic>
#include <filesystem>
#include <string_view>

namespace basalt::linearizability {

/// How one history is made. Everything follows from the seed, except for what the threads' timing decides.
struct Settings {
    std::uint64_t seed = 0;
    std::uint32_t clients = 4;
    std::uint32_t operations = 20; // of each client between two crashes
    std::uint32_t items = 3;
    bool transactions = false;
    bool async = false;      // durability
    bool journalled = false; // what a power cut would leave is written down
    std::uint32_t padding_bytes = 0;
    std::uint64_t memtable_bytes = 0;
    std::uint32_t sync_us = 0;  // a sync takes at least this
    std::uint32_t pause_us = 0; // between reads of one body, and between its end and the commit, sometimes
    std::uint32_t lock_stripes = 4096;
    std::uint32_t lock_patience_ms = 1000;
};

/// One operation. Written by its client alone, until that is dead.
struct Record {
    std::atomic<std::uint64_t> invoked;   // 0: not yet
    std::atomic<std::uint64_t> completed; // 0: no reply
    std::atomic<std::uint64_t> abandoned; // when it was clear that no reply would come; 0: not
    Operation planned;
    Operation observed; // once completed
};

class SharedLog {
public:
    /// A new file, which is deleted with this.
    explicit SharedLog(std::filesystem::path path, const Settings &settings);
    /// The file of somebody else.
    explicit SharedLog(std::filesystem::path path);
    ~SharedLog();
    SharedLog(const SharedLog &) = delete;
    SharedLog &operator=(const SharedLog &) = delete;

    [[nodiscard]] const std::filesystem::path &path() const { return path_; }
    [[nodiscard]] const Settings &settings() const { return contents_->settings; }

    /// The next moment of the clock.
    std::uint64_t tick() { return contents_->clock.fetch_add(1) + 1; }
    [[nodiscard]] std::uint64_t now() const { return contents_->clock.load(); }

    [[nodiscard]] bool is_full() const { return contents_->used.load() >= kMostRecords; }
    /// A new record; it must not be full.
    std::size_t add() { return contents_->used.fetch_add(1); }
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] Record &record(std::size_t number) { return contents_->records[number]; }

    /// A version of the item that somebody has seen or written; what conditions name.
    [[nodiscard]] std::atomic<std::uint32_t> &recent(std::size_t item) { return contents_->recent[item]; }

    /// For the text of the test's failure: a reply that makes no sense, or whatever else went wrong. The first one
    /// counts.
    void complain(std::string_view what);
    [[nodiscard]] std::string_view complaint() const;

    /// Everything up to now; call it when nobody writes. Open records count as unknown until `end`.
    [[nodiscard]] History history(std::uint64_t end);

private:
    static constexpr std::size_t kMostRecords = 4096;
    struct Contents {
        Settings settings;
        std::atomic<std::uint64_t> clock;
        std::atomic<std::uint32_t> used;
        std::array<std::atomic<std::uint32_t>, kMostItems> recent;
        std::atomic<std::uint32_t> complaints;
        std::array<char, 4096> complaint;
        std::array<Record, kMostRecords> records;
    };

    void map(bool create);

    const std::filesystem::path path_;
    const bool own_;
    Contents *contents_ = nullptr;
};

} // namespace basalt::linearizability
