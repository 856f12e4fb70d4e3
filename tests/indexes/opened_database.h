// Databases for the tests of indexes, over each backend, with a clock that the test may move.
#pragma once

#include "basalt/database.h"
#include "base/clock.h"
#include "contract/backends.h"

#include <cstdint>
#include <memory>
#include <string>

namespace basalt::indexes {

enum class BackendKind : std::uint8_t { async_files, synced_files, memory, toy };
[[nodiscard]] std::string to_text(BackendKind kind);

class OpenedDatabase {
public:
    /// With a transition the clock stands still but for advance_ms().
    OpenedDatabase(BackendKind backend, Options options);

    [[nodiscard]] Database &operator*() { return *database_; }
    [[nodiscard]] Database *operator->() { return database_.get(); }
    /// What was written is there after reopen().
    [[nodiscard]] bool persists() const;
    void reopen();
    [[nodiscard]] bool has_manual_clock() const { return options_.table_transition_ms > 0; }
    [[nodiscard]] std::int64_t transition_ms() const { return options_.table_transition_ms; }
    void advance_ms(std::int64_t by_ms) { clock_->advance_ms(by_ms); }

private:
    void open();

    const BackendKind backend_;
    const Options options_;
    storage::TemporaryDirectory directory_;
    std::shared_ptr<ManualClock> clock_;
    std::unique_ptr<Database> database_;
};

} // namespace basalt::indexes
