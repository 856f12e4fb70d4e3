#include "server/server.h"

#include "base/log.h"
#include "server/connection.h"
#include "server/listener.h"
#include "server/memory_budget.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace basalt::server {
namespace {

constexpr std::int64_t kLongestTickMs = 1000;
constexpr std::int64_t kShortestTickMs = 10;
constexpr std::chrono::milliseconds kDrainPoll{2};
/// Besides the limit of connections: one wants to see what a full server does, and to leave the server its own.
constexpr std::size_t kMetricsConnections = 16;
constexpr std::string_view kFullResponse = "HTTP/1.1 503 Service Unavailable\r\nServer: Server\r\nContent-Length: 0\r\n"
                                           "Connection: close\r\n\r\n";

std::size_t loop_count(int io_threads)
{
    return io_threads > 0 ? static_cast<std::size_t>(io_threads) : std::max(1U, std::thread::hardware_concurrency());
}

std::string address_of(const boost::asio::ip::tcp::endpoint &endpoint)
{
    const auto address = endpoint.address();
    const std::string port = std::to_string(endpoint.port());
    if (address.is_unspecified()) {
        return "http://127.0.0.1:" + port;
    }
    return address.is_v6() ? "http://[" + address.to_string() + "]:" + port
                           : "http://" + address.to_string() + ":" + port;
}

std::int64_t tick_ms(const ServerOptions &options)
{
    // A quarter: a deadline is noticed soon after it is over, and the clock between two ticks is exact enough.
    return std::clamp(std::min(options.request_timeout, options.idle_timeout).count() / 4, kShortestTickMs,
                      kLongestTickMs);
}

} // namespace

class Server::Impl {
public:
    explicit Impl(const ServerOptions &options)
        : options_(options),
          budget_(options.body_memory_bytes)
    {
        for (std::size_t i = 0; i < loop_count(options.io_threads); ++i) {
            loops_.push_back(std::make_unique<EventLoop>(tick_ms(options)));
        }
        listener_.emplace(*loops_.front());
        if (options.metrics_port) {
            metrics_listener_.emplace(*loops_.front());
        }
    }

    Result<void> open()
    {
        if (Result<void> opened = listener_->open(options_.host, options_.port); !opened) {
            return opened;
        }
        endpoint_ = listener_->endpoint();
        if (metrics_listener_) {
            if (Result<void> opened = metrics_listener_->open(options_.metrics_host, *options_.metrics_port); !opened) {
                return opened;
            }
            metrics_address_ = address_of(metrics_listener_->endpoint()) + "/metrics";
        }
        return {};
    }
    [[nodiscard]] boost::asio::ip::tcp::endpoint endpoint() const { return endpoint_; }
    [[nodiscard]] const std::string &metrics_address() const { return metrics_address_; }

    void start(Database &database)
    {
        settings_.emplace(ConnectionSettings{.database = database,
                                             .budget = budget_,
                                             .request_timeout_ms = options_.request_timeout.count(),
                                             .idle_timeout_ms = options_.idle_timeout.count(),
                                             .compress = options_.compress,
                                             .health_body = health_body(options_.region),
                                             .open = open_});
        metrics_settings_.emplace(ConnectionSettings{.database = database,
                                                     .budget = budget_,
                                                     .request_timeout_ms = options_.request_timeout.count(),
                                                     .idle_timeout_ms = options_.idle_timeout.count(),
                                                     .compress = options_.compress,
                                                     .health_body = {},
                                                     .open = metrics_open_,
                                                     .entrance = Entrance::metrics});
        for (const auto &loop : loops_) {
            loop->start();
        }
        running_ = true;
        const auto choose_loop = [this]() -> EventLoop & { return least_loaded(); };
        listener_->start(choose_loop, [this](EventLoop &loop, Socket socket) {
            welcome(loop, *settings_, options_.max_connections, std::move(socket));
        });
        if (metrics_listener_) {
            metrics_listener_->start(choose_loop, [this](EventLoop &loop, Socket socket) {
                welcome(loop, *metrics_settings_, kMetricsConnections, std::move(socket));
            });
        }
    }

    bool drain(std::chrono::milliseconds grace)
    {
        if (!running_) {
            return true;
        }
        stop_listening();
        for (const auto &loop : loops_) {
            loop->drain();
        }
        const auto deadline = std::chrono::steady_clock::now() + grace;
        while (connections() != 0) {
            if (std::chrono::steady_clock::now() >= deadline) {
                return false;
            }
            std::this_thread::sleep_for(kDrainPoll);
        }
        return true;
    }

    void stop()
    {
        if (!std::exchange(running_, false)) {
            return;
        }
        stop_listening();
        for (const auto &loop : loops_) {
            loop->abort();
        }
        for (const auto &loop : loops_) {
            loop->join();
        }
    }

private:
    void stop_listening()
    {
        listener_->stop();
        if (metrics_listener_) {
            metrics_listener_->stop();
        }
    }

    [[nodiscard]] std::size_t connections() const
    {
        std::size_t sum = 0;
        for (const auto &loop : loops_) {
            sum += loop->load();
        }
        return sum;
    }

    /// Ties go round, so that one loop does not get every first connection.
    EventLoop &least_loaded()
    {
        std::size_t best = next_loop_;
        for (std::size_t i = 1; i < loops_.size(); ++i) {
            const std::size_t candidate = (next_loop_ + i) % loops_.size();
            if (loops_[candidate]->load() < loops_[best]->load()) {
                best = candidate;
            }
        }
        next_loop_ = (best + 1) % loops_.size();
        return *loops_[best];
    }

    void welcome(EventLoop &loop, const ConnectionSettings &settings, std::size_t limit, Socket socket)
    {
        if (settings.open.load(std::memory_order_relaxed) >= limit) {
            boost::system::error_code ignored;
            socket.non_blocking(true, ignored);
            socket.write_some(boost::asio::buffer(kFullResponse.data(), kFullResponse.size()), ignored);
            return;
        }
        settings.open.fetch_add(1, std::memory_order_relaxed);
        loop.reserve_place();
        boost::asio::post(loop.context(), [&settings, &loop, taken = std::move(socket)]() mutable {
            Connection::start(loop, settings, std::move(taken));
        });
    }

    const ServerOptions options_;
    MemoryBudget budget_;
    std::atomic<std::size_t> open_ = 0;
    std::atomic<std::size_t> metrics_open_ = 0;
    std::vector<std::unique_ptr<EventLoop>> loops_;
    std::optional<Listener> listener_;
    std::optional<Listener> metrics_listener_;
    boost::asio::ip::tcp::endpoint endpoint_;
    std::string metrics_address_;
    std::optional<ConnectionSettings> settings_;
    std::optional<ConnectionSettings> metrics_settings_;
    std::size_t next_loop_ = 0;
    bool running_ = false;
};

Server::Server(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl))
{}

Server::~Server()
{
    stop();
}

Result<std::unique_ptr<Server>> Server::bind(const ServerOptions &options)
{
    auto impl = std::make_unique<Impl>(options);
    if (Result<void> opened = impl->open(); !opened) {
        return Unexpected{std::move(opened).error()};
    }
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::string Server::endpoint() const
{
    return address_of(impl_->endpoint());
}

std::string Server::metrics_address() const
{
    return impl_->metrics_address();
}

std::uint16_t Server::port() const
{
    return impl_->endpoint().port();
}

void Server::start(Database &database)
{
    impl_->start(database);
}

bool Server::drain(std::chrono::milliseconds grace)
{
    return impl_->drain(grace);
}

void Server::stop()
{
    impl_->stop();
}

} // namespace basalt::server
