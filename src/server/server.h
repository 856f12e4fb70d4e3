// The HTTP server: a listening socket, one event loop per thread, and an orderly end.
#pragma once

#include "basalt/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace basalt {
class Database;
}

namespace basalt::server {

struct ServerOptions {
    /// An IPv4 or IPv6 address, or "localhost". "::" also takes IPv4, and becomes "0.0.0.0" where there is no IPv6.
    std::string host = "127.0.0.1";
    /// 0: any free one.
    std::uint16_t port = 8000;
    /// 0: one for each core.
    int io_threads = 0;
    std::size_t max_connections = 4096;
    /// Where GET /metrics is answered, and nothing else; nothing: nowhere. 0: any free port.
    std::optional<std::uint16_t> metrics_port;
    std::string metrics_host = "127.0.0.1";
    /// For request bodies that do not fit into a connection's own buffer, together.
    std::size_t body_memory_bytes = std::size_t{64} << 20;
    std::chrono::milliseconds request_timeout{30'000};
    std::chrono::milliseconds idle_timeout{300'000};
    /// Compress large responses for clients that accept it.
    bool compress = true;
    /// Shown by the health page.
    std::string region = "us-east-1";
};

class Server {
public:
    /// Binds and listens, so that clients may connect and wait; nothing is accepted yet. Errors: invalid_options (a
    /// host that is no address), io_error (e.g. the port is in use), each with a sentence for a person.
    static Result<std::unique_ptr<Server>> bind(const ServerOptions &options);

    /// As stop().
    ~Server();
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    /// Where a client on this machine reaches the server: "http://127.0.0.1:8000".
    [[nodiscard]] std::string endpoint() const;
    [[nodiscard]] std::uint16_t port() const;
    /// "http://127.0.0.1:9100/metrics"; empty: they are not served.
    [[nodiscard]] std::string metrics_address() const;

    /// Accepts connections. Once. `database` outlives the server, or at least its stop().
    void start(Database &database);

    /// Stops accepting, closes idle connections and waits for requests at hand. False: some were left after `grace`.
    bool drain(std::chrono::milliseconds grace);

    /// Closes every connection and ends the threads. Waits for calls that the database has not completed. Idempotent.
    void stop();

private:
    class Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace basalt::server
