// The toy backend.
#include "contract/toy_store.h"

#include "base/check.h"

#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace basalt::storage {
namespace {

using RowId = std::tuple<KeyspaceId, std::uint64_t, std::string, std::string, std::string>;
using Rows = std::map<RowId, std::string>;

RowId row_id(KeyspaceId keyspace, const Key &key)
{
    return {keyspace, key.hash, std::string(key.partition), std::string(key.sort), std::string(key.tail)};
}

bool inside(KeyspaceId keyspace, const Range &range, const RowId &id)
{
    const auto &[of, hash, partition, sort, tail] = id;
    if (of != keyspace || hash < range.first_hash || hash > range.last_hash) {
        return false;
    }
    if (range.partition && partition != *range.partition) {
        return false;
    }
    if (range.sort_prefix) {
        if (!std::string_view(sort).starts_with(*range.sort_prefix)) {
            return false;
        }
    } else {
        if (range.lower && (range.lower->inclusive ? sort < range.lower->sort : sort <= range.lower->sort)) {
            return false;
        }
        if (range.upper && (range.upper->inclusive ? sort > range.upper->sort : sort >= range.upper->sort)) {
            return false;
        }
    }
    if (!range.after) {
        return true;
    }
    const RowId after = row_id(keyspace, *range.after);
    return range.backward ? id < after : id > after;
}

struct State {
    Rows rows;
    std::uint32_t next_keyspace = 1;
    std::set<KeyspaceId> dropped;
    std::uint64_t commits = 0;
    std::map<KeyspaceId, std::map<LogPosition, std::string>> logs;
};

/// One run of a body.
class Body final : public Mutation {
public:
    Body(State &state, bool refuse)
        : state_(state),
          refuse_(refuse)
    {}

    Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key) override
    {
        if (refuse_) {
            return refused();
        }
        return find(keyspace, key);
    }

    Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys, std::span<std::optional<Bytes>> out) override
    {
        BASALT_CHECK(keys.size() == out.size());
        if (refuse_) {
            return refused();
        }
        for (std::size_t i = 0; i < keys.size(); ++i) {
            out[i] = find(keyspace, keys[i]);
        }
        return {};
    }

    Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row) override
    {
        if (refuse_) {
            return refused();
        }
        std::vector<Rows::const_iterator> found;
        for (auto at = state_.rows.begin(); at != state_.rows.end(); ++at) {
            if (inside(keyspace, range, at->first)) {
                found.push_back(at);
            }
        }
        if (range.backward) {
            found = {found.rbegin(), found.rend()};
        }
        for (const auto &at : found) {
            const auto raw_key = std::make_unique<std::string>(std::get<2>(at->first) + '/' + std::get<3>(at->first));
            const auto value = std::make_unique<std::string>(at->second);
            if (!row(Row{*raw_key, *value})) {
                return false;
            }
        }
        return true;
    }

    Result<bool> read_log(KeyspaceId log, LogPosition after, function_ref<bool(LogPosition, Bytes)> record) override
    {
        if (refuse_) {
            return refused();
        }
        const auto &records = state_.logs[log];
        for (auto at = records.upper_bound(after); at != records.end(); ++at) {
            const auto bytes = std::make_unique<std::string>(at->second);
            if (!record(at->first, *bytes)) {
                return false;
            }
        }
        return true;
    }

    void append(KeyspaceId log, Bytes record) override { records_.emplace_back(log, record); }
    void trim_log(KeyspaceId log, LogPosition after, LogPosition last) override
    {
        trims_.push_back({log, after, last});
    }
    void put(KeyspaceId keyspace, const Key &key, Bytes value) override
    {
        writes_[row_id(keyspace, key)] = std::string(value);
    }
    void remove(KeyspaceId keyspace, const Key &key) override { writes_[row_id(keyspace, key)] = std::nullopt; }
    Result<KeyspaceId> create_keyspace(KeyspaceKind kind) override
    {
        return make_keyspace_id(kind, state_.next_keyspace++);
    }
    void drop_keyspace(KeyspaceId keyspace) override { dropped_.insert(keyspace); }

    [[nodiscard]] bool was_refused() const { return refuse_; }

    /// The position of the last record.
    LogPosition commit()
    {
        for (auto &[id, value] : writes_) {
            if (value) {
                state_.rows[id] = std::move(*value);
            } else {
                state_.rows.erase(id);
            }
        }
        state_.dropped.insert(dropped_.begin(), dropped_.end());
        for (const auto &[log, after, last] : trims_) {
            auto &records = state_.logs[log];
            records.erase(records.upper_bound(after), records.upper_bound(last));
        }
        LogPosition position{++state_.commits, 0};
        for (auto &[log, record] : records_) {
            state_.logs[log][position] = std::move(record);
            ++position.ordinal;
        }
        return records_.empty() ? LogPosition() : LogPosition{position.commit, position.ordinal - 1};
    }

private:
    static Unexpected refused() { return fail(ErrorCode::would_block, {}); }
    std::optional<Bytes> find(KeyspaceId keyspace, const Key &key)
    {
        const auto at = state_.rows.find(row_id(keyspace, key));
        return at == state_.rows.end() ? std::nullopt : std::optional<Bytes>(kept_.emplace_back(at->second));
    }

    State &state_;
    const bool refuse_;
    std::map<RowId, std::optional<std::string>> writes_;
    std::set<KeyspaceId> dropped_;
    struct Trim {
        KeyspaceId log;
        LogPosition after;
        LogPosition last;
    };
    std::vector<std::pair<KeyspaceId, std::string>> records_;
    std::vector<Trim> trims_;
    std::deque<std::string> kept_; // until the body has returned
};

class ToyStore final : public Store {
public:
    Outcome read(Wait wait, View /*view*/, Consistency /*consistency*/,
                 function_ref<Result<void>(Reader &)> body) override
    {
        const std::lock_guard lock(mutex_);
        if (closed_) {
            return {closed_error(), {}};
        }
        const bool refuse = refuse_now(wait);
        {
            Body discarded(state_, refuse);
            static_cast<void>(body(discarded));
        }
        Body run(state_, refuse);
        Result<void> result = body(run);
        if (run.was_refused()) {
            return {fail(ErrorCode::would_block, {}), {}};
        }
        return {std::move(result), {}};
    }

    Outcome mutate(Wait wait, std::span<const LockKey> /*locks*/, function_ref<Result<void>(Mutation &)> body) override
    {
        const std::lock_guard lock(mutex_);
        if (closed_) {
            return {closed_error(), {}};
        }
        const bool refuse = refuse_now(wait);
        {
            Body discarded(state_, refuse);
            static_cast<void>(body(discarded));
        }
        Body run(state_, refuse);
        Result<void> result = body(run);
        if (run.was_refused()) {
            return {fail(ErrorCode::would_block, {}), {}};
        }
        LogPosition appended;
        if (result) {
            appended = run.commit();
        }
        return {std::move(result), {}, 0, appended};
    }

    [[nodiscard]] Durability durability(Ticket /*ticket*/) const override { return Durability::durable; }
    void when_durable(Ticket /*ticket*/, Waiter &waiter) override { waiter.ready({}); }

    void reclaim(KeyspaceId keyspace) override
    {
        const std::lock_guard lock(mutex_);
        if (state_.dropped.erase(keyspace) != 0) {
            std::erase_if(state_.rows, [&](const auto &row) { return std::get<0>(row.first) == keyspace; });
            state_.logs.erase(keyspace);
        }
    }

    void close() override
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }

private:
    static Unexpected closed_error() { return fail(ErrorCode::internal_server_error, "Internal server error"); }
    bool refuse_now(Wait wait) { return wait == Wait::never && ++calls_that_may_not_wait_ % 3 == 0; }

    std::mutex mutex_;
    State state_;
    std::uint64_t calls_that_may_not_wait_ = 0;
    bool closed_ = false;
};

} // namespace

std::unique_ptr<Store> make_toy_store()
{
    return std::make_unique<ToyStore>();
}

} // namespace basalt::storage
