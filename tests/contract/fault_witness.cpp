#include "contract/fault_witness.h"

#include "base/metrics.h"

#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>

namespace basalt {
namespace {

constexpr std::size_t kLinesKept = 1000;

double value_in(const std::string &text, const std::string &metric)
{
    const std::string line = "\n" + metric + " ";
    const auto at = text.find(line);
    return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + line.size(), nullptr);
}

} // namespace

FaultWitness::FaultWitness()
    : metrics_before_(metrics_text()),
      sink_(std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(kLinesKept))
{
    sink_->set_pattern("%l|%v");
    // Before any store is open: nobody logs meanwhile.
    spdlog::default_logger()->sinks().push_back(sink_);
}

FaultWitness::~FaultWitness()
{
    std::erase(spdlog::default_logger()->sinks(), sink_);
}

bool FaultWitness::logged(const std::string &level, const std::string &words) const
{
    for (const std::string &line : sink_->last_formatted()) {
        const auto end = line.find('|');
        if (end != std::string::npos &&
            spdlog::level::from_str(line.substr(0, end)) >= spdlog::level::from_str(level) &&
            line.find(words, end) != std::string::npos) {
            return true;
        }
    }
    return false;
}

double FaultWitness::counted(const std::string &metric) const
{
    return metric_value(metric) - value_in(metrics_before_, metric);
}

double metric_value(const std::string &metric)
{
    return value_in(metrics_text(), metric);
}

} // namespace basalt
