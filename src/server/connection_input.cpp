// How a connection receives the body of a request.
#include "server/awaiters.h"
#include "server/connection.h"

#include <algorithm>

namespace basalt::server {
namespace {

/// A client gets a body's timeout plus the time that its bytes take at this rate.
constexpr std::size_t kSlowestBytesPerMs = 64;
constexpr std::size_t kFirstChunkedBytes = std::size_t{16} << 10;

std::int64_t transfer_ms(std::size_t bytes)
{
    return static_cast<std::int64_t>(bytes / kSlowestBytesPerMs);
}

/// Queues for memory; ready at once when there is enough.
class MemoryGrant {
public:
    MemoryGrant(MemoryBudget &budget, MemoryBudget::Waiter &waiter)
        : budget_(budget),
          waiter_(waiter)
    {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> waiting)
    {
        waiter_.wakeable.waiting = waiting;
        return !budget_.acquire_or_wait(waiter_);
    }
    [[nodiscard]] bool await_resume() const noexcept { return waiter_.granted; }

private:
    MemoryBudget &budget_;
    MemoryBudget::Waiter &waiter_;
};

} // namespace

bool Connection::take_body_in_place()
{
    const RequestHead &request = head();
    const std::size_t head_bytes = parser_.head_bytes();
    const std::string_view input = input_.view();
    if (request.chunked || request.content_length > input.size() - head_bytes || !request.content_encoding.empty() ||
        request.expectation == Expectation::unknown) {
        return false;
    }
    wire_bytes_ = request.content_length;
    input_bytes_ = head_bytes + wire_bytes_;
    body_ = input.substr(head_bytes, wire_bytes_);
    return true;
}

Task<Connection::Received> Connection::receive_body()
{
    const RequestHead &request = head();
    if (request.expectation == Expectation::unknown) {
        co_return Received::unknown_expectation;
    }
    if (request.content_length > kBodyLimitBytes) {
        co_return Received::too_large;
    }
    Received received = Received::complete;
    if (request.chunked) {
        received = co_await receive_chunked_body();
    } else if (parser_.head_bytes() + request.content_length <= input_.capacity()) {
        received = co_await receive_small_body();
    } else {
        received = co_await receive_sized_body();
    }
    if (received == Received::complete) {
        const ContentCoding coding = content_coding(head().content_encoding);
        if (coding != ContentCoding::identity) {
            received = co_await unpack_body(coding);
        }
    }
    co_return received;
}

Task<Connection::Received> Connection::receive_small_body()
{
    const std::size_t head_bytes = parser_.head_bytes();
    const std::size_t total = head_bytes + head().content_length;
    const char *const before = input_.view().data();
    input_.make_fit(total);
    parser_.move_head(before, input_.view().data());
    if (input_.view().size() < total) {
        const bool invited = co_await send_continue();
        if (!invited) {
            co_return Received::gone;
        }
        enter(Phase::receiving, settings_.request_timeout_ms);
    }
    while (input_.view().size() < total) {
        const std::size_t count = co_await Receive(socket_, input_.room(), input_.room_bytes());
        if (count == 0) {
            co_return Received::gone;
        }
        input_.commit(count);
    }
    wire_bytes_ = head().content_length;
    input_bytes_ = total;
    body_ = input_.view().substr(head_bytes, wire_bytes_);
    co_return Received::complete;
}

Task<Connection::Received> Connection::receive_sized_body()
{
    const std::size_t length = head().content_length;
    const bool admitted = co_await admit(length);
    if (!admitted || !body_buffer_.reserve(length)) {
        co_return Received::no_memory;
    }
    const bool invited = co_await send_continue();
    if (!invited) {
        co_return Received::gone;
    }
    // The time for the transfer is earned by what arrives: a client that sends nothing holds its memory no longer.
    enter(Phase::receiving, settings_.request_timeout_ms);
    const std::string_view arrived = input_.view().substr(parser_.head_bytes());
    body_buffer_.append(arrived.substr(0, length));
    input_bytes_ = parser_.head_bytes() + body_buffer_.size();
    while (body_buffer_.size() < length) {
        const std::size_t count =
            co_await Receive(socket_, body_buffer_.data() + body_buffer_.size(), length - body_buffer_.size());
        if (count == 0) {
            co_return Received::gone;
        }
        body_buffer_.commit(count);
        deadline_ms_ += transfer_ms(count);
    }
    wire_bytes_ = length;
    body_ = body_buffer_.view();
    co_return Received::complete;
}

Task<Connection::Received> Connection::receive_chunked_body()
{
    const std::size_t head_bytes = parser_.head_bytes();
    saved_head_.assign(input_.view().substr(0, head_bytes));
    parser_.move_head(input_.view().data(), saved_head_.data());
    input_.consume(head_bytes);
    if (input_.empty()) {
        const bool invited = co_await send_continue();
        if (!invited) {
            co_return Received::gone;
        }
    }
    enter(Phase::receiving, settings_.request_timeout_ms);
    for (;;) {
        if (!grow_body(body_buffer_.size() + input_.view().size())) {
            co_return Received::no_memory;
        }
        const auto [outcome, consumed] = parser_.parse_chunks(input_.view(), body_buffer_);
        input_.consume(consumed);
        if (body_buffer_.size() > kBodyLimitBytes) {
            co_return Received::too_large;
        }
        if (outcome == ParseOutcome::complete) {
            break;
        }
        if (outcome != ParseOutcome::need_more || input_.view().size() == input_.capacity()) {
            co_return Received::malformed;
        }
        input_.make_fit(input_.capacity());
        const std::size_t count = co_await Receive(socket_, input_.room(), input_.room_bytes());
        if (count == 0) {
            co_return Received::gone;
        }
        input_.commit(count);
        deadline_ms_ += transfer_ms(count);
    }
    wire_bytes_ = body_buffer_.size();
    body_ = body_buffer_.view();
    co_return Received::complete;
}

Task<Connection::Received> Connection::unpack_body(ContentCoding coding)
{
    BodyBuffer packed = std::move(body_buffer_); // body_ may lie there, or in input_
    body_buffer_ = BodyBuffer();
    Unpacker unpacker(coding, body_);
    for (;;) {
        if (!grow_body(body_buffer_.size() + kCodingStepBytes)) {
            co_return Received::no_memory;
        }
        const CodingStep outcome = unpacker.step(body_buffer_);
        if (outcome == CodingStep::failed || body_buffer_.size() > kBodyLimitBytes) {
            co_return Received::unpackable;
        }
        if (outcome == CodingStep::done) {
            break;
        }
        co_await Yield(loop_);
    }
    body_ = body_buffer_.view();
    co_return Received::complete;
}

bool Connection::grow_body(std::size_t capacity)
{
    if (capacity <= body_buffer_.capacity()) {
        return true;
    }
    const std::size_t doubled = std::min(2 * body_buffer_.capacity(), kBodyLimitBytes + kCodingStepBytes);
    const std::size_t grown = std::max({capacity, doubled, kFirstChunkedBytes});
    // No waiting here: two that hold a part of the memory could wait for each other.
    return reserved_.try_grow(grown - body_buffer_.capacity()) && body_buffer_.reserve(grown);
}

Task<bool> Connection::admit(std::size_t bytes)
{
    if (reserved_.try_grow(bytes)) {
        co_return true;
    }
    if (bytes > settings_.budget.limit_bytes()) {
        co_return false;
    }
    enter(Phase::waiting_for_memory, settings_.request_timeout_ms);
    waiter_.bytes = bytes;
    waiter_.loop = &loop_;
    waiter_.granted = false;
    const bool granted = co_await MemoryGrant(settings_.budget, waiter_);
    if (granted) {
        reserved_.adopt(bytes);
    }
    co_return granted;
}

Task<bool> Connection::send_continue()
{
    if (head().expectation != Expectation::continue_100) {
        co_return true;
    }
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    std::size_t sent = 0;
    while (sent < kContinue.size()) {
        const std::string_view rest = kContinue.substr(sent);
        const std::size_t count = co_await Send(socket_, {boost::asio::buffer(rest.data(), rest.size()), {}});
        if (count == 0) {
            co_return false;
        }
        sent += count;
    }
    co_return true;
}

} // namespace basalt::server
