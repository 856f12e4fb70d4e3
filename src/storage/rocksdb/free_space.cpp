// The free space floor.
#include "storage/rocksdb/free_space.h"

#include "base/log.h"
#include "base/metrics.h"

#include <rocksdb/file_system.h>

#include <chrono>

namespace basalt::storage {
namespace {

// At a gigabyte a second of log this is 20 MB, well below the default floor.
constexpr std::int64_t kLookEveryUs = 20'000;

Gauge writes_refused("basalt_writes_refused", "1 while writes are refused for lack of free space, else 0.");

} // namespace

FreeSpace::FreeSpace(std::shared_ptr<::rocksdb::FileSystem> file_system, std::string directory,
                     std::uint64_t floor_bytes)
    : file_system_(std::move(file_system)),
      directory_(std::move(directory)),
      floor_bytes_(floor_bytes)
{}

bool FreeSpace::enough()
{
    if (floor_bytes_ == 0) {
        return true;
    }
    using namespace std::chrono;
    const std::int64_t now_us = duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
    std::int64_t due = next_look_us_.load(std::memory_order_relaxed);
    if (now_us >= due && next_look_us_.compare_exchange_strong(due, now_us + kLookEveryUs)) {
        look();
    }
    return enough_.load(std::memory_order_relaxed);
}

bool FreeSpace::room_for(std::uint64_t bytes) const
{
    std::uint64_t free_bytes = 0;
    return !file_system_->GetFreeSpace(directory_, ::rocksdb::IOOptions(), &free_bytes, nullptr).ok() ||
           free_bytes >= bytes;
}

void FreeSpace::look()
{
    std::uint64_t free_bytes = 0;
    const bool answered = file_system_->GetFreeSpace(directory_, ::rocksdb::IOOptions(), &free_bytes, nullptr).ok();
    const bool enough = !answered || free_bytes >= floor_bytes_;
    if (enough_.exchange(enough) != enough) {
        writes_refused.set(enough ? 0 : 1);
        if (enough) {
            spdlog::warn("'{}' has free space again: writes are accepted", directory_);
        } else {
            spdlog::error("'{}' has only {} bytes of free space, fewer than {}: writes are refused", directory_,
                          free_bytes, floor_bytes_);
        }
    }
}

} // namespace basalt::storage
