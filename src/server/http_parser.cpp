#include "server/http_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/rfc7230.hpp>

#include <optional>

namespace basalt::server {
namespace {

namespace http = boost::beast::http;
using ErrorCode = boost::beast::error_code;
using StringView = boost::beast::string_view;

constexpr std::string_view kTargetHeader = "x-amz-target";

std::string_view to_std(StringView text)
{
    return {text.data(), text.size()};
}

Method to_method(http::verb verb)
{
    switch (verb) {
    case http::verb::get:
        return Method::get;
    case http::verb::head:
        return Method::head;
    case http::verb::post:
        return Method::post;
    case http::verb::options:
        return Method::options;
    default:
        return Method::other;
    }
}

/// Collects the few fields of interest instead of building a container of all of them.
class RequestParser final : public http::basic_parser<true> {
public:
    RequestParser()
    {
        eager(false);
        header_limit(static_cast<std::uint32_t>(kHeadLimitBytes));
        body_limit(boost::none);
    }

    RequestHead head;
    BodyBuffer *body = nullptr;
    std::string_view visible; // the bytes of this call; views outside of them are of no use later
    bool transfer_coded = false;

private:
    void on_request_impl(http::verb verb, StringView, StringView path, int, ErrorCode &) override
    {
        head.method = to_method(verb);
        head.path = to_std(path);
    }

    void on_field_impl(http::field field, StringView name, StringView value, ErrorCode &error) override
    {
        if (body != nullptr) {
            return; // a trailer
        }
        if (value.data() < visible.data() || value.data() > visible.data() + visible.size()) {
            error = http::error::bad_obs_fold; // unfolded into memory that does not last
            return;
        }
        if (std::string_view *place = place_of(field, name)) {
            *place = to_std(value);
        } else if (field == http::field::expect) {
            head.expectation =
                boost::beast::iequals(value, "100-continue") ? Expectation::continue_100 : Expectation::unknown;
        } else if (field == http::field::transfer_encoding) {
            transfer_coded = true;
        }
    }

    std::string_view *place_of(http::field field, StringView name)
    {
        switch (field) {
        case http::field::content_type:
            return &head.content_type;
        case http::field::content_encoding:
            return &head.content_encoding;
        case http::field::accept_encoding:
            return &head.accept_encoding;
        case http::field::origin:
            return &head.origin;
        case http::field::access_control_request_method:
            return &head.requested_method;
        case http::field::access_control_request_headers:
            return &head.requested_headers;
        case http::field::unknown:
            return name.size() == kTargetHeader.size() &&
                           boost::beast::iequals(name, StringView(kTargetHeader.data(), kTargetHeader.size()))
                       ? &head.target
                       : nullptr;
        default:
            return nullptr;
        }
    }

    std::size_t on_chunk_body_impl(std::uint64_t, StringView bytes, ErrorCode &) override
    {
        body->append(to_std(bytes));
        return bytes.size();
    }
    std::size_t on_body_impl(StringView bytes, ErrorCode &) override { return bytes.size(); }
    void on_response_impl(int, StringView, int, ErrorCode &) override {}
    void on_header_impl(ErrorCode &) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t> &, ErrorCode &) override {}
    void on_chunk_header_impl(std::uint64_t, StringView, ErrorCode &) override {}
    void on_finish_impl(ErrorCode &) override {}
};

} // namespace

class HttpParser::Impl {
public:
    std::optional<RequestParser> request = std::make_optional<RequestParser>();
    const char *base = nullptr;
    std::size_t consumed = 0;

    void rebase(const char *from, const char *to) noexcept
    {
        RequestHead &head = request->head;
        for (std::string_view *view :
             {&head.path, &head.target, &head.content_type, &head.content_encoding, &head.accept_encoding, &head.origin,
              &head.requested_method, &head.requested_headers}) {
            if (view->data() != nullptr) {
                *view = {to + (view->data() - from), view->size()};
            }
        }
    }
};

HttpParser::HttpParser()
    : impl_(std::make_unique<Impl>())
{}

HttpParser::~HttpParser() = default;

ParseOutcome HttpParser::parse_head(std::string_view bytes)
{
    Impl &state = *impl_;
    if (state.consumed != 0 && state.base != bytes.data()) {
        state.rebase(state.base, bytes.data());
    }
    state.base = bytes.data();
    RequestParser &request = *state.request;
    request.visible = bytes;
    ErrorCode error;
    while (!request.is_header_done()) {
        const std::string_view rest = bytes.substr(state.consumed);
        state.consumed += request.put(boost::asio::const_buffer(rest.data(), rest.size()), error);
        if (error == http::error::need_more) {
            return bytes.size() >= kHeadLimitBytes ? ParseOutcome::too_large : ParseOutcome::need_more;
        }
        if (error) {
            return error == http::error::header_limit ? ParseOutcome::too_large : ParseOutcome::malformed;
        }
    }
    if (state.consumed > kHeadLimitBytes) {
        return ParseOutcome::too_large;
    }
    if (request.transfer_coded && !request.chunked()) {
        return ParseOutcome::malformed; // its length cannot be known
    }
    request.head.chunked = request.chunked();
    request.head.keep_alive = request.keep_alive();
    if (const auto length = request.content_length()) {
        request.head.content_length = *length;
    }
    return ParseOutcome::complete;
}

const RequestHead &HttpParser::head() const noexcept
{
    return impl_->request->head;
}

std::size_t HttpParser::head_bytes() const noexcept
{
    return impl_->consumed;
}

void HttpParser::move_head(const char *from, const char *to) noexcept
{
    impl_->rebase(from, to);
    impl_->base = to;
}

HttpParser::Chunks HttpParser::parse_chunks(std::string_view bytes, BodyBuffer &body)
{
    RequestParser &request = *impl_->request;
    request.body = &body;
    std::size_t consumed = 0;
    ErrorCode error;
    while (!request.is_done()) {
        const std::string_view rest = bytes.substr(consumed);
        if (rest.empty()) {
            return {ParseOutcome::need_more, consumed};
        }
        consumed += request.put(boost::asio::const_buffer(rest.data(), rest.size()), error);
        if (error == http::error::need_more) {
            return {ParseOutcome::need_more, consumed};
        }
        if (error) {
            return {ParseOutcome::malformed, consumed};
        }
    }
    return {ParseOutcome::complete, consumed};
}

void HttpParser::reset()
{
    impl_->request.emplace();
    impl_->base = nullptr;
    impl_->consumed = 0;
}

} // namespace basalt::server
