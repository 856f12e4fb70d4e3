// Request bodies: sizes, chunks, expectations, compression, pipelining, and requests that are refused.
#include "server/routing.h"
#include "unit/server/test_server.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <atomic>
#include <string>

namespace basalt::server {
namespace {

/// Checks that bytes and padding are as they should be, and echoes.
void echo_checked(const Request &request, Completion &completion)
{
    bool right = request.body_padding >= kBodyPadding;
    for (std::size_t i = 0; i < request.body.size(); ++i) {
        right = right && request.body[i] == static_cast<char>('a' + i % 26);
    }
    unsigned sum = 0;
    for (std::size_t i = 0; i < request.body_padding; ++i) {
        sum += static_cast<unsigned char>(request.body.data()[request.body.size() + i]); // readable
    }
    completion.complete({right ? 200 : 500, echo_of(request.target, request.body.size() + (sum == ~0U ? 1 : 0))});
}

std::string letters(std::size_t length)
{
    std::string text(length, ' ');
    for (std::size_t i = 0; i < length; ++i) {
        text[i] = static_cast<char>('a' + i % 26);
    }
    return text;
}

std::string chunked(std::string_view body, std::size_t chunk_bytes, std::string_view further = {})
{
    std::string request = "POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: T\r\nContent-Type: application/json\r\n" +
                          std::string(further) + "Transfer-Encoding: chunked\r\n\r\n";
    for (std::size_t at = 0; at < body.size(); at += chunk_bytes) {
        const std::string_view chunk = body.substr(at, chunk_bytes);
        char size[32];
        std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
        request.append(size).append(chunk).append("\r\n");
    }
    return request + "0\r\n\r\n";
}

std::string packed(std::string_view text, int window)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
    std::string out(compressBound(text.size()) + 64, '\0');
    std::string input(text);
    stream.next_in = reinterpret_cast<Bytef *>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

constexpr int kGzip = MAX_WBITS + 16;

TEST(Bodies, OfEverySizeAroundTheBufferLimits)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    for (const std::size_t size :
         {1UL, 100UL, 8000UL, 8050UL, 8100UL, 8191UL, 8192UL, 8193UL, 16384UL, 100'000UL, 4UL << 20, kBodyLimitBytes}) {
        const HttpAnswer answer = client.exchange(post(letters(size), "", "T"));
        EXPECT_EQ(answer.status, 200) << size;
        EXPECT_EQ(answer.body, echo_of("T", size));
    }
}

TEST(Bodies, ArrivingByteByByte)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    for (const char byte : post(letters(30), "", "Slow")) {
        ASSERT_TRUE(client.send({&byte, 1}));
    }
    EXPECT_EQ(client.read_answer().body, echo_of("Slow", 30));
    for (const char byte : chunked(letters(30), 7)) {
        ASSERT_TRUE(client.send({&byte, 1}));
    }
    EXPECT_EQ(client.read_answer().body, echo_of("T", 30));
}

TEST(Bodies, Chunked)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    for (const std::size_t size : {1UL, 26UL, 5000UL, 100'000UL, 3UL << 20, kBodyLimitBytes}) {
        const HttpAnswer answer = client.exchange(chunked(letters(size), size < 1000 ? 3 : 65'000));
        EXPECT_EQ(answer.status, 200) << size;
        EXPECT_EQ(answer.body, echo_of("T", size));
    }
    EXPECT_EQ(client.exchange(chunked("", 1)).body, echo_of("T", 0));
}

TEST(Bodies, TrailersDoNotChangeTheRequest)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    const HttpAnswer answer =
        client.exchange("POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: Right\r\nContent-Type: application/json\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n1;note=x\r\na\r\n0\r\nX-Amz-Target: Wrong\r\n\r\n");
    EXPECT_EQ(answer.body, echo_of("Right", 1));
}

TEST(Bodies, PipelinedRequestsAreAnsweredInOrder)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    std::string both = post(letters(10), "", "First") + "\r\n" + post(letters(20'000), "", "Second") +
                       chunked(letters(9000), 100) + post("", "", "Fourth");
    client.send(both);
    EXPECT_EQ(client.read_answer().body, echo_of("First", 10));
    EXPECT_EQ(client.read_answer().body, echo_of("Second", 20'000));
    EXPECT_EQ(client.read_answer().body, echo_of("T", 9000));
    EXPECT_EQ(client.read_answer().body, echo_of("Fourth", 0));
}

TEST(Bodies, ExpectContinue)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    for (const std::size_t size : {10UL, 50'000UL}) {
        client.send("POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: T\r\nContent-Type: application/json\r\n"
                    "Expect: 100-continue\r\nContent-Length: " +
                    std::to_string(size) + "\r\n\r\n");
        EXPECT_EQ(client.read_answer(false).status, 100);
        EXPECT_EQ(client.exchange(letters(size)).body, echo_of("T", size));
    }
    // A body that comes along needs no permission.
    EXPECT_EQ(client.exchange(post(letters(5), "Expect: 100-continue\r\n", "T")).body, echo_of("T", 5));
}

TEST(Bodies, ExpectContinueIsRefusedForABodyThatIsTooLarge)
{
    TestServer server;
    HttpClient client(server.port());
    const HttpAnswer answer =
        client.exchange("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 17000000\r\n\r\n");
    EXPECT_EQ(answer.status, 413);
    EXPECT_EQ(answer.header("connection"), "close");
    EXPECT_TRUE(client.closed());
}

TEST(Bodies, UnknownExpectationFails)
{
    TestServer server;
    HttpClient client(server.port());
    EXPECT_EQ(client.exchange(post("{}", "Expect: miracles\r\n")).status, 417);
}

TEST(Bodies, TooLargeIsAnsweredAfterTheWholeBodyWasSent)
{
    TestServer server;
    for (const bool in_chunks : {false, true}) {
        HttpClient client(server.port());
        const std::string body = letters(kBodyLimitBytes + 1);
        ASSERT_TRUE(client.send(in_chunks ? chunked(body, 100'000) : post(body)));
        const HttpAnswer answer = client.read_answer();
        EXPECT_EQ(answer.status, 413);
        EXPECT_NE(answer.body.find("RequestEntityTooLarge"), std::string::npos);
        EXPECT_TRUE(client.closed());
    }
}

TEST(Bodies, HeadsOverTheLimitAreBadRequests)
{
    TestServer server;
    const std::string filler(17'000, 'x');
    for (const std::string &request :
         {"GET /" + filler + " HTTP/1.1\r\nHost: h\r\n\r\n", post("{}", "X-Filler: " + filler + "\r\n"),
          "GET / HTTP/1.1\r\n" + std::string(1000, 'a') + ": b\r\nX: " + filler + "\r\n\r\n"}) {
        HttpClient client(server.port());
        EXPECT_EQ(client.exchange(request).status, 400);
        EXPECT_TRUE(client.closed());
    }
    HttpClient client(server.port());
    EXPECT_EQ(client.exchange(post("{}", "X-Filler: " + filler.substr(0, 16'000) + "\r\n")).status, 200);
    EXPECT_EQ(client.exchange(post(letters(9000), "X-Filler: " + filler.substr(0, 15'000) + "\r\n")).status, 200);
}

TEST(Bodies, MalformedRequestsAreBadRequests)
{
    TestServer server;
    const char *const requests[] = {
        "nonsense\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nbad header\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nOrigin: a\r\n folded\r\n\r\n",
    };
    for (const char *request : requests) {
        HttpClient client(server.port());
        EXPECT_EQ(client.exchange(request).status, 400) << request;
        EXPECT_TRUE(client.closed()) << request;
    }
}

TEST(Bodies, PackedRequestsAreUnpacked)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    for (const std::size_t size : {1UL, 1000UL, 300'000UL}) {
        const std::string text = letters(size);
        const std::string half = text.substr(0, 26 * (size / 52));
        const std::string members = packed(half, kGzip) + packed(text.substr(half.size()), kGzip);
        EXPECT_EQ(client.exchange(post(packed(text, kGzip), "Content-Encoding: gzip\r\n", "T")).body,
                  echo_of("T", size));
        EXPECT_EQ(client.exchange(post(members, "Content-Encoding: GZIP\r\n", "T")).body, echo_of("T", size));
        EXPECT_EQ(client.exchange(post(packed(text, MAX_WBITS), "Content-Encoding: deflate\r\n", "T")).body,
                  echo_of("T", size));
        EXPECT_EQ(client.exchange(post(packed(text, -MAX_WBITS), "Content-Encoding: deflate\r\n", "T")).body,
                  echo_of("T", size));
        EXPECT_EQ(client.exchange(chunked(packed(text, kGzip), 1000, "Content-Encoding: gzip\r\n")).body,
                  echo_of("T", size));
    }
    EXPECT_EQ(client.exchange(post("abc", "Content-Encoding: amz-1.0\r\n", "T")).body, echo_of("T", 3));
}

TEST(Bodies, CorruptOrHugePackedRequestsFail)
{
    TestServer server(echo_checked);
    HttpClient client(server.port());
    const std::string good = packed(letters(1000), kGzip);
    std::string flipped = good;
    flipped[flipped.size() / 2] ^= 0x55;
    const std::string bomb = packed(std::string(kBodyLimitBytes + 1, 'a'), kGzip);
    for (const std::string &body : {good.substr(0, good.size() / 2), flipped, std::string("not gzip"), bomb}) {
        const HttpAnswer answer = client.exchange(post(body, "Content-Encoding: gzip\r\n"));
        EXPECT_EQ(answer.status, 500);
        EXPECT_EQ(answer.body, R"({"__type":"com.amazon.coral.service#InternalFailure"})");
    }
    EXPECT_EQ(client.exchange(post(good, "Content-Encoding: gzip\r\n", "T")).body, echo_of("T", 1000));
}

TEST(Bodies, LargeResponsesArePackedOnRequest)
{
    const std::string text = letters(200'000);
    TestServer server([&](const Request &request, Completion &completion) {
        completion.complete({200, text.substr(0, request.target == "Small" ? 4095 : text.size())});
    });
    HttpClient client(server.port());
    for (const char *accepted : {"gzip", "deflate, gzip;q=0.5", "br, gzip"}) {
        const HttpAnswer answer = client.exchange(post("{}", std::string("Accept-Encoding: ") + accepted + "\r\n"));
        EXPECT_EQ(answer.header("content-encoding"), "gzip");
        EXPECT_LT(answer.body.size(), text.size() / 2);
        EXPECT_EQ(answer.header("x-amz-crc32"),
                  std::to_string(::crc32(0, reinterpret_cast<const Bytef *>(answer.body.data()),
                                         static_cast<uInt>(answer.body.size()))));
        std::string plain(text.size(), '\0');
        z_stream stream{};
        inflateInit2(&stream, kGzip);
        std::string input = answer.body;
        stream.next_in = reinterpret_cast<Bytef *>(input.data());
        stream.avail_in = static_cast<uInt>(input.size());
        stream.next_out = reinterpret_cast<Bytef *>(plain.data());
        stream.avail_out = static_cast<uInt>(plain.size());
        EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
        inflateEnd(&stream);
        EXPECT_EQ(plain, text);
    }
    for (const char *accepted : {"identity", "gzip;q=0", "br", ""}) {
        const HttpAnswer answer = client.exchange(post("{}", std::string("Accept-Encoding: ") + accepted + "\r\n"));
        EXPECT_EQ(answer.header("content-encoding"), "") << accepted;
        EXPECT_EQ(answer.body, text);
    }
    const HttpAnswer small = client.exchange(post("{}", "Accept-Encoding: gzip\r\n", "Small"));
    EXPECT_EQ(small.header("content-encoding"), "");
}

TEST(Bodies, MemoryIsGrantedInTurn)
{
    // Room for one body of 20,000 bytes at a time: the second client's is read when the first has been answered.
    std::atomic<int> calls{0};
    ServerOptions options;
    options.body_memory_bytes = 30'000;
    options.io_threads = 1;
    TestServer server(
        [&](const Request &request, Completion &completion) {
            calls.fetch_add(1);
            echo_checked(request, completion);
        },
        options);
    HttpClient first(server.port());
    HttpClient second(server.port());
    const std::string request = post(letters(20'000), "", "T");
    const std::string_view whole = request;
    ASSERT_TRUE(first.send(whole.substr(0, 10'000)));
    EXPECT_EQ(HttpClient(server.port()).exchange(post(letters(40'000))).status, 503); // never fits
    ASSERT_TRUE(second.send(whole));
    EXPECT_EQ(calls.load(), 0);
    ASSERT_TRUE(first.send(whole.substr(10'000)));
    EXPECT_EQ(first.read_answer().body, echo_of("T", 20'000));
    EXPECT_EQ(second.read_answer().body, echo_of("T", 20'000));
}

} // namespace
} // namespace basalt::server
