// Connections from beginning to end: keep-alive, deadlines, completions from other threads, limits and shutdown.
#include "unit/server/test_server.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace basalt::server {
namespace {

using std::chrono::milliseconds;

/// Keeps calls until the test completes them, as the database's threads do.
class HeldCalls {
public:
    CallHandler handler()
    {
        return [this](const Request &request, Completion &completion) {
            const std::lock_guard lock(mutex_);
            held_.push_back({&completion, std::string(request.target)});
            changed_.notify_all();
        };
    }
    void wait_for(std::size_t count)
    {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(changed_.wait_for(lock, std::chrono::seconds(20), [&] { return held_.size() >= count; }));
    }
    /// From a thread of its own, all in a row.
    void complete_all()
    {
        std::thread([this] {
            std::vector<Call> calls;
            {
                const std::lock_guard lock(mutex_);
                calls.swap(held_);
            }
            for (const Call &call : calls) {
                call.completion->complete({200, echo_of(call.target, 0)});
            }
        }).join();
    }

private:
    struct Call {
        Completion *completion;
        std::string target;
    };
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Call> held_;
};

TEST(Lifecycle, KeepAliveIsHonoured)
{
    TestServer server;
    HttpClient client(server.port());
    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(client.exchange(post("{}")).status, 200);
    }
    const HttpAnswer last = client.exchange(post("{}", "Connection: close\r\n"));
    EXPECT_EQ(last.status, 200);
    EXPECT_EQ(last.header("connection"), "close");
    EXPECT_TRUE(client.closed());

    HttpClient old(server.port());
    EXPECT_EQ(old.exchange("GET / HTTP/1.0\r\n\r\n").header("connection"), "close");
    EXPECT_TRUE(old.closed());
    HttpClient old_but_patient(server.port());
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(old_but_patient.exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").status, 200);
    }
}

TEST(Lifecycle, CompletionsFromAnotherThreadInBulk)
{
    constexpr std::size_t kClients = 40;
    constexpr int kRounds = 20;
    HeldCalls calls;
    TestServer server(calls.handler());
    std::vector<std::unique_ptr<HttpClient>> clients;
    for (std::size_t i = 0; i < kClients; ++i) {
        clients.push_back(std::make_unique<HttpClient>(server.port()));
    }
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < kClients; ++i) {
            clients[i]->send(post("{}", "", "Client" + std::to_string(i)));
        }
        calls.wait_for(kClients);
        calls.complete_all();
        for (std::size_t i = 0; i < kClients; ++i) {
            EXPECT_EQ(clients[i]->read_answer().body, echo_of("Client" + std::to_string(i), 0));
        }
    }
}

TEST(Lifecycle, CompletionsThatRaceWithTheCall)
{
    TestServer server([](const Request &request, Completion &completion) {
        std::thread([&completion, body = echo_of(request.target, request.body.size())] {
            completion.complete({200, body});
        }).detach();
    });
    HttpClient client(server.port());
    for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(client.exchange(post("{}", "", "T")).body, echo_of("T", 2));
    }
}

TEST(Lifecycle, ClientsThatLeaveBeforeTheirAnswer)
{
    HeldCalls calls;
    TestServer server(calls.handler());
    for (int i = 0; i < 10; ++i) {
        HttpClient client(server.port());
        client.send(post("{}"));
        calls.wait_for(static_cast<std::size_t>(i) + 1);
    }
    calls.complete_all();
    HttpClient client(server.port());
    client.send(post("{}", "", "T"));
    calls.wait_for(1);
    calls.complete_all();
    EXPECT_EQ(client.read_answer().body, echo_of("T", 0));
}

ServerOptions impatient()
{
    ServerOptions options;
    options.request_timeout = milliseconds(150);
    options.idle_timeout = milliseconds(150);
    return options;
}

TEST(Lifecycle, SlowAndIdleClientsAreDisconnected)
{
    TestServer server(echo, impatient());
    HttpClient silent(server.port());
    HttpClient slow_head(server.port());
    HttpClient slow_body(server.port());
    HttpClient slow_large_body(server.port());
    HttpClient slow_chunks(server.port());
    HttpClient idle(server.port());
    slow_head.send("POST / HT");
    slow_body.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc");
    slow_large_body.send("POST / HTTP/1.1\r\nContent-Length: 20000\r\n\r\nabc");
    slow_chunks.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc");
    EXPECT_EQ(idle.exchange(post("{}")).status, 200);
    for (HttpClient *client : {&silent, &slow_head, &slow_body, &slow_large_body, &slow_chunks, &idle}) {
        EXPECT_TRUE(client->closed());
    }
}

TEST(Lifecycle, ClientsThatDoNotReadAreDisconnected)
{
    TestServer server(
        [](const Request &, Completion &completion) {
            completion.complete({200, std::string(32 << 20, 'x')});
        },
        impatient());
    HttpClient client(server.port());
    client.send(post("{}"));
    HttpClient idle(server.port());
    EXPECT_TRUE(idle.closed());
    EXPECT_TRUE(server->drain(std::chrono::seconds(20)));
}

TEST(Lifecycle, ALargeAnswerIsWholeForAClientThatReads)
{
    TestServer server([](const Request &, Completion &completion) {
        completion.complete({200, std::string(20 << 20, 'x')});
    });
    HttpClient client(server.port());
    const HttpAnswer answer = client.exchange(post("{}"));
    EXPECT_EQ(answer.body, std::string(20 << 20, 'x'));
}

TEST(Lifecycle, WaitingForTheDatabaseHasNoDeadline)
{
    HeldCalls calls;
    TestServer server(calls.handler(), impatient());
    HttpClient patient(server.port());
    patient.send(post("{}", "", "T"));
    calls.wait_for(1);
    HttpClient idle(server.port());
    EXPECT_TRUE(idle.closed()); // so the deadline has passed
    calls.complete_all();
    EXPECT_EQ(patient.read_answer().body, echo_of("T", 0));
}

TEST(Lifecycle, DrainingLetsRequestsAtHandFinish)
{
    HeldCalls calls;
    ServerOptions options;
    options.io_threads = 1; // so that what was sent first has been read first
    TestServer server(calls.handler(), options);
    HttpClient busy(server.port());
    HttpClient sending(server.port());
    HttpClient idle(server.port());
    busy.send(post("{}", "", "Busy"));
    calls.wait_for(1);
    const std::string request = post("{}", "", "Sending");
    sending.send(request.substr(0, request.size() - 1));
    idle.send(post("{}", "", "Idle"));
    calls.wait_for(2);
    std::future<bool> drained = std::async(std::launch::async, [&] { return server->drain(std::chrono::seconds(20)); });
    calls.complete_all();
    for (HttpClient *client : {&busy, &idle}) {
        const HttpAnswer answer = client->read_answer();
        EXPECT_EQ(answer.status, 200);
        EXPECT_TRUE(client->closed());
    }
    sending.send(request.substr(request.size() - 1));
    calls.wait_for(1);
    calls.complete_all();
    const HttpAnswer answer = sending.read_answer();
    EXPECT_EQ(answer.body, echo_of("Sending", 0));
    EXPECT_EQ(answer.header("connection"), "close");
    EXPECT_TRUE(drained.get());
    EXPECT_THROW(HttpClient(server.port()), std::runtime_error);
}

TEST(Lifecycle, DrainingClosesIdleConnections)
{
    TestServer server;
    HttpClient used(server.port());
    HttpClient unused(server.port());
    EXPECT_EQ(used.exchange(post("{}")).status, 200);
    EXPECT_TRUE(server->drain(std::chrono::seconds(20)));
    EXPECT_TRUE(used.closed());
    EXPECT_TRUE(unused.closed());
}

TEST(Lifecycle, StoppingEndsWhatDrainingLeft)
{
    HeldCalls calls;
    TestServer server(calls.handler());
    HttpClient busy(server.port());
    HttpClient halfway(server.port());
    halfway.send("POST / HTTP/1.1\r\nContent-Le");
    busy.send(post("{}"));
    calls.wait_for(1);
    EXPECT_FALSE(server->drain(milliseconds(20)));
    std::future<void> stopped = std::async(std::launch::async, [&] { server->stop(); });
    EXPECT_TRUE(halfway.closed());
    calls.complete_all(); // as closing the database does
    stopped.get();
    EXPECT_EQ(busy.read_answer().status, 0);
}

TEST(Lifecycle, ConnectionsOverTheLimitAreTurnedAway)
{
    ServerOptions options;
    options.max_connections = 2;
    TestServer server(echo, options);
    HttpClient first(server.port());
    HttpClient second(server.port());
    EXPECT_EQ(first.exchange(post("{}")).status, 200);
    EXPECT_EQ(second.exchange(post("{}")).status, 200);
    HttpClient third(server.port());
    EXPECT_EQ(third.read_answer().status, 503);
    EXPECT_TRUE(third.closed());
    EXPECT_EQ(first.exchange(post("{}")).status, 200);
}

TEST(Lifecycle, BindingTellsWhatIsWrong)
{
    TestServer server;
    ServerOptions options;
    options.port = server.port();
    const auto taken = Server::bind(options);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().code, ErrorCode::io_error);
    EXPECT_EQ(taken.error().message, "cannot listen on 127.0.0.1:" + std::to_string(server.port()) +
                                         ": the port is in use by another program");

    options.port = 0;
    options.host = "no.such.host";
    const auto unknown = Server::bind(options);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::invalid_options);
    EXPECT_EQ(unknown.error().message, "host 'no.such.host' is neither an IP address nor 'localhost'");
}

TEST(Lifecycle, EndpointsCanBeConnectedTo)
{
    ServerOptions options;
    for (const auto &[host, url] : {std::pair<const char *, std::string>{"localhost", "http://127.0.0.1:"},
                                    {"0.0.0.0", "http://127.0.0.1:"},
                                    {"127.0.0.1", "http://127.0.0.1:"},
                                    {"::", "http://127.0.0.1:"}}) {
        options.host = host;
        TestServer server(echo, options);
        EXPECT_NE(server.port(), 0);
        EXPECT_EQ(server->endpoint(), url + std::to_string(server.port())) << host;
        HttpClient client(server.port());
        EXPECT_EQ(client.exchange(post("{}")).status, 200) << host;
    }
}

TEST(Lifecycle, ServersThatNeverStartEndQuietly)
{
    ServerOptions options;
    options.port = 0;
    auto bound = Server::bind(options);
    ASSERT_TRUE(bound);
    EXPECT_TRUE((*bound)->drain(milliseconds(0)));
}

} // namespace
} // namespace basalt::server
