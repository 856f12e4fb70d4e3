#include "linearizability/pausing_store.h"

#include <thread>
#include <utility>

namespace basalt::linearizability {
namespace {

using storage::Key;
using storage::KeyspaceId;
using storage::Mutation;
using storage::Range;
using storage::Reader;
using storage::Row;

/// Rows one by one, with a rest before each but the first.
Result<void> get_each(Reader &reader, PausingStore &store, KeyspaceId keyspace, std::span<const Key> keys,
                      std::span<std::optional<Bytes>> out)
{
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i > 0) {
            store.pause();
        }
        auto row = reader.get(keyspace, keys[i]);
        if (!row) {
            return fail(std::move(row).error());
        }
        out[i] = *row;
    }
    return {};
}

class PausingReader final : public Reader {
public:
    PausingReader(Reader &reader, PausingStore &store)
        : reader_(reader),
          store_(store)
    {}
    Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key) override
    {
        auto row = reader_.get(keyspace, key);
        store_.pause();
        return row;
    }
    Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys, std::span<std::optional<Bytes>> out) override
    {
        return get_each(reader_, store_, keyspace, keys, out);
    }
    Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row) override
    {
        return reader_.scan(keyspace, range, [&](const Row &each) {
            store_.pause();
            return row(each);
        });
    }
    Result<bool> read_log(KeyspaceId log, storage::LogPosition after,
                          function_ref<bool(storage::LogPosition, Bytes)> record) override
    {
        return reader_.read_log(log, after, record);
    }

private:
    Reader &reader_;
    PausingStore &store_;
};

class PausingMutation final : public Mutation {
public:
    PausingMutation(Mutation &mutation, PausingStore &store)
        : mutation_(mutation),
          store_(store)
    {}
    Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key) override
    {
        return mutation_.get(keyspace, key);
    }
    Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys, std::span<std::optional<Bytes>> out) override
    {
        return get_each(mutation_, store_, keyspace, keys, out);
    }
    Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row) override
    {
        return mutation_.scan(keyspace, range, row);
    }
    Result<bool> read_log(KeyspaceId log, storage::LogPosition after,
                          function_ref<bool(storage::LogPosition, Bytes)> record) override
    {
        return mutation_.read_log(log, after, record);
    }
    void append(KeyspaceId log, Bytes record) override { mutation_.append(log, record); }
    void trim_log(KeyspaceId log, storage::LogPosition after, storage::LogPosition last) override
    {
        mutation_.trim_log(log, after, last);
    }
    void put(KeyspaceId keyspace, const Key &key, Bytes value) override { mutation_.put(keyspace, key, value); }
    void remove(KeyspaceId keyspace, const Key &key) override { mutation_.remove(keyspace, key); }
    Result<KeyspaceId> create_keyspace(storage::KeyspaceKind kind) override { return mutation_.create_keyspace(kind); }
    void drop_keyspace(KeyspaceId keyspace) override { mutation_.drop_keyspace(keyspace); }

private:
    Mutation &mutation_;
    PausingStore &store_;
};

} // namespace

PausingStore::PausingStore(std::unique_ptr<storage::Store> store, std::chrono::microseconds longest, std::uint64_t seed)
    : store_(std::move(store)),
      longest_(longest),
      state_(seed)
{}

std::uint64_t PausingStore::draw()
{
    std::uint64_t value = state_.fetch_add(0x9E3779B97F4A7C15U);
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

void PausingStore::pause()
{
    std::this_thread::sleep_for(longest_ * static_cast<std::int64_t>(draw() % 100) / 100);
}

storage::Outcome PausingStore::read(storage::Wait wait, storage::View view, storage::Consistency consistency,
                                    function_ref<Result<void>(Reader &)> body)
{
    if (draw() % 4 != 0) {
        return store_->read(wait, view, consistency, body);
    }
    return store_->read(wait, view, consistency, [&](Reader &reader) {
        PausingReader pausing(reader, *this);
        return body(pausing);
    });
}

storage::Outcome PausingStore::mutate(storage::Wait wait, std::span<const storage::LockKey> locks,
                                      function_ref<Result<void>(Mutation &)> body)
{
    if (draw() % 4 != 0) {
        return store_->mutate(wait, locks, body);
    }
    return store_->mutate(wait, locks, [&](Mutation &mutation) {
        PausingMutation pausing(mutation, *this);
        auto result = body(pausing);
        pause();
        return result;
    });
}

} // namespace basalt::linearizability
