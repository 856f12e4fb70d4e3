// A server on a free port over a stub database, for the tests that need a socket.
#pragma once

#include "server/server.h"
#include "unit/server/http_client.h"
#include "unit/server/stub_database.h"

#include <memory>
#include <string>

namespace basalt::server {

/// Answers every call at once with {"target":...,"length":...}.
void echo(const Request &request, Completion &completion);
[[nodiscard]] std::string echo_of(std::string_view target, std::size_t length);

class TestServer {
public:
    explicit TestServer(CallHandler handler = echo, ServerOptions options = {})
        : database_(stub_database(std::move(handler)))
    {
        options.port = 0;
        auto bound = Server::bind(options);
        server_ = std::move(bound).value();
        server_->start(*database_);
    }

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    Server &operator*() { return *server_; }
    Server *operator->() { return server_.get(); }

private:
    std::unique_ptr<Database> database_;
    std::unique_ptr<Server> server_;
};

} // namespace basalt::server
