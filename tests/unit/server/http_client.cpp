#include "unit/server/http_client.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace basalt::server {
namespace {

constexpr int kPatienceSeconds = 20;

} // namespace

HttpClient::HttpClient(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{kPatienceSeconds, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
        throw std::runtime_error("cannot connect to the server under test");
    }
}

HttpClient::~HttpClient()
{
    ::close(socket_);
}

bool HttpClient::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool HttpClient::receive()
{
    std::array<char, 65536> piece{};
    const ssize_t count = ::recv(socket_, piece.data(), piece.size(), 0);
    if (count <= 0) {
        return false;
    }
    received_.append(piece.data(), static_cast<std::size_t>(count));
    return true;
}

HttpAnswer HttpClient::read_answer(bool has_body)
{
    HttpAnswer answer;
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
        if (!receive()) {
            return {};
        }
    }
    answer.head = received_.substr(0, end + 2);
    received_.erase(0, end + 4);
    std::size_t line = answer.head.find("\r\n") + 2;
    while (line < answer.head.size()) {
        const std::size_t line_end = answer.head.find("\r\n", line);
        const std::size_t colon = answer.head.find(": ", line);
        std::string name = answer.head.substr(line, colon - line);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        answer.headers[name] = answer.head.substr(colon + 2, line_end - colon - 2);
        line = line_end + 2;
    }
    const std::size_t length = has_body ? std::stoul("0" + answer.header("content-length")) : 0;
    while (received_.size() < length) {
        if (!receive()) {
            return {};
        }
    }
    answer.body = received_.substr(0, length);
    received_.erase(0, length);
    answer.status = std::stoi(answer.head.substr(9, 3));
    return answer;
}

bool HttpClient::closed()
{
    if (!received_.empty()) {
        return false;
    }
    char byte = 0;
    return ::recv(socket_, &byte, 1, 0) == 0;
}

std::string post(std::string_view body, std::string_view further, std::string_view target)
{
    std::string request = "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: ";
    request.append(target).append("\r\nContent-Type: application/x-amz-json-1.0\r\n").append(further);
    request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    return request;
}

} // namespace basalt::server
