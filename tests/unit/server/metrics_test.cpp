// GET /metrics on its own port.
#include "base/metrics.h"
#include "unit/server/test_server.h"

#include <gtest/gtest.h>

#include <charconv>

namespace basalt::server {
namespace {

Counter counter("basalt_test_page_total", "A test's.");

std::uint16_t port_of(const std::string &address)
{
    std::uint16_t port = 0;
    const auto colon = address.rfind(':');
    std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
    return port;
}

std::string get(const std::string &path)
{
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

ServerOptions with_metrics()
{
    ServerOptions options;
    options.metrics_port = 0;
    return options;
}

TEST(MetricsPage, IsServedOnItsOwnPort)
{
    TestServer server(echo, with_metrics());
    counter.add();
    const std::string address = server->metrics_address();
    EXPECT_EQ(address.substr(0, 17), "http://127.0.0.1:");
    EXPECT_TRUE(address.ends_with("/metrics"));
    HttpClient client(port_of(address));
    const HttpAnswer answer = client.exchange(get("/metrics"));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_NE(answer.body.find("\n# TYPE basalt_test_page_total counter\nbasalt_test_page_total 1\n"),
              std::string::npos)
        << answer.body;
    EXPECT_EQ(client.exchange(get("/metrics?x=y")).status, 200) << "on the same connection";
}

TEST(MetricsPage, IsAllThatThePortServes)
{
    TestServer server(echo, with_metrics());
    HttpClient client(port_of(server->metrics_address()));
    EXPECT_EQ(client.exchange(get("/")).status, 404);
    EXPECT_EQ(client.exchange(post("{}", "", "DynamoDB_20120810.ListTables")).status, 404);
}

TEST(MetricsPage, IsNotServedOnTheMainPort)
{
    TestServer server(echo, with_metrics());
    HttpClient client(server.port());
    EXPECT_EQ(client.exchange(get("/metrics")).status, 404);
}

TEST(MetricsPage, IsOffByDefault)
{
    TestServer server;
    EXPECT_EQ(server->metrics_address(), "");
}

TEST(MetricsPage, ItsConnectionsTakeNoneOfTheServers)
{
    ServerOptions options = with_metrics();
    options.max_connections = 2;
    TestServer server(echo, options);
    HttpClient first(port_of(server->metrics_address()));
    HttpClient second(port_of(server->metrics_address()));
    EXPECT_EQ(first.exchange(get("/metrics")).status, 200);
    EXPECT_EQ(second.exchange(get("/metrics")).status, 200);
    HttpClient client(server.port());
    EXPECT_EQ(client.exchange(post("{}")).status, 200);
}

TEST(MetricsPage, IsThereWhenTheServerIsFull)
{
    ServerOptions options = with_metrics();
    options.max_connections = 1;
    TestServer server(echo, options);
    HttpClient client(server.port());
    EXPECT_EQ(client.exchange(post("{}")).status, 200);
    HttpClient watcher(port_of(server->metrics_address()));
    EXPECT_EQ(watcher.exchange(get("/metrics")).status, 200);
}

} // namespace
} // namespace basalt::server
