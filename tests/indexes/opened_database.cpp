#include "indexes/opened_database.h"

#include "base/random.h"
#include "contract/toy_store.h"
#include "database_parts.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <stdexcept>
#include <utility>

namespace basalt::indexes {
namespace {

/// Small enough for a few thousand writes to make several files.
constexpr std::size_t kMemtableBytes = std::size_t{256} << 10;

class SharedClock final : public Clock {
public:
    explicit SharedClock(std::shared_ptr<Clock> clock)
        : clock_(std::move(clock))
    {}
    [[nodiscard]] std::int64_t now_ms() const override { return clock_->now_ms(); }

private:
    const std::shared_ptr<Clock> clock_;
};

template <typename T>
T opened(Result<T> result)
{
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return std::move(*result);
}

std::unique_ptr<storage::Store> open_store(BackendKind backend, const std::filesystem::path &path)
{
    if (backend == BackendKind::toy) {
        return storage::make_toy_store();
    }
    storage::RocksdbOptions options;
    options.data_dir = path;
    options.in_memory = backend == BackendKind::memory;
    options.log_sync = backend == BackendKind::synced_files ? storage::LogSync::sync : storage::LogSync::async;
    options.memtable_bytes = kMemtableBytes;
    options.memory_budget_bytes = std::size_t{8} << 20;
    options.free_space_floor_bytes = 0;
    return opened(storage::open_rocksdb(options));
}

} // namespace

std::string to_text(BackendKind kind)
{
    switch (kind) {
    case BackendKind::async_files:
        return "files";
    case BackendKind::synced_files:
        return "synced files";
    case BackendKind::memory:
        return "memory";
    case BackendKind::toy:
        break;
    }
    return "toy";
}

OpenedDatabase::OpenedDatabase(BackendKind backend, Options options)
    : backend_(backend),
      options_(std::move(options)),
      clock_(std::make_shared<ManualClock>(SystemClock().now_ms()))
{
    open();
}

bool OpenedDatabase::persists() const
{
    return backend_ == BackendKind::async_files || backend_ == BackendKind::synced_files;
}

void OpenedDatabase::reopen()
{
    database_->close();
    database_.reset();
    open();
}

void OpenedDatabase::open()
{
    std::unique_ptr<Clock> clock = std::make_unique<SystemClock>();
    if (has_manual_clock()) {
        clock = std::make_unique<SharedClock>(clock_);
    }
    database_ = opened(open_over(
        options_, {open_store(backend_, directory_.path()), std::move(clock), std::make_unique<SystemRandom>()}));
}

} // namespace basalt::indexes
