// A plain HTTP client over one loopback socket that shows exactly what the server sends.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace basalt::server {

struct HttpAnswer {
    int status = 0;                             // 0: the connection ended before a whole answer had come
    std::map<std::string, std::string> headers; // names in lower case
    std::string head;
    std::string body;

    [[nodiscard]] std::string header(const std::string &name) const
    {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string{} : found->second;
    }
};

/// Waits for at most a few seconds; a test that runs into this fails.
class HttpClient {
public:
    explicit HttpClient(std::uint16_t port);
    ~HttpClient();
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;

    /// False: the server has closed the connection.
    bool send(std::string_view bytes);
    /// has_body: whether a body follows the head (not after HEAD, not for an interim answer).
    HttpAnswer read_answer(bool has_body = true);
    /// Sends and reads the answer.
    HttpAnswer exchange(std::string_view bytes)
    {
        send(bytes);
        return read_answer();
    }
    /// Whether the server closes the connection, with nothing more to read.
    bool closed();

private:
    bool receive();

    int socket_;
    std::string received_;
};

/// A POST with a JSON body and what an SDK sends with it; `further` are whole header lines.
std::string post(std::string_view body, std::string_view further = {}, std::string_view target = "DynamoDB_20120810.X");

} // namespace basalt::server
