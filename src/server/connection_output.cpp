// How a connection sends a response.
#include "server/awaiters.h"
#include "server/connection.h"
#include "server/crc32.h"

#include <algorithm>

namespace basalt::server {
namespace {

/// After a refusal, this much of what the client is still sending is read, so that it finds the answer and not a reset.
constexpr std::size_t kLingerBytes = std::size_t{64} << 20;

} // namespace

Task<> Connection::pack_response()
{
    const ContentCoding coding = acceptable_coding(head().accept_encoding);
    if (coding == ContentCoding::identity) {
        co_return;
    }
    std::string packed;
    Packer packer(coding, response_.body);
    CodingStep outcome = packer.step(packed);
    while (outcome == CodingStep::more) {
        co_await Yield(loop_);
        outcome = packer.step(packed);
    }
    if (outcome == CodingStep::done) {
        response_.body = std::move(packed);
        content_encoding_ = coding == ContentCoding::gzip ? "gzip" : "deflate";
    }
}

void Connection::write_head()
{
    keep_alive_ = keep_alive_ && !loop_.draining();
    write_response_head({.status = response_.status,
                         .content_type = content_type_,
                         .content_encoding = content_encoding_,
                         .content_length = response_.body.size(),
                         .crc32 = crc32(response_.body),
                         .keep_alive = keep_alive_,
                         .further_lines = further_lines_},
                        loop_.date(), loop_.request_ids(), response_head_);
}

std::string_view Connection::sendable_body() const noexcept
{
    return head().method == Method::head ? std::string_view{} : std::string_view(response_.body);
}

bool Connection::send_at_once()
{
    enter(Phase::sending, settings_.request_timeout_ms);
    const std::string_view body = sendable_body();
    const Send::Parts parts{boost::asio::buffer(response_head_), boost::asio::buffer(body.data(), body.size())};
    boost::system::error_code error;
    sent_bytes_ = socket_.write_some(parts, error);
    return sent_bytes_ == response_head_.size() + body.size();
}

Task<bool> Connection::send_rest()
{
    const std::string_view head_part = response_head_;
    const std::string_view body = sendable_body();
    const std::size_t total = head_part.size() + body.size();
    // Responses to clients that do not read are memory too. This one exists already: refusing it would free nothing and
    // cut off an answer to something that has been done.
    reserved_.grow_regardless(total);
    while (sent_bytes_ < total) {
        const std::string_view head_rest = head_part.substr(std::min(sent_bytes_, head_part.size()));
        const std::string_view body_rest =
            body.substr(sent_bytes_ > head_part.size() ? sent_bytes_ - head_part.size() : 0);
        const std::size_t count = co_await Send(socket_, {boost::asio::buffer(head_rest.data(), head_rest.size()),
                                                          boost::asio::buffer(body_rest.data(), body_rest.size())});
        if (count == 0) {
            co_return false;
        }
        sent_bytes_ += count;
        enter(Phase::sending, settings_.request_timeout_ms);
    }
    reserved_.release();
    co_return true;
}

Task<> Connection::linger()
{
    enter(Phase::idle, settings_.request_timeout_ms); // nothing is owed to this client any more
    boost::system::error_code ignored;
    socket_.shutdown(boost::asio::socket_base::shutdown_send, ignored);
    input_.consume(input_.view().size());
    input_.make_fit(input_.capacity());
    for (std::size_t drained = 0; drained < kLingerBytes;) {
        const std::size_t count = co_await Receive(socket_, input_.room(), input_.room_bytes());
        if (count == 0) {
            co_return;
        }
        drained += count;
    }
}

} // namespace basalt::server
