// A database whose files fail when a test wants it, and requests to it in short form.
#pragma once

#include "basalt/database.h"
#include "contract/backends.h"
#include "contract/fault_files.h"
#include "contract/fault_witness.h"
#include "database_parts.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace basalt {

/// Gathers one response.
class LateResponse final : public Completion {
public:
    void complete(Response response) noexcept override;
    Response wait();
    [[nodiscard]] bool answered() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable told_;
    std::optional<Response> response_;
};

class FaultyDatabase : public testing::Test {
protected:
    FaultyDatabase();
    ~FaultyDatabase() override;

    /// Opens the database over `options_` and `files_`.
    void open();
    /// Opens the store again for the database. Tests replace what it does.
    DatabaseParts::OpenStore open_again_;

    Response call(std::string_view operation, const std::string &body);
    void call_later(std::string_view operation, const std::string &body, LateResponse &response);

    int create_table(const std::string &name);
    /// The status. The item is {id, value, pad}, and pad repeats the value to the given length.
    int put(const std::string &id, const std::string &value, std::size_t pad = 0);
    /// The item's value; nothing: there is no item. Fails the test when the item is not whole or the answer no 200.
    std::optional<std::string> get(const std::string &id);
    /// The status of a put that is made again until it is 200, for half a minute at most.
    int put_until_served(const std::string &id, const std::string &value);

    FaultWitness witness_; // outlives the database
    storage::TemporaryDirectory directory_;
    std::shared_ptr<storage::FaultFiles> files_ = std::make_shared<storage::FaultFiles>();
    storage::RocksdbOptions options_;
    std::unique_ptr<Database> database_;
};

} // namespace basalt
