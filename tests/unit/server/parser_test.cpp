// The request parser, fed in pieces and with what an attacker might send.
#include "server/http_parser.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace basalt::server {
namespace {

const std::string kRequest = "POST /some?query HTTP/1.1\r\nHost: h\r\nx-amz-TARGET: DynamoDB_20120810.GetItem\r\n"
                             "Content-Type:  application/json \r\nContent-Length: 12\r\nAccept-Encoding: gzip\r\n"
                             "Content-Encoding: deflate\r\nOrigin: o\r\nExpect: 100-Continue\r\n\r\n";

void expect_request(const RequestHead &head)
{
    EXPECT_EQ(head.method, Method::post);
    EXPECT_EQ(head.path, "/some?query");
    EXPECT_EQ(head.target, "DynamoDB_20120810.GetItem");
    EXPECT_EQ(head.content_type, "application/json");
    EXPECT_EQ(head.content_length, 12U);
    EXPECT_EQ(head.accept_encoding, "gzip");
    EXPECT_EQ(head.content_encoding, "deflate");
    EXPECT_EQ(head.origin, "o");
    EXPECT_EQ(head.expectation, Expectation::continue_100);
    EXPECT_FALSE(head.chunked);
    EXPECT_TRUE(head.keep_alive);
}

TEST(Parser, HeadInOnePiece)
{
    HttpParser parser;
    for (int round = 0; round < 3; ++round) {
        ASSERT_EQ(parser.parse_head(kRequest + "{\"body\": 1}"), ParseOutcome::complete);
        EXPECT_EQ(parser.head_bytes(), kRequest.size());
        parser.reset();
    }
}

TEST(Parser, HeadInTwoPiecesThatMove)
{
    for (std::size_t cut = 1; cut < kRequest.size(); ++cut) {
        HttpParser parser;
        auto first = std::make_unique<std::string>(kRequest.substr(0, cut));
        ASSERT_EQ(parser.parse_head(*first), ParseOutcome::need_more) << cut;
        const std::string whole = kRequest + "rest";
        const std::string moved = whole;
        first.reset();
        ASSERT_EQ(parser.parse_head(moved), ParseOutcome::complete) << cut;
        EXPECT_EQ(parser.head_bytes(), kRequest.size());
        expect_request(parser.head());
        std::string again = moved;
        parser.move_head(moved.data(), again.data());
        expect_request(parser.head());
        EXPECT_EQ(parser.head().target.data() - again.data(), moved.find("DynamoDB") - 0L);
    }
}

TEST(Parser, DripFedHeadsEndAtTheLimit)
{
    HttpParser parser;
    std::string head = "GET / HTTP/1.1\r\n";
    ParseOutcome outcome = parser.parse_head(head);
    while (outcome == ParseOutcome::need_more && head.size() < 2 * kHeadLimitBytes) {
        head += "A: b\r\n";
        outcome = parser.parse_head(head);
    }
    EXPECT_EQ(outcome, ParseOutcome::too_large);
    EXPECT_LE(head.size(), kHeadLimitBytes + 8);
}

TEST(Parser, ChunksInPieces)
{
    const std::string head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string chunks = "5\r\nhello\r\n1;a=\"b\"\r\n \r\n05\r\nworld\r\n0\r\nTrailer: x\r\n\r\n";
    for (std::size_t step = 1; step <= chunks.size(); ++step) {
        HttpParser parser;
        ASSERT_EQ(parser.parse_head(head), ParseOutcome::complete);
        ASSERT_TRUE(parser.head().chunked);
        BodyBuffer body;
        ASSERT_TRUE(body.reserve(100));
        std::string unread;
        ParseOutcome outcome = ParseOutcome::need_more;
        for (std::size_t at = 0; at < chunks.size(); at += step) {
            ASSERT_EQ(outcome, ParseOutcome::need_more) << step;
            unread += chunks.substr(at, step);
            const HttpParser::Chunks result = parser.parse_chunks(unread, body);
            unread.erase(0, result.consumed);
            outcome = result.outcome;
        }
        EXPECT_EQ(outcome, ParseOutcome::complete) << step;
        EXPECT_EQ(body.view(), "hello world");
        EXPECT_EQ(unread, "");
    }
}

TEST(Parser, GarbageNeverCrashes)
{
    constexpr unsigned kSeed = 20240607;
    std::mt19937 random(kSeed);
    const std::string chunked =
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n";
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = round % 2 == 0 ? kRequest : chunked;
        for (unsigned change = random() % 4; change > 0; --change) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        HttpParser parser;
        const ParseOutcome outcome = parser.parse_head(bytes);
        if (outcome == ParseOutcome::complete && parser.head().chunked) {
            BodyBuffer body;
            ASSERT_TRUE(body.reserve(bytes.size()));
            parser.parse_chunks(std::string_view(bytes).substr(parser.head_bytes()), body);
        }
    }
    SUCCEED() << "seed " << kSeed;
}

} // namespace
} // namespace basalt::server
