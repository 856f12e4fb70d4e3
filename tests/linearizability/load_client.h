// Many HTTP connections driven from one thread, each with one request under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::linearizability {

/// POST / with the target and a JSON body.
[[nodiscard]] std::string post(std::string_view target, std::string_view body);

class LoadClient {
public:
    /// Connects at once. Throws std::runtime_error on any failure of the network, here and below.
    LoadClient(std::uint16_t port, std::size_t connections);
    ~LoadClient();
    LoadClient(const LoadClient &) = delete;
    LoadClient &operator=(const LoadClient &) = delete;

    /// next(connection) gives the next request, empty when the connection has done its part; answered(connection,
    /// status, body) takes each answer. Returns when all connections are done. Fails when nothing arrives for a minute.
    void run(const std::function<std::string(std::size_t)> &next,
             const std::function<void(std::size_t, int, std::string_view)> &answered);

private:
    struct Connection {
        int socket = -1;
        bool busy = false;
        std::string received;
    };
    void send(Connection &connection, std::string_view request) const;
    void receive(Connection &connection) const;

    std::vector<Connection> connections_;
};

} // namespace basalt::linearizability
