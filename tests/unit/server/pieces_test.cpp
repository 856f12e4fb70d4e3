// The parts of the server that need no socket: checksum, dates, codings, memory budget, routes.
#include "server/content_coding.h"
#include "server/crc32.h"
#include "server/memory_budget.h"
#include "server/response_head.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>

namespace basalt::server {
namespace {

TEST(Crc32, AgreesWithZlibForEveryLengthAndAlignment)
{
    constexpr unsigned kSeed = 7;
    std::mt19937 random(kSeed);
    std::string bytes(1200, '\0');
    for (char &byte : bytes) {
        byte = static_cast<char>(random());
    }
    for (std::size_t offset = 0; offset < 17; ++offset) {
        for (std::size_t length = 0; length + offset <= bytes.size(); length += length < 300 ? 1 : 37) {
            const std::string_view part = std::string_view(bytes).substr(offset, length);
            ASSERT_EQ(crc32(part), ::crc32(0, reinterpret_cast<const Bytef *>(part.data()), static_cast<uInt>(length)))
                << offset << ' ' << length << " seed " << kSeed;
        }
    }
    EXPECT_EQ(crc32("healthy: dynamodb.us-east-1.amazonaws.com "), 3128867991U);
    EXPECT_EQ(crc32({}), 0U);
}

TEST(ResponseHead, DatesAreInImfFixdate)
{
    EXPECT_EQ(HttpDate::format(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(HttpDate::format(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(HttpDate::format(1709210096), "Thu, 29 Feb 2024 12:34:56 GMT");
}

TEST(ResponseHead, IsWrittenWhole)
{
    HttpDate date;
    RequestIds ids(1);
    std::string head;
    write_response_head(
        {.status = 503, .content_length = 18446744073709551615U, .crc32 = 4294967295U, .keep_alive = false}, date, ids,
        head);
    EXPECT_EQ(head.find("HTTP/1.1 503 Service Unavailable\r\nServer: Server\r\nDate: "), 0U);
    EXPECT_NE(head.find("GMT\r\nContent-Length: 18446744073709551615\r\nConnection: close\r\nx-amzn-RequestId: "),
              std::string::npos);
    EXPECT_EQ(head.substr(head.size() - 29), "\r\nx-amz-crc32: 4294967295\r\n\r\n");
    const std::string lines(5000, 'x');
    write_response_head({.further_lines = lines + "\r\n"}, date, ids, head);
    EXPECT_NE(head.find(lines), std::string::npos);
}

TEST(ContentCoding, IsChosenFromAcceptEncoding)
{
    EXPECT_EQ(acceptable_coding(""), ContentCoding::identity);
    EXPECT_EQ(acceptable_coding("identity"), ContentCoding::identity);
    EXPECT_EQ(acceptable_coding("gzip"), ContentCoding::gzip);
    EXPECT_EQ(acceptable_coding("deflate"), ContentCoding::deflate);
    EXPECT_EQ(acceptable_coding("deflate, GZIP ; q=0.1"), ContentCoding::gzip);
    EXPECT_EQ(acceptable_coding("gzip;q=0.000, deflate;q=1"), ContentCoding::deflate);
    EXPECT_EQ(acceptable_coding("gzip; q=0"), ContentCoding::identity);
    EXPECT_EQ(acceptable_coding(",, ,;;"), ContentCoding::identity);
}

TEST(MemoryBudget, GrantsInOrderOfArrival)
{
    EventLoop loop(1000);
    MemoryBudget budget(100);
    MemoryBudget::Waiter large{.bytes = 90, .loop = &loop, .wakeable = {}, .granted = false};
    MemoryBudget::Waiter small{.bytes = 10, .loop = &loop, .wakeable = {}, .granted = false};
    EXPECT_TRUE(budget.try_acquire(60));
    EXPECT_FALSE(budget.try_acquire(41));
    EXPECT_FALSE(budget.acquire_or_wait(large));
    EXPECT_FALSE(budget.acquire_or_wait(small)); // it would fit, but is not the first
    EXPECT_FALSE(budget.try_acquire(1));
    budget.release(20);
    EXPECT_FALSE(large.granted);
    budget.release(40);
    EXPECT_TRUE(large.granted);
    EXPECT_TRUE(small.granted);
    EXPECT_EQ(budget.used_bytes(), 100U);
    EXPECT_FALSE(budget.withdraw(small));
    MemoryBudget::Waiter late{.bytes = 1, .loop = &loop, .wakeable = {}, .granted = false};
    EXPECT_FALSE(budget.acquire_or_wait(late));
    EXPECT_TRUE(budget.withdraw(late));
    budget.release(100);
    EXPECT_FALSE(late.granted);
    EXPECT_TRUE(budget.try_acquire(100));
    EXPECT_FALSE(budget.try_acquire(static_cast<std::size_t>(-1)));
}

TEST(MemoryBudget, WhoeverStoodBehindOneThatGaveUpIsGranted)
{
    EventLoop loop(1000);
    MemoryBudget budget(100);
    MemoryBudget::Waiter large{.bytes = 90, .loop = &loop, .wakeable = {}, .granted = false};
    MemoryBudget::Waiter small{.bytes = 10, .loop = &loop, .wakeable = {}, .granted = false};
    EXPECT_TRUE(budget.try_acquire(60));
    EXPECT_FALSE(budget.acquire_or_wait(large));
    EXPECT_FALSE(budget.acquire_or_wait(small));
    EXPECT_TRUE(budget.withdraw(large));
    EXPECT_TRUE(small.granted);
    EXPECT_TRUE(budget.try_acquire(30));
}

TEST(MemoryBudget, WhatExistsAlreadyIsCountedBeyondTheLimit)
{
    MemoryBudget budget(100);
    budget.take_regardless(150);
    EXPECT_FALSE(budget.try_acquire(1));
    budget.release(100);
    EXPECT_TRUE(budget.try_acquire(50));
}

} // namespace
} // namespace basalt::server
