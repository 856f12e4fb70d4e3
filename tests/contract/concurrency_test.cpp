// Several threads at once: locked read-modify-writes lose nothing, commits are seen whole, and a reader never sees
// what its ticket does not cover.
#include "contract/backends.h"
#include "contract/calls.h"

#include <array>
#include <atomic>
#include <thread>

namespace basalt::storage {
namespace {

using Concurrency = StoreContract;
INSTANTIATE_TEST_SUITE_P(Backends, Concurrency, testing::ValuesIn(all_backends()), backend_name);

constexpr int kThreads = 4;

void run_threads(const std::function<void(int)> &work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] { work(i); });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

/// Adds one to the number in the row; tries without waiting first, as the engine does.
void increment(Store &store, KeyspaceId keyspace, const Key &key)
{
    const LockKey lock{keyspace, key};
    const auto body = [&](Mutation &mutation) -> Result<void> {
        Result<std::optional<Bytes>> value = mutation.get(keyspace, key);
        if (!value) {
            return fail(value.error());
        }
        mutation.put(keyspace, key, std::to_string(*value ? std::stoi(std::string(**value)) + 1 : 1));
        return {};
    };
    Outcome outcome = store.mutate(Wait::never, {&lock, 1}, body);
    if (!outcome.result && outcome.result.error().code == ErrorCode::would_block) {
        outcome = store.mutate(Wait::allowed, {&lock, 1}, body);
    }
    ASSERT_TRUE(outcome.result) << outcome.result.error().message;
}

TEST_P(Concurrency, CountersAreExact)
{
    constexpr int kPerThread = 500;
    const KeyspaceId keyspace = create_keyspace(*store_);
    const std::array<Key, 3> counters = {Key{1, "a"}, Key{1, "b"}, Key{2, "a", "s"}};
    run_threads([&](int thread) {
        for (int i = 0; i < kPerThread; ++i) {
            increment(*store_, keyspace, counters[static_cast<std::size_t>(i + thread) % counters.size()]);
        }
    });
    int sum = 0;
    for (const Key &counter : counters) {
        sum += std::stoi(get(*store_, keyspace, counter).value());
    }
    EXPECT_EQ(sum, kThreads * kPerThread);
}

TEST_P(Concurrency, TransfersBetweenLockedRowsKeepTheSum)
{
    constexpr int kAccounts = 8;
    const KeyspaceId keyspace = create_keyspace(*store_);
    const auto account = [](int i) { return Key{static_cast<std::uint64_t>(i), "account"}; };
    for (int i = 0; i < kAccounts; ++i) {
        put(*store_, keyspace, account(i), "100");
    }
    std::atomic<bool> done{false};
    std::thread auditor([&] {
        while (!done) {
            int sum = 0;
            const Outcome outcome =
                store_->read(Wait::allowed, View::snapshot, Consistency::strong, [&](Reader &reader) -> Result<void> {
                    sum = 0;
                    for (int i = 0; i < kAccounts; ++i) {
                        sum += std::stoi(std::string(reader.get(keyspace, account(i)).value().value()));
                    }
                    return {};
                });
            EXPECT_TRUE(outcome.result);
            EXPECT_EQ(sum, 100 * kAccounts);
        }
    });
    run_threads([&](int thread) {
        for (int i = 0; i < 300; ++i) {
            const int from = (i * 7 + thread) % kAccounts;
            const int to = (i * 3 + thread * 5 + 1) % kAccounts;
            // The same row twice, and both orders: neither may deadlock.
            const std::array<LockKey, 3> locks = {LockKey{keyspace, account(from)}, LockKey{keyspace, account(to)},
                                                  LockKey{keyspace, account(from)}};
            const Outcome outcome = store_->mutate(Wait::allowed, locks, [&](Mutation &mutation) -> Result<void> {
                const int source = std::stoi(std::string(mutation.get(keyspace, account(from)).value().value()));
                const int target = std::stoi(std::string(mutation.get(keyspace, account(to)).value().value()));
                if (from != to) {
                    mutation.put(keyspace, account(from), std::to_string(source - 1));
                    mutation.put(keyspace, account(to), std::to_string(target + 1));
                }
                return {};
            });
            ASSERT_TRUE(outcome.result);
        }
    });
    done = true;
    auditor.join();
}

TEST_P(Concurrency, AScanSeesEachCommitWholeOrNotAtAll)
{
    constexpr int kRows = 10;
    const KeyspaceId keyspace = create_keyspace(*store_);
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (int version = 0; version < 300; ++version) {
            const std::string text = std::to_string(version);
            const Outcome outcome = store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
                for (int i = 0; i < kRows; ++i) {
                    mutation.put(keyspace, {static_cast<std::uint64_t>(i), "p"}, text);
                }
                return {};
            });
            EXPECT_TRUE(outcome.result);
        }
        done = true;
    });
    while (!done) {
        const std::vector<std::string> values = scan(*store_, keyspace, {});
        EXPECT_TRUE(values.empty() || values == std::vector<std::string>(kRows, values.front()));
    }
    writer.join();
}

TEST_P(Concurrency, ReadersNeverSeeWhatTheirTicketDoesNotCover)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    const Key key{5, "p", "s"};
    constexpr int kWrites = 400;
    // tickets[n]: of the commit that wrote n, once its writer knows it.
    std::vector<std::atomic<std::uint64_t>> tickets(kWrites);
    std::vector<std::pair<int, Ticket>> seen;
    std::atomic<bool> done{false};
    std::thread reader([&] {
        while (!done) {
            int value = 0;
            const Outcome outcome =
                store_->read(Wait::allowed, View::latest, Consistency::strong, [&](Reader &body) -> Result<void> {
                    const std::optional<Bytes> found = body.get(keyspace, key).value();
                    value = found ? std::stoi(std::string(*found)) : 0;
                    return {};
                });
            EXPECT_TRUE(outcome.result);
            seen.emplace_back(value, outcome.ticket);
        }
    });
    for (int i = 1; i < kWrites; ++i) {
        tickets[static_cast<std::size_t>(i)] = put(*store_, keyspace, key, std::to_string(i)).value;
    }
    done = true;
    reader.join();
    for (const auto &[value, ticket] : seen) {
        EXPECT_GE(ticket.value, tickets[static_cast<std::size_t>(value)].load()) << "value " << value;
    }
}

} // namespace
} // namespace basalt::storage
