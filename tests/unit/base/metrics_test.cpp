#include "base/metrics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace basalt {
namespace {

Counter cold("basalt_test_cold_total", "A test's.", {{"kind", "a"}});
Counter cold_too("basalt_test_cold_total", "A test's.", {{"kind", "b"}});
Gauge level("basalt_test_level", "A test's.");
HotCounters hot("basalt_test_hot_total", "A test's.", {{{"kind", "a"}}, {{"kind", "b"}}, {{"kind", "c"}}});

bool has_line(const std::string &line)
{
    return ("\n" + metrics_text()).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, AreGivenOutAsText)
{
    cold.add();
    cold.add();
    level.set(4);
    level.add(-1);
    EXPECT_TRUE(has_line("# HELP basalt_test_cold_total A test's.")) << metrics_text();
    EXPECT_TRUE(has_line("# TYPE basalt_test_cold_total counter"));
    EXPECT_TRUE(has_line(R"(basalt_test_cold_total{kind="a"} 2)"));
    EXPECT_TRUE(has_line(R"(basalt_test_cold_total{kind="b"} 0)"));
    EXPECT_TRUE(has_line("# TYPE basalt_test_level gauge"));
    EXPECT_TRUE(has_line("basalt_test_level 3"));
}

TEST(Metrics, CountersOfManyThreadsAddUp)
{
    std::vector<std::thread> threads;
    for (int t = 0; t < 20; ++t) {
        threads.emplace_back([] {
            for (int i = 0; i < 1000; ++i) {
                hot.add(0);
                hot.add(2);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(hot.value(0), 20'000U);
    EXPECT_EQ(hot.value(1), 0U);
    EXPECT_TRUE(has_line(R"(basalt_test_hot_total{kind="a"} 20000)")) << metrics_text();
    EXPECT_TRUE(has_line(R"(basalt_test_hot_total{kind="c"} 20000)"));
    EXPECT_FALSE(has_line(R"(basalt_test_hot_total{kind="b"} 0)")) << "what never happened is left out";
}

} // namespace
} // namespace basalt
