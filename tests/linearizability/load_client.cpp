#include "linearizability/load_client.h"

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace basalt::linearizability {
namespace {

constexpr int kSilenceMs = 60'000;

struct Answer {
    int status;
    std::size_t body_at;
    std::size_t end;
};

/// The whole answer at the front of what was received, if it is whole.
std::optional<Answer> whole_answer(const std::string &received)
{
    const auto head_end = received.find("\r\n\r\n");
    if (head_end == std::string::npos) {
        return std::nullopt;
    }
    constexpr std::string_view kLength = "\r\nContent-Length: ";
    const auto length_at = received.find(kLength);
    if (length_at == std::string::npos || length_at > head_end || !received.starts_with("HTTP/1.1 ")) {
        throw std::runtime_error("not an answer: " + received.substr(0, head_end));
    }
    const auto length = std::strtoul(received.c_str() + length_at + kLength.size(), nullptr, 10);
    const auto body_at = head_end + 4;
    if (received.size() < body_at + length) {
        return std::nullopt;
    }
    return Answer{std::atoi(received.c_str() + 9), body_at, body_at + length};
}

} // namespace

std::string post(std::string_view target, std::string_view body)
{
    std::string request =
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: ";
    request.append(target).append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
    return request.append(body);
}

LoadClient::LoadClient(std::uint16_t port, std::size_t connections)
    : connections_(connections)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (auto &connection : connections_) {
        connection.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connection.socket < 0 ||
            ::connect(connection.socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
            throw std::runtime_error("cannot connect");
        }
    }
}

LoadClient::~LoadClient()
{
    for (const auto &connection : connections_) {
        ::close(connection.socket);
    }
}

void LoadClient::send(Connection &connection, std::string_view request) const
{
    connection.busy = true;
    while (!request.empty()) {
        const auto sent = ::send(connection.socket, request.data(), request.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            throw std::runtime_error("cannot send");
        }
        request.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void LoadClient::receive(Connection &connection) const
{
    std::array<char, 16384> buffer{};
    const auto got = ::recv(connection.socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) {
        throw std::runtime_error("the connection ended");
    }
    connection.received.append(buffer.data(), static_cast<std::size_t>(got));
}

void LoadClient::run(const std::function<std::string(std::size_t)> &next,
                     const std::function<void(std::size_t, int, std::string_view)> &answered)
{
    std::size_t busy = 0;
    const auto start = [&](std::size_t number) {
        if (const auto request = next(number); !request.empty()) {
            send(connections_[number], request);
            ++busy;
        }
    };
    std::vector<pollfd> polled;
    for (std::size_t i = 0; i < connections_.size(); ++i) {
        polled.push_back({connections_[i].socket, POLLIN, 0});
        start(i);
    }
    while (busy > 0) {
        if (::poll(polled.data(), polled.size(), kSilenceMs) <= 0) {
            throw std::runtime_error("no answer arrives any more");
        }
        for (std::size_t i = 0; i < connections_.size(); ++i) {
            auto &connection = connections_[i];
            if (polled[i].revents == 0) {
                continue;
            }
            receive(connection);
            const auto answer = whole_answer(connection.received);
            if (!answer) {
                continue;
            }
            connection.busy = false;
            --busy;
            answered(i, answer->status,
                     std::string_view(connection.received).substr(answer->body_at, answer->end - answer->body_at));
            connection.received.erase(0, answer->end);
            start(i);
        }
    }
}

} // namespace basalt::linearizability
