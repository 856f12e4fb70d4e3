// What many connections do at once in the load test, and what the answers must be: each connection has a partition of
// its own, of which it knows every item, and all share a counter, accounts whose sum stays, and a lock item.
#pragma once

#include <nlohmann/json.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt::linearizability {

struct LoadRequest {
    std::string operation; // "PutItem"
    nlohmann::json body;
};

/// What all connections share. Used by the one thread that drives them.
struct SharedState {
    static constexpr int kAccounts = 6;
    static constexpr int kBalance = 1000; // of each account at the beginning

    std::int64_t counted = 0; // increments that were answered
    std::int64_t open_increments = 0;
    std::set<std::int64_t> shown; // what increments showed; each number once
    int transfers = 0;            // that were made
    /// Who has the lock item: from the answer to its put until it sends its delete.
    std::optional<std::size_t> holder;
    /// From now on connections may break and InternalServerError is allowed: its request was made or was not.
    std::atomic<bool> stopping = false;
};

/// One connection's part.
class LoadModel {
public:
    /// A connection with `tables` also creates and deletes a table all the time. `shared` must outlive this.
    LoadModel(SharedState &shared, std::size_t number, std::uint64_t seed, bool tables);

    /// Sent once before everything else.
    [[nodiscard]] static std::vector<LoadRequest> preparations();

    [[nodiscard]] LoadRequest next();
    /// Reports what is wrong with the answer to the last request as failures of the test.
    void answered(int status, std::string_view body);

    /// Whether the connection's items are what it wrote; those of a request without an answer as before it or after.
    void check(const std::function<nlohmann::json(const LoadRequest &)> &call) const;

private:
    using Json = nlohmann::json;
    using Items = std::map<int, std::int64_t>; // sort key and n

    [[nodiscard]] int below(int bound);
    [[nodiscard]] Json own_key(int sort) const;
    [[nodiscard]] Json own_item(int sort, std::int64_t n) const;
    [[nodiscard]] Json whole_item(const Items &items, int sort) const;
    [[nodiscard]] Items shown_items(const Json &items) const;

    [[nodiscard]] LoadRequest own_write();
    [[nodiscard]] LoadRequest own_update();
    [[nodiscard]] LoadRequest own_batch();
    [[nodiscard]] LoadRequest own_transaction();
    [[nodiscard]] LoadRequest own_read();
    [[nodiscard]] LoadRequest own_query();
    [[nodiscard]] LoadRequest scan();
    [[nodiscard]] LoadRequest increment();
    [[nodiscard]] LoadRequest transfer();
    [[nodiscard]] LoadRequest audit();
    [[nodiscard]] LoadRequest lock_or_unlock();
    [[nodiscard]] LoadRequest change_table();

    SharedState &shared_;
    const std::size_t number_;
    const bool tables_;
    const std::string partition_;
    std::mt19937_64 random_;
    Items items_;
    std::optional<Items> after_; // once the request under way is made
    std::function<void(const Json &)> expect_;
    std::set<std::string> refusals_; // what may be answered instead
    int table_step_ = 0;
};

/// Whether accounts and counter are what all connections' answers add up to.
void check_shared(const SharedState &shared, const std::function<nlohmann::json(const LoadRequest &)> &call);

} // namespace basalt::linearizability
