#include "storage/rocksdb/waiter_stack.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace basalt::storage {
namespace {

struct Counted final : Waiter {
    std::atomic<int> told{0};
    void ready(const Result<void> & /*result*/) noexcept override { ++told; }
};

TEST(WaiterStack, GivesBackInOrderOfArrival)
{
    WaiterStack stack;
    EXPECT_TRUE(stack.empty());
    EXPECT_EQ(stack.take_all(), nullptr);
    std::array<Counted, 3> waiters;
    for (Counted &waiter : waiters) {
        EXPECT_TRUE(stack.push(waiter));
    }
    EXPECT_FALSE(stack.empty());
    Waiter *at = stack.take_all();
    for (Counted &waiter : waiters) {
        ASSERT_EQ(at, &waiter);
        at = at->next;
    }
    EXPECT_EQ(at, nullptr);
    EXPECT_TRUE(stack.empty());
}

TEST(WaiterStack, TakesNobodyInOnceShut)
{
    WaiterStack stack;
    Counted before;
    Counted after;
    EXPECT_TRUE(stack.push(before));
    EXPECT_EQ(stack.shut(), &before);
    EXPECT_EQ(before.next, nullptr);
    EXPECT_FALSE(stack.push(after));
    EXPECT_EQ(stack.take_all(), nullptr);
    EXPECT_EQ(stack.shut(), nullptr);
    EXPECT_FALSE(stack.push(after));
    EXPECT_TRUE(stack.empty());
}

TEST(WaiterStack, AWaiterMayBeDestroyedWhenItIsTold)
{
    struct Own final : Waiter {
        int &told;
        explicit Own(int &count)
            : told(count)
        {}
        void ready(const Result<void> & /*result*/) noexcept override
        {
            ++told;
            delete this;
        }
    };
    int told = 0;
    WaiterStack stack;
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(stack.push(*new Own(told)));
    }
    tell_all(stack.take_all(), {});
    EXPECT_EQ(told, 3);
}

TEST(WaiterStack, LosesNobodyAmongThreads)
{
    WaiterStack stack;
    std::vector<std::unique_ptr<Counted>> waiters(20'000);
    for (auto &waiter : waiters) {
        waiter = std::make_unique<Counted>();
    }
    std::atomic<int> running{4};
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::size_t i = thread; i < waiters.size(); i += 4) {
                EXPECT_TRUE(stack.push(*waiters[i]));
            }
            --running;
        });
    }
    while (running > 0) {
        tell_all(stack.take_all(), {});
    }
    tell_all(stack.shut(), {});
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (const auto &waiter : waiters) {
        ASSERT_EQ(waiter->told, 1);
    }
}

} // namespace
} // namespace basalt::storage
