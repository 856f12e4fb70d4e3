// The embeddable library: open a Database and call DynamoDB operations on it, without a socket.
#pragma once

#include "basalt/error.h"
#include "basalt/options.h"
#include "basalt/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace basalt {

/// One request. Everything it points to must live until the completion has been called.
struct Request {
    /// Value of X-Amz-Target, e.g. "DynamoDB_20120810.PutItem".
    std::string_view target;
    /// JSON text.
    std::string_view body;
    /// Bytes readable after body.data() + body.size(); with at least kBodyPadding the body is parsed in place.
    std::size_t body_padding = 0;
};

/// How many readable bytes behind a body spare a copy of it.
inline constexpr std::size_t kBodyPadding = 64;

struct Response {
    /// HTTP status: 200, 400 or 500.
    int status = 200;
    /// JSON text; for an error {"__type":..., "message":...}.
    std::string body;
};

/// Receives the one Response of a call. Owned by the caller and alive until complete() was entered.
class Completion {
public:
    virtual void complete(Response response) noexcept = 0;

protected:
    ~Completion() = default;
};

/// A database with all its threads. Thread-safe.
class Database {
public:
    /// Opens or creates. Errors: unsupported_format, corruption, io_error, locked, invalid_options, each with a
    /// sentence for a person; the data is left as it was.
    static Result<std::unique_ptr<Database>> open(Options options);

    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    /// As close().
    ~Database();

    /// Runs one operation without ever blocking the calling thread on I/O or on another request. complete() is called
    /// exactly once: on this thread before call() returns when nothing had to be waited for, else later on a thread of
    /// the database. A reply is given only when everything it shows is as durable as the options ask.
    void call(const Request &request, Completion &completion);

    /// The same, waiting for the answer on the calling thread.
    Response call(const Request &request);

    /// From now on, as the option of that name.
    void set_index_reads(IndexReads reads);
    /// 0 or more.
    void set_index_lag_ms(std::int64_t lag_ms);

    /// Makes durable and answers what was written, fails what has not begun, closes the store. Further calls answer
    /// InternalServerError. Idempotent.
    void close();

private:
    friend struct DatabaseAccess;
    class Impl;
    explicit Database(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace basalt
