#include "server/listener.h"

#include "base/log.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace basalt::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kRetryAfter{100};

std::string text(const tcp::endpoint &endpoint)
{
    const std::string address = endpoint.address().to_string();
    const std::string port = std::to_string(endpoint.port());
    return endpoint.address().is_v6() ? "[" + address + "]:" + port : address + ":" + port;
}

} // namespace

Listener::Listener(EventLoop &loop)
    : loop_(loop),
      acceptor_(loop.context()),
      retry_timer_(loop.context())
{}

Result<void> Listener::open(const std::string &host, std::uint16_t port)
{
    boost::system::error_code error;
    const asio::ip::address address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
    if (error) {
        return fail(ErrorCode::invalid_options, "host '" + host + "' is neither an IP address nor 'localhost'");
    }
    const bool any_v6 = address.is_v6() && address.is_unspecified();
    acceptor_.open(address.is_v6() ? tcp::v6() : tcp::v4(), error);
    if (error && any_v6) {
        return open("0.0.0.0", port);
    }
    if (!error && any_v6) {
        acceptor_.set_option(asio::ip::v6_only(false), error);
    }
    const tcp::endpoint endpoint(address, port);
    if (!error) {
        acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    }
    if (!error) {
        acceptor_.bind(endpoint, error);
    }
    if (!error) {
        acceptor_.listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) {
        const bool taken = error == asio::error::address_in_use;
        return fail(ErrorCode::io_error, "cannot listen on " + text(endpoint) + ": " +
                                             (taken ? "the port is in use by another program" : error.message()));
    }
    return {};
}

tcp::endpoint Listener::endpoint() const
{
    return acceptor_.local_endpoint();
}

void Listener::start(ChooseLoop choose_loop, OnConnection on_connection)
{
    choose_loop_ = std::move(choose_loop);
    on_connection_ = std::move(on_connection);
    asio::post(loop_.context(), [this] { accept_next(); });
}

void Listener::stop()
{
    asio::post(loop_.context(), [this] {
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        retry_timer_.cancel();
    });
}

void Listener::accept_next()
{
    EventLoop &target = choose_loop_();
    acceptor_.async_accept(target.context(), [this, &target](const boost::system::error_code &error, Socket socket) {
        if (!acceptor_.is_open()) {
            return;
        }
        if (error && error != asio::error::connection_aborted) {
            retry_later(error);
            return;
        }
        if (!error) {
            on_connection_(target, std::move(socket));
        }
        accept_next();
    });
}

void Listener::retry_later(const boost::system::error_code &error)
{
    spdlog::warn("cannot accept a connection: {}", error.message());
    retry_timer_.expires_after(kRetryAfter);
    retry_timer_.async_wait([this](const boost::system::error_code &cancelled) {
        if (!cancelled && acceptor_.is_open()) {
            accept_next();
        }
    });
}

} // namespace basalt::server
