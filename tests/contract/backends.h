// The backends under test, and the fixture that opens one in a fresh directory.
#pragma once

#include "storage/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace basalt::storage {

struct Backend {
    std::string name;
    /// Opens the store of a directory, or a new one if the backend keeps nothing.
    std::function<std::unique_ptr<Store>(const std::filesystem::path &)> open;
    /// What was durable is there after close and open.
    bool persistent = false;
};

/// RocksDB on disk, with the log synced and with it only written, RocksDB in memory, and the toy.
[[nodiscard]] std::vector<Backend> all_backends();
[[nodiscard]] std::string backend_name(const testing::TestParamInfo<Backend> &info);

/// A directory that is gone after the test.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory &) = delete;
    TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
    /// Does not exist yet.
    [[nodiscard]] std::filesystem::path path() const { return parent_ / "data"; }

private:
    std::filesystem::path parent_;
};

/// Opens the backend before the test.
class StoreContract : public testing::TestWithParam<Backend> {
protected:
    void SetUp() override { reopen(); }
    /// Closes the store, if open, and opens it again.
    void reopen();

    TemporaryDirectory directory_;
    std::unique_ptr<Store> store_;
};

} // namespace basalt::storage
