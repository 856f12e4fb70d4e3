// What operators would have seen of a fault: lines of the log and metrics, since the witness was made.
#pragma once

#include <memory>
#include <mutex>
#include <string>

namespace spdlog::sinks {
template <typename Mutex>
class ringbuffer_sink;
}

namespace basalt {

class FaultWitness {
public:
    FaultWitness();
    ~FaultWitness();
    FaultWitness(const FaultWitness &) = delete;
    FaultWitness &operator=(const FaultWitness &) = delete;

    /// Whether a line of this level ("critical") or a higher one has these words.
    [[nodiscard]] bool logged(const std::string &level, const std::string &words) const;
    /// By how much this has grown, e.g. basalt_read_errors_total{kind="io"}.
    [[nodiscard]] double counted(const std::string &metric) const;

private:
    std::string metrics_before_;
    std::shared_ptr<spdlog::sinks::ringbuffer_sink<std::mutex>> sink_;
};

/// The present value; 0 when there is none.
[[nodiscard]] double metric_value(const std::string &metric);

} // namespace basalt
