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
constexpr std::string_view kFullResponse = "HTTP/1.1 503 Service Unavailable\r\nServer: Server\r\nContent-Length: 0\r\n"
                                           "Connection: close\r\n\r\n";

std::size_t loop_count(int io_threads)
{
    return io_threads > 0 ? static_cast<std::size_t>(io_threads) : std::max(1U, std::thread::hardware_concurrency());
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
    }

    Result<void> open() { return listener_->open(options_.host, options_.port); }
    [[nodiscard]] boost::asio::ip::tcp::endpoint endpoint() const { return endpoint_; }
    void remember_endpoint() { endpoint_ = listener_->endpoint(); }

    void start(Database &database)
    {
        settings_.emplace(ConnectionSettings{.database = database,
                                             .budget = budget_,
                                             .request_timeout_ms = options_.request_timeout.count(),
                                             .idle_timeout_ms = options_.idle_timeout.count(),
                                             .compress = options_.compress,
                                             .health_body = health_body(options_.region)});
        for (const auto &loop : loops_) {
            loop->start();
        }
        running_ = true;
        listener_->start([this]() -> EventLoop & { return least_loaded(); },
                         [this](EventLoop &loop, Socket socket) { welcome(loop, std::move(socket)); });
    }

    bool drain(std::chrono::milliseconds grace)
    {
        if (!running_) {
            return true;
        }
        listener_->stop();
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
        listener_->stop();
        for (const auto &loop : loops_) {
            loop->abort();
        }
        for (const auto &loop : loops_) {
            loop->join();
        }
    }

private:
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

    void welcome(EventLoop &loop, Socket socket)
    {
        if (connections() >= options_.max_connections) {
            boost::system::error_code ignored;
            socket.non_blocking(true, ignored);
            socket.write_some(boost::asio::buffer(kFullResponse.data(), kFullResponse.size()), ignored);
            return;
        }
        loop.reserve_place();
        boost::asio::post(loop.context(), [this, &loop, taken = std::move(socket)]() mutable {
            Connection::start(loop, *settings_, std::move(taken));
        });
    }

    const ServerOptions options_;
    MemoryBudget budget_;
    std::vector<std::unique_ptr<EventLoop>> loops_;
    std::optional<Listener> listener_;
    boost::asio::ip::tcp::endpoint endpoint_;
    std::optional<ConnectionSettings> settings_;
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
    impl->remember_endpoint();
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::string Server::endpoint() const
{
    const auto endpoint = impl_->endpoint();
    const auto address = endpoint.address();
    const std::string port = std::to_string(endpoint.port());
    if (address.is_unspecified()) {
        return "http://127.0.0.1:" + port;
    }
    return address.is_v6() ? "http://[" + address.to_string() + "]:" + port
                           : "http://" + address.to_string() + ":" + port;
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
