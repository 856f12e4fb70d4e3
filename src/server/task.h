// The coroutine types of the server: Task, which a coroutine awaits, and Detached, which starts one that nobody awaits.
// GCC 12 loses a coroutine that has a co_await inside a condition ("if (!co_await x())"): await into a variable first.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace basalt::server {

namespace detail {

/// What the promises of Task<T> and Task<void> share: who is resumed at the end, and a failure to pass on.
class TaskPromiseBase {
public:
    struct Resume {
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        template <typename Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> finished) noexcept
        {
            return finished.promise().continuation_;
        }
        void await_resume() const noexcept {}
    };
    std::suspend_always initial_suspend() noexcept { return {}; }
    Resume final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { failure_ = std::current_exception(); }
    void continue_with(std::coroutine_handle<> continuation) noexcept { continuation_ = continuation; }

protected:
    void rethrow() const
    {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

private:
    std::coroutine_handle<> continuation_ = std::noop_coroutine();
    std::exception_ptr failure_;
};

template <typename T>
class TaskPromise : public TaskPromiseBase {
public:
    std::coroutine_handle<TaskPromise> get_return_object() noexcept
    {
        return std::coroutine_handle<TaskPromise>::from_promise(*this);
    }
    void return_value(T value) { value_.emplace(std::move(value)); }
    T take()
    {
        rethrow();
        return std::move(*value_);
    }

private:
    std::optional<T> value_;
};

template <>
class TaskPromise<void> : public TaskPromiseBase {
public:
    std::coroutine_handle<TaskPromise> get_return_object() noexcept
    {
        return std::coroutine_handle<TaskPromise>::from_promise(*this);
    }
    void return_void() noexcept {}
    void take() const { rethrow(); }
};

} // namespace detail

/// A coroutine that starts when it is awaited and hands its value, or its exception, to the awaiting one.
template <typename T = void>
class [[nodiscard]] Task {
public:
    using promise_type = detail::TaskPromise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    Task(Handle handle) noexcept // NOLINT(google-explicit-constructor): made from get_return_object()
        : handle_(handle)
    {}
    Task(Task &&other) noexcept
        : handle_(std::exchange(other.handle_, nullptr))
    {}
    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;
    Task &operator=(Task &&) = delete;
    ~Task()
    {
        if (handle_) {
            handle_.destroy();
        }
    }

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept
    {
        handle_.promise().continue_with(awaiting);
        return handle_;
    }
    T await_resume() { return handle_.promise().take(); }

private:
    Handle handle_;
};

/// A coroutine that runs at once and frees itself at its end. It must not let an exception out.
struct Detached {
    struct promise_type {
        Detached get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
};

} // namespace basalt::server
