#include "linearizability/shared_log.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace basalt::linearizability {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

SharedLog::SharedLog(std::filesystem::path path, const Settings &settings)
    : path_(std::move(path)),
      own_(true)
{
    map(true);
    contents_->settings = settings;
}

SharedLog::SharedLog(std::filesystem::path path)
    : path_(std::move(path)),
      own_(false)
{
    map(false);
}

SharedLog::~SharedLog()
{
    ::munmap(contents_, sizeof(Contents));
    if (own_) {
        std::filesystem::remove(path_);
    }
}

void SharedLog::map(bool create)
{
    const int file = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0600);
    if (file < 0 || (create && ::ftruncate(file, sizeof(Contents)) != 0)) {
        throw std::runtime_error("cannot open " + path_.string());
    }
    void *const address = ::mmap(nullptr, sizeof(Contents), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (address == MAP_FAILED) {
        throw std::runtime_error("cannot map " + path_.string());
    }
    contents_ = create ? new (address) Contents{} : static_cast<Contents *>(address);
}

std::size_t SharedLog::size() const
{
    return std::min<std::size_t>(contents_->used.load(), kMostRecords);
}

void SharedLog::complain(std::string_view what)
{
    if (contents_->complaints.fetch_add(1) == 0) {
        const std::size_t length = std::min(what.size(), contents_->complaint.size() - 1);
        std::memcpy(contents_->complaint.data(), what.data(), length);
    }
}

std::string_view SharedLog::complaint() const
{
    if (contents_->complaints.load() == 0) {
        return {};
    }
    return contents_->complaint[0] == 0 ? "killed while complaining" : contents_->complaint.data();
}

History SharedLog::history(std::uint64_t end)
{
    History history;
    for (std::size_t i = 0; i < size(); ++i) {
        const Record &each = record(i);
        if (each.invoked.load() == 0) {
            continue;
        }
        const bool answered = each.completed.load() != 0;
        const std::uint64_t abandoned = each.abandoned.load();
        Operation &operation = history.emplace_back(answered ? each.observed : each.planned);
        operation.invoked = each.invoked.load();
        operation.completed = answered ? each.completed.load() : (abandoned != 0 ? abandoned : end);
        if (!answered) {
            operation.outcome = Outcome::unknown;
        }
    }
    return history;
}

} // namespace basalt::linearizability
