#include "base/metrics.h"

#include "base/thread_number.h"

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <iterator>
#include <mutex>

namespace basalt {
namespace {

struct Registered {
    ::prometheus::Registry metrics;
    std::mutex mutex;
    std::vector<std::weak_ptr<::prometheus::Collectable>> hot;
};

Registered &registered()
{
    // Never destroyed: threads may count until the very end.
    static auto *const instance = new Registered;
    return *instance;
}

::prometheus::Labels to_map(const Labels &labels)
{
    return {labels.begin(), labels.end()};
}

} // namespace

Counter::Counter(const char *name, const char *help, const Labels &labels)
    : counter_(::prometheus::BuildCounter().Name(name).Help(help).Register(registered().metrics).Add(to_map(labels)))
{}

void Counter::add() noexcept
{
    counter_.Increment();
}

Gauge::Gauge(const char *name, const char *help, const Labels &labels)
    : gauge_(::prometheus::BuildGauge().Name(name).Help(help).Register(registered().metrics).Add(to_map(labels)))
{}

void Gauge::set(double value) noexcept
{
    gauge_.Set(value);
}

void Gauge::add(double amount) noexcept
{
    gauge_.Increment(amount);
}

class HotCounters::Reader final : public ::prometheus::Collectable {
public:
    Reader(const HotCounters &counters, const char *name, const char *help, std::vector<Labels> labels)
        : counters_(counters),
          name_(name),
          help_(help),
          labels_(std::move(labels))
    {}
    std::vector<::prometheus::MetricFamily> Collect() const override
    {
        ::prometheus::MetricFamily family{name_, help_, ::prometheus::MetricType::Counter, {}};
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            const std::uint64_t value = counters_.value(i);
            if (value == 0 && labels_.size() > 1) {
                continue; // most operations are never called
            }
            auto &metric = family.metric.emplace_back();
            for (const auto &[label, text] : labels_[i]) {
                metric.label.push_back({label, text});
            }
            metric.counter.value = static_cast<double>(value);
        }
        return {std::move(family)};
    }

private:
    const HotCounters &counters_;
    const char *name_;
    const char *help_;
    const std::vector<Labels> labels_;
};

HotCounters::HotCounters(const char *name, const char *help, std::vector<Labels> labels)
    : count_(labels.size())
{
    for (auto &shard : shards_) {
        shard = std::make_unique<std::atomic<std::uint64_t>[]>(count_);
    }
    reader_ = std::make_shared<Reader>(*this, name, help, std::move(labels));
    const std::lock_guard lock(registered().mutex);
    registered().hot.push_back(reader_);
}

HotCounters::~HotCounters() = default;

void HotCounters::add(std::size_t index) noexcept
{
    shards_[thread_number() % kShards][index].fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t HotCounters::value(std::size_t index) const noexcept
{
    std::uint64_t sum = 0;
    for (const auto &shard : shards_) {
        sum += shard[index].load(std::memory_order_relaxed);
    }
    return sum;
}

std::string metrics_text()
{
    auto families = registered().metrics.Collect();
    {
        const std::lock_guard lock(registered().mutex);
        for (const auto &each : registered().hot) {
            if (const auto reader = each.lock()) {
                std::ranges::move(reader->Collect(), std::back_inserter(families));
            }
        }
    }
    std::erase_if(families, [](const auto &family) { return family.metric.empty(); });
    std::ranges::sort(families, {}, &::prometheus::MetricFamily::name);
    return ::prometheus::TextSerializer().Serialize(families);
}

} // namespace basalt
