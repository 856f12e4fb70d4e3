// The life of a connection, and how a request is answered.
#include "server/connection.h"

#include "base/log.h"
#include "base/metrics.h"
#include "protocol/error_table.h"
#include "server/awaiters.h"

#include <exception>
#include <utility>

namespace basalt::server {
namespace {

/// A head with a body of a few KB fits, and is parsed where it was received.
constexpr std::size_t kInputBytes = std::size_t{8} << 10;
/// Responses from here on are worth compressing.
constexpr std::size_t kPackFromBytes = std::size_t{4} << 10;

} // namespace

Connection::Connection(EventLoop &loop, const ConnectionSettings &settings, Socket socket)
    : loop_(loop),
      settings_(settings),
      socket_(std::move(socket)),
      input_(kInputBytes),
      reserved_(settings.budget)
{}

void Connection::start(EventLoop &loop, const ConnectionSettings &settings, Socket socket)
{
    auto *const connection = new Connection(loop, settings, std::move(socket));
    loop.add(*connection);
    run(connection);
}

Detached Connection::run(Connection *self)
{
    try {
        co_await self->serve();
    } catch (const std::exception &failure) {
        spdlog::error("a connection ended: {}", failure.what());
    }
    self->loop_.remove(*self);
    delete self;
}

Task<> Connection::serve()
{
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    socket_.non_blocking(true, ignored);
    for (;;) {
        ParseOutcome parsed = parse_more();
        while (parsed == ParseOutcome::need_more) {
            if (input_.empty() && loop_.draining()) {
                co_return;
            }
            const std::size_t count = co_await Receive(socket_, input_.room(), input_.room_bytes());
            if (count == 0) {
                co_return;
            }
            input_.commit(count);
            parsed = parse_more();
        }
        Received received = Received::complete;
        if (parsed != ParseOutcome::complete) {
            received = Received::malformed;
        } else if (!take_body_in_place()) {
            received = co_await receive_body();
        }
        if (received == Received::gone) {
            co_return;
        }
        if (received != Received::complete) {
            refuse(received);
        } else if (!answer()) {
            co_await Woken(answered_);
        }
        body_buffer_.release();
        reserved_.release();
        if (response_.body.size() >= kPackFromBytes && settings_.compress && !head().accept_encoding.empty()) {
            co_await pack_response();
        }
        write_head();
        bool sent = send_at_once();
        if (!sent) {
            sent = co_await send_rest();
        }
        if (!sent) {
            co_return;
        }
        if (!keep_alive_) {
            if (received != Received::complete) {
                co_await linger();
            }
            co_return;
        }
        finish_request();
    }
}

ParseOutcome Connection::parse_more()
{
    if (phase_ == Phase::idle) {
        while (input_.view().substr(0, 2) == "\r\n") {
            input_.consume(2); // some clients end a body with a line end that its length does not count
        }
    }
    if (input_.empty()) {
        enter(Phase::idle, settings_.idle_timeout_ms);
        return ParseOutcome::need_more;
    }
    if (phase_ == Phase::idle) {
        enter(Phase::receiving, settings_.request_timeout_ms);
    }
    const ParseOutcome outcome = parser_.parse_head(input_.view());
    if (outcome == ParseOutcome::need_more && input_.room_bytes() == 0) {
        input_.make_fit(input_.view().size() < kInputBytes ? kInputBytes : kHeadLimitBytes);
    }
    return outcome;
}

bool Connection::answer()
{
    phase_ = Phase::answering;
    deadline_ms_ = kNoDeadline;
    const RequestHead &request = head();
    keep_alive_ = request.keep_alive;
    const Route where = route(settings_.entrance, request, wire_bytes_);
    if (!request.origin.empty()) {
        further_lines_ = cross_origin_lines(request, where);
    }
    switch (where) {
    case Route::call:
        return call_database();
    case Route::health:
        response_ = {200, settings_.health_body};
        break;
    case Route::preflight:
        response_ = {200, {}};
        break;
    case Route::metrics:
        content_type_ = kContentTypeMetrics;
        response_ = {200, metrics_text()};
        break;
    case Route::not_found:
        response_ = {404, std::string(kNotFoundBody)};
        break;
    }
    return true;
}

bool Connection::call_database()
{
    content_type_ = response_content_type(head().content_type);
    in_call_ = true;
    settings_.database.call(Request{head().target, body_, kBodyPadding}, *this);
    in_call_ = false;
    return std::exchange(completed_, false);
}

void Connection::complete(Response response) noexcept
{
    response_ = std::move(response);
    if (loop_.on_this_thread() && in_call_) {
        completed_ = true;
    } else {
        loop_.wake(answered_);
    }
}

void Connection::refuse(Received received)
{
    keep_alive_ = received == Received::unpackable && head().keep_alive;
    if (received == Received::malformed || received == Received::unknown_expectation) {
        response_ = {received == Received::malformed ? 400 : 417, {}};
        return;
    }
    Error error{ErrorCode::internal_failure, {}};
    if (received == Received::too_large) {
        error.code = ErrorCode::request_entity_too_large;
    } else if (received == Received::no_memory) {
        error = {ErrorCode::service_unavailable, "The memory for request bodies is in use. Please try again."};
    }
    content_type_ = response_content_type(head().content_type);
    further_lines_ = cross_origin_lines(head(), Route::call);
    response_ = {protocol::error_wire(error.code).status, protocol::encode_error(error)};
}

void Connection::finish_request()
{
    input_.consume(input_bytes_);
    parser_.reset();
    phase_ = Phase::idle;
    input_bytes_ = 0;
    wire_bytes_ = 0;
    body_ = {};
    response_.body = std::string(); // an idle connection holds no memory of its last answer
    content_type_ = {};
    content_encoding_ = {};
    further_lines_.clear();
    sent_bytes_ = 0;
}

void Connection::on_tick(std::int64_t now_ms)
{
    if (now_ms < deadline_ms_) {
        return;
    }
    deadline_ms_ = kNoDeadline;
    if (phase_ != Phase::waiting_for_memory) {
        close();
    } else if (settings_.budget.withdraw(waiter_)) {
        loop_.wake(waiter_.wakeable);
    }
}

void Connection::on_drain()
{
    if (phase_ == Phase::idle) {
        close();
    }
}

void Connection::on_abort()
{
    if (phase_ == Phase::waiting_for_memory && settings_.budget.withdraw(waiter_)) {
        loop_.wake(waiter_.wakeable);
    }
    close();
}

void Connection::close() noexcept
{
    boost::system::error_code ignored;
    socket_.close(ignored);
}

} // namespace basalt::server
