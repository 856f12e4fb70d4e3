// What the front end answers by itself, and the headers of every answer.
#include "unit/server/test_server.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <set>

namespace basalt::server {
namespace {

std::string crc_of(const std::string &body)
{
    return std::to_string(::crc32(0, reinterpret_cast<const Bytef *>(body.data()), static_cast<uInt>(body.size())));
}

TEST(FrontEnd, AnswersACall)
{
    TestServer server;
    HttpClient client(server.port());
    const HttpAnswer answer = client.exchange(post("{}", "", "DynamoDB_20120810.ListTables"));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, echo_of("DynamoDB_20120810.ListTables", 2));
    EXPECT_EQ(answer.header("content-type"), "application/x-amz-json-1.0");
    EXPECT_EQ(answer.header("content-length"), std::to_string(answer.body.size()));
    EXPECT_EQ(answer.header("server"), "Server");
    EXPECT_EQ(answer.header("connection"), "keep-alive");
    EXPECT_EQ(answer.header("x-amz-crc32"), crc_of(answer.body));
    EXPECT_EQ(answer.header("date").size(), 29U);
    EXPECT_EQ(answer.header("date").substr(25), " GMT");
    EXPECT_EQ(answer.header("access-control-allow-origin"), "");
}

TEST(FrontEnd, HeadersComeInAFixedOrder)
{
    TestServer server;
    HttpClient client(server.port());
    const std::string head = client.exchange(post("{}")).head;
    std::size_t last = 0;
    for (const char *name :
         {"HTTP/1.1 200 OK\r\n", "\r\nServer: ", "\r\nDate: ", "\r\nContent-Type: ", "\r\nContent-Length: ",
          "\r\nConnection: ", "\r\nx-amzn-RequestId: ", "\r\nx-amz-crc32: "}) {
        const std::size_t at = head.find(name);
        ASSERT_NE(at, std::string::npos) << name;
        EXPECT_GE(at, last) << name;
        last = at;
    }
}

TEST(FrontEnd, RequestIdsAreUnique)
{
    TestServer server;
    HttpClient client(server.port());
    std::set<std::string> ids;
    for (int i = 0; i < 50; ++i) {
        const std::string id = client.exchange(post("{}")).header("x-amzn-requestid");
        EXPECT_EQ(id.size(), 52U);
        EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos) << id;
        ids.insert(id);
    }
    EXPECT_EQ(ids.size(), 50U);
}

TEST(FrontEnd, HealthPage)
{
    TestServer server;
    HttpClient client(server.port());
    for (const char *path : {"/", "/?probe=1"}) {
        const HttpAnswer answer = client.exchange(std::string("GET ") + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body, "healthy: dynamodb.us-east-1.amazonaws.com ");
        EXPECT_EQ(answer.header("x-amz-crc32"), "3128867991");
        EXPECT_EQ(answer.header("x-amzn-requestid").size(), 52U);
    }
}

TEST(FrontEnd, UnknownOperationPage)
{
    TestServer server;
    HttpClient client(server.port());
    const char *const requests[] = {
        "GET /favicon.ico HTTP/1.1\r\nHost: h\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        "DELETE / HTTP/1.1\r\nHost: h\r\n\r\n",
        "OPTIONS / HTTP/1.1\r\nHost: h\r\n\r\n",
        "BREW / HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-amz-json-1.1\r\nContent-Length: 2\r\n\r\n{}",
    };
    for (const char *request : requests) {
        const HttpAnswer answer = client.exchange(request);
        EXPECT_EQ(answer.status, 404) << request;
        EXPECT_EQ(answer.body, "<UnknownOperationException/>\n") << request;
        EXPECT_EQ(answer.header("x-amz-crc32"), "3552371480") << request;
    }
}

TEST(FrontEnd, HeadHasNoBody)
{
    TestServer server;
    HttpClient client(server.port());
    client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
    const HttpAnswer answer = client.read_answer(false);
    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(answer.header("content-length"), "29");
    EXPECT_EQ(client.exchange(post("{}")).status, 200);
}

TEST(FrontEnd, ContentTypes)
{
    TestServer server;
    HttpClient client(server.port());
    const std::pair<const char *, const char *> pairs[] = {
        {"application/x-amz-json-1.0", "application/x-amz-json-1.0"},
        {"application/x-amz-json-1.0; charset=utf-8", "application/x-amz-json-1.0"},
        {"Application/X-Amz-Json-1.0", "application/x-amz-json-1.0"},
        {"application/json", "application/json"},
        {"application/json ;charset=utf-8", "application/json"},
    };
    for (const auto &[sent, received] : pairs) {
        const HttpAnswer answer = client.exchange(std::string("POST / HTTP/1.1\r\nHost: h\r\nContent-Type: ") + sent +
                                                  "\r\nContent-Length: 2\r\n\r\n{}");
        EXPECT_EQ(answer.status, 200) << sent;
        EXPECT_EQ(answer.header("content-type"), received) << sent;
    }
}

TEST(FrontEnd, EmptyBodiesReachTheDatabaseWhateverTheirType)
{
    TestServer server;
    HttpClient client(server.port());
    const HttpAnswer answer = client.exchange("POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: T\r\n\r\n");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, echo_of("T", 0));
    EXPECT_EQ(answer.header("content-type"), "application/json");
}

TEST(FrontEnd, Preflight)
{
    TestServer server;
    HttpClient client(server.port());
    const HttpAnswer answer =
        client.exchange("OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://x\r\nAccess-Control-Request-Headers: a, b\r\n"
                        "Access-Control-Request-Method: POST\r\n\r\n");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(answer.header("access-control-allow-origin"), "*");
    EXPECT_EQ(answer.header("access-control-allow-headers"), "a, b");
    EXPECT_EQ(answer.header("access-control-allow-methods"), "POST");
    EXPECT_EQ(answer.header("access-control-max-age"), "172800");
    EXPECT_EQ(answer.header("access-control-expose-headers"), "");

    const HttpAnswer bare = client.exchange("OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://x\r\n\r\n");
    EXPECT_EQ(bare.status, 200);
    EXPECT_EQ(bare.headers.count("access-control-allow-headers"), 0U);
    EXPECT_EQ(bare.headers.count("access-control-allow-methods"), 0U);
}

TEST(FrontEnd, OriginIsAnsweredOnEveryRequest)
{
    TestServer server;
    HttpClient client(server.port());
    for (const std::string &request :
         {post("{}", "Origin: http://x\r\n"), std::string("GET /x HTTP/1.1\r\nHost: h\r\nOrigin: null\r\n\r\n")}) {
        const HttpAnswer answer = client.exchange(request);
        EXPECT_EQ(answer.header("access-control-allow-origin"), "*");
        EXPECT_NE(answer.header("access-control-expose-headers").find("x-amzn-RequestId"), std::string::npos);
    }
    EXPECT_EQ(client.exchange(post("{}")).headers.count("access-control-allow-origin"), 0U);
}

TEST(FrontEnd, DatabaseStatusAndBodyAreSentAsTheyAre)
{
    TestServer server([](const Request &, Completion &completion) {
        completion.complete({400, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"});
    });
    HttpClient client(server.port());
    const HttpAnswer answer = client.exchange(post("{}"));
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.head.substr(0, 24), "HTTP/1.1 400 Bad Request");
    EXPECT_EQ(answer.header("x-amz-crc32"), "1368724161");
}

} // namespace
} // namespace basalt::server
