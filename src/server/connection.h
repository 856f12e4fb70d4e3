// One client connection: reads requests one after the other, has them answered, and writes the answers.
#pragma once

#include "basalt/database.h"
#include "server/body_buffer.h"
#include "server/content_coding.h"
#include "server/event_loop.h"
#include "server/http_parser.h"
#include "server/input_buffer.h"
#include "server/memory_budget.h"
#include "server/routing.h"
#include "server/task.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::server {

/// What all connections of a server share. Outlives them.
struct ConnectionSettings {
    Database &database;
    MemoryBudget &budget;
    /// For a head, for a body beyond what its size allows, for memory, for a client that does not read.
    std::int64_t request_timeout_ms;
    /// Between two requests.
    std::int64_t idle_timeout_ms;
    bool compress;
    std::string health_body;
    /// Connections through the entrance, those on their way included; whoever starts one counts it.
    std::atomic<std::size_t> &open;
    Entrance entrance = Entrance::api;
};

class Connection final : public LoopMember, public Completion {
public:
    /// On the loop's thread. The connection frees itself at its end.
    static void start(EventLoop &loop, const ConnectionSettings &settings, Socket socket);

    void on_tick(std::int64_t now_ms) override;
    void on_drain() override;
    void on_abort() override;
    void complete(Response response) noexcept override;

private:
    enum class Phase : std::uint8_t { idle, receiving, waiting_for_memory, answering, sending };
    /// How receiving a request ended. All but `complete` and `unpackable` end the connection.
    enum class Received : std::uint8_t {
        complete,
        unpackable, // its Content-Encoding is corrupt or hides too much
        malformed,
        too_large,
        no_memory,
        unknown_expectation,
        gone,
    };

    Connection(EventLoop &loop, const ConnectionSettings &settings, Socket socket);
    ~Connection() { settings_.open.fetch_sub(1, std::memory_order_relaxed); }
    static Detached run(Connection *self);
    Task<> serve();

    // The request.
    ParseOutcome parse_more();
    [[nodiscard]] bool take_body_in_place();
    Task<Received> receive_body();
    Task<Received> receive_sized_body();
    Task<Received> receive_small_body();
    Task<Received> receive_chunked_body();
    Task<Received> unpack_body(ContentCoding coding);
    Task<bool> admit(std::size_t bytes);
    [[nodiscard]] bool grow_body(std::size_t capacity);
    Task<bool> send_continue();

    // The answer. True: it is there; false: it will be, and wakes answered_.
    bool answer();
    bool call_database();
    void refuse(Received received);
    void finish_request();

    // Output.
    Task<> pack_response();
    void write_head();
    [[nodiscard]] std::string_view sendable_body() const noexcept;
    bool send_at_once();
    Task<bool> send_rest();
    Task<> linger();
    void close() noexcept;

    [[nodiscard]] const RequestHead &head() const noexcept { return parser_.head(); }
    void enter(Phase phase, std::int64_t timeout_ms) noexcept
    {
        phase_ = phase;
        deadline_ms_ = loop_.now_ms() + timeout_ms;
    }

    EventLoop &loop_;
    const ConnectionSettings &settings_;
    Socket socket_;
    HttpParser parser_;
    InputBuffer input_;
    Phase phase_ = Phase::idle;
    bool keep_alive_ = true;
    bool in_call_ = false;
    bool completed_ = false;
    std::int64_t deadline_ms_ = kNoDeadline;

    // The request at hand.
    std::size_t input_bytes_ = 0; // what it still occupies of input_
    std::size_t wire_bytes_ = 0;  // length of its body as sent
    std::string_view body_;
    BodyBuffer body_buffer_;
    std::string saved_head_; // the head of a chunked request, whose body needs input_
    Reservation reserved_;
    MemoryBudget::Waiter waiter_;
    Wakeable answered_;

    // Its answer.
    Response response_;
    std::string_view content_type_;
    std::string_view content_encoding_;
    std::string further_lines_;
    std::string response_head_;
    std::size_t sent_bytes_ = 0;
};

} // namespace basalt::server
