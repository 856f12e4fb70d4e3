#include "base/call_gate.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace basalt {
namespace {

TEST(CallGate, LetsNobodyInOnceClosed)
{
    CallGate gate;
    {
        const CallGate::Pass first(gate);
        const CallGate::Pass nested(gate);
        EXPECT_TRUE(first);
        EXPECT_TRUE(nested);
    }
    gate.close();
    EXPECT_FALSE(CallGate::Pass(gate));
    gate.close();
    gate.open();
    EXPECT_TRUE(CallGate::Pass(gate));
}

TEST(CallGate, CloseWaitsForWhoIsInside)
{
    CallGate gate;
    std::atomic<bool> closed{false};
    std::atomic<int> entered{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            while (true) {
                const CallGate::Pass pass(gate);
                if (!pass) {
                    return;
                }
                ++entered;
                EXPECT_FALSE(closed) << "inside after close() returned";
            }
        });
    }
    while (entered < 1000) {
        std::this_thread::yield();
    }
    gate.close();
    closed = true;
    for (std::thread &thread : threads) {
        thread.join();
    }
}

} // namespace
} // namespace basalt
