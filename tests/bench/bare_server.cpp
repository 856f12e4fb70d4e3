// The yardstick of the benchmark: the least a server built on Beast does. It reads each request with Beast's parser and
// answers it with one fixed body of about 1 KB. One io_context for each core, connections dealt out in turn, no timers.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
constexpr asio::use_awaitable_t<Executor> kAwait;

constexpr std::size_t kBodyBytes = 1024;
constexpr std::uint64_t kBodyLimitBytes = std::uint64_t{16} << 20;

asio::awaitable<void, Executor> serve(Socket socket)
{
    const std::string body(kBodyBytes, 'x');
    boost::beast::flat_buffer buffer;
    try {
        socket.set_option(tcp::no_delay(true));
        for (bool keep_alive = true; keep_alive;) {
            http::request_parser<http::string_body> parser;
            parser.body_limit(kBodyLimitBytes);
            co_await http::async_read(socket, buffer, parser, kAwait);
            keep_alive = parser.get().keep_alive();
            http::response<http::string_body> response(http::status::ok, parser.get().version());
            response.set(http::field::content_type, "application/x-amz-json-1.0");
            response.keep_alive(keep_alive);
            response.body() = body;
            response.prepare_payload();
            co_await http::async_write(socket, response, kAwait);
        }
    } catch (const boost::system::system_error &) {
        co_return; // the client has left
    }
}

class Worker {
public:
    Worker()
        : work_(context_.get_executor())
    {}
    asio::io_context &context() { return context_; }
    void start()
    {
        thread_ = std::thread([this] { context_.run(); });
    }
    void join() { thread_.join(); }

private:
    asio::io_context context_{1};
    asio::executor_work_guard<Executor> work_;
    std::thread thread_;
};

} // namespace

int main()
{
    try {
        std::vector<std::unique_ptr<Worker>> workers(std::max(1U, std::thread::hardware_concurrency()));
        for (auto &worker : workers) {
            worker = std::make_unique<Worker>();
            worker->start();
        }
        asio::io_context accepting(1);
        tcp::acceptor acceptor(accepting, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
        std::printf("BARE READY endpoint=http://127.0.0.1:%d pid=%ld\n",
                    static_cast<int>(acceptor.local_endpoint().port()), static_cast<long>(getpid()));
        std::fflush(stdout);
        for (std::size_t next = 0;; next = (next + 1) % workers.size()) {
            asio::io_context &context = workers[next]->context();
            Socket socket(context);
            acceptor.accept(socket);
            asio::co_spawn(context, serve(std::move(socket)), asio::detached);
        }
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "bare_server: %s\n", failure.what());
        return 1;
    }
}
