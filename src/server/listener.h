// The listening socket: opened before the database is, accepting once it is open. There is one for all loops. Sockets
// that share a port (SO_REUSEPORT) dealt 16 connections to 2 loops as unevenly as 14 to 2 here, and a second server
// could take the port of a running one.
#pragma once

#include "basalt/result.h"
#include "server/event_loop.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace basalt::server {

class Listener {
public:
    /// Called on the listener's loop with each new connection, whose socket belongs to `loop`.
    using OnConnection = std::function<void(EventLoop &loop, Socket socket)>;
    /// Chooses the loop of the next connection.
    using ChooseLoop = std::function<EventLoop &()>;

    explicit Listener(EventLoop &loop);

    /// Binds and listens. Errors as Server::bind().
    Result<void> open(const std::string &host, std::uint16_t port);
    [[nodiscard]] boost::asio::ip::tcp::endpoint endpoint() const;

    /// Any thread, once.
    void start(ChooseLoop choose_loop, OnConnection on_connection);
    /// Any thread.
    void stop();

private:
    void accept_next();
    void retry_later(const boost::system::error_code &error);

    EventLoop &loop_;
    boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, boost::asio::io_context::executor_type> acceptor_;
    boost::asio::steady_timer retry_timer_;
    ChooseLoop choose_loop_;
    OnConnection on_connection_;
};

} // namespace basalt::server
