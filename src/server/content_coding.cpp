#include "server/content_coding.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace basalt::server {
namespace {

constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr int kZlibWindow = MAX_WBITS;
constexpr int kRawWindow = -MAX_WBITS;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Splits off what stands before the next `separator`.
std::string_view next_part(std::string_view &rest, char separator)
{
    const auto end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    return trim(part);
}

/// Whether the parameters of an Accept-Encoding element say q=0.
bool refused(std::string_view parameters)
{
    while (!parameters.empty()) {
        const std::string_view parameter = next_part(parameters, ';');
        if (parameter.size() > 2 && lower(parameter[0]) == 'q' && parameter[1] == '=') {
            return parameter.substr(2).find_first_not_of("0.") == std::string_view::npos;
        }
    }
    return false;
}

Bytef *input_of(std::string_view text)
{
    // zlib's interface lacks a const; it does not write here.
    return reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
}

} // namespace

ContentCoding content_coding(std::string_view content_encoding) noexcept
{
    const std::string_view name = trim(content_encoding);
    if (same_word(name, "gzip") || same_word(name, "x-gzip")) {
        return ContentCoding::gzip;
    }
    return same_word(name, "deflate") ? ContentCoding::deflate : ContentCoding::identity;
}

ContentCoding acceptable_coding(std::string_view accept_encoding) noexcept
{
    ContentCoding best = ContentCoding::identity;
    while (!accept_encoding.empty()) {
        std::string_view element = next_part(accept_encoding, ',');
        const ContentCoding coding = content_coding(next_part(element, ';'));
        if (coding == ContentCoding::identity || refused(element)) {
            continue;
        }
        if (coding == ContentCoding::gzip) {
            return coding;
        }
        best = coding;
    }
    return best;
}

struct Unpacker::State {
    z_stream stream{};
    bool usable = false;
    bool raw = false;
    ContentCoding coding = ContentCoding::identity;
    std::string_view packed;

    void begin(int window)
    {
        stream.next_in = input_of(packed);
        stream.avail_in = static_cast<uInt>(packed.size());
        usable = inflateInit2(&stream, window) == Z_OK;
    }
};

Unpacker::Unpacker(ContentCoding coding, std::string_view packed)
    : state_(std::make_unique<State>())
{
    state_->coding = coding;
    state_->packed = packed;
    if (packed.size() <= std::numeric_limits<uInt>::max()) {
        state_->begin(coding == ContentCoding::gzip ? kGzipWindow : kZlibWindow);
    }
}

Unpacker::~Unpacker()
{
    if (state_->usable) {
        inflateEnd(&state_->stream);
    }
}

CodingStep Unpacker::step(BodyBuffer &out)
{
    if (!state_->usable) {
        return CodingStep::failed;
    }
    z_stream &stream = state_->stream;
    stream.next_out = reinterpret_cast<Bytef *>(out.data() + out.size());
    stream.avail_out = static_cast<uInt>(std::min(kCodingStepBytes, out.capacity() - out.size()));
    const uInt room = stream.avail_out;
    int outcome = inflate(&stream, Z_NO_FLUSH);
    if (outcome == Z_DATA_ERROR && state_->coding == ContentCoding::deflate && !state_->raw && stream.total_out == 0) {
        inflateEnd(&stream);
        state_->raw = true;
        state_->begin(kRawWindow);
        return CodingStep::more;
    }
    out.commit(room - stream.avail_out);
    if (outcome == Z_STREAM_END) {
        if (stream.avail_in == 0) {
            return CodingStep::done;
        }
        return inflateReset(&stream) == Z_OK ? CodingStep::more : CodingStep::failed;
    }
    return outcome == Z_OK && (stream.avail_in != 0 || stream.avail_out == 0) ? CodingStep::more : CodingStep::failed;
}

struct Packer::State {
    z_stream stream{};
    bool usable = false;
};

Packer::Packer(ContentCoding coding, std::string_view plain)
    : state_(std::make_unique<State>())
{
    constexpr int kMemoryLevel = 8;
    z_stream &stream = state_->stream;
    stream.next_in = input_of(plain);
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(plain.size(), std::numeric_limits<uInt>::max()));
    const int window = coding == ContentCoding::gzip ? kGzipWindow : kZlibWindow;
    state_->usable = stream.avail_in == plain.size() &&
                     deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
}

Packer::~Packer()
{
    if (state_->usable) {
        deflateEnd(&state_->stream);
    }
}

CodingStep Packer::step(std::string &out)
{
    if (!state_->usable) {
        return CodingStep::failed;
    }
    const std::size_t before = out.size();
    out.resize(before + kCodingStepBytes);
    z_stream &stream = state_->stream;
    stream.next_out = reinterpret_cast<Bytef *>(out.data() + before);
    stream.avail_out = static_cast<uInt>(kCodingStepBytes);
    const int outcome = deflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
    if (outcome == Z_STREAM_END) {
        return CodingStep::done;
    }
    return outcome == Z_OK || outcome == Z_BUF_ERROR ? CodingStep::more : CodingStep::failed;
}

} // namespace basalt::server
