// What a connection's coroutine can wait for. Each operation resumes it straight from the completion handler.
#pragma once

#include "server/event_loop.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <array>
#include <coroutine>
#include <cstddef>
#include <string_view>

namespace basalt::server {

/// Gives the number of bytes received; 0 when the connection has ended.
class Receive {
public:
    Receive(Socket &socket, char *into, std::size_t room)
        : socket_(socket),
          into_(into),
          room_(room)
    {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting)
    {
        socket_.async_read_some(boost::asio::buffer(into_, room_),
                                [this, waiting](const boost::system::error_code &error, std::size_t count) {
                                    count_ = error ? 0 : count;
                                    waiting.resume();
                                });
    }
    [[nodiscard]] std::size_t await_resume() const noexcept { return count_; }

private:
    Socket &socket_;
    char *into_;
    std::size_t room_;
    std::size_t count_ = 0;
};

/// Gives the number of bytes sent; 0 when the connection has ended.
class Send {
public:
    using Parts = std::array<boost::asio::const_buffer, 2>;
    Send(Socket &socket, const Parts &parts)
        : socket_(socket),
          parts_(parts)
    {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting)
    {
        socket_.async_write_some(parts_, [this, waiting](const boost::system::error_code &error, std::size_t count) {
            count_ = error ? 0 : count;
            waiting.resume();
        });
    }
    [[nodiscard]] std::size_t await_resume() const noexcept { return count_; }

private:
    Socket &socket_;
    Parts parts_;
    std::size_t count_ = 0;
};

/// Lets the loop's other connections run.
class Yield {
public:
    explicit Yield(EventLoop &loop)
        : loop_(loop)
    {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting)
    {
        boost::asio::post(loop_.context(), [waiting] { waiting.resume(); });
    }
    void await_resume() const noexcept {}

private:
    EventLoop &loop_;
};

/// Until someone wakes the Wakeable.
class Woken {
public:
    explicit Woken(Wakeable &wakeable)
        : wakeable_(wakeable)
    {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept { wakeable_.waiting = waiting; }
    void await_resume() const noexcept {}

private:
    Wakeable &wakeable_;
};

} // namespace basalt::server
