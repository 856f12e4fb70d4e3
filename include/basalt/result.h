// Result<T>: a value or an Error, with the member names of std::expected (C++23), which GCC 12 does not have in C++20.
#pragma once

#include "basalt/error.h"

#include <cstdlib>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace basalt {

/// Wraps an Error so that `return fail(...)` converts to any Result.
struct Unexpected {
    Error error;
};

[[nodiscard]] inline Unexpected fail(Error error)
{
    return Unexpected{std::move(error)};
}
[[nodiscard]] inline Unexpected fail(ErrorCode code, std::string message)
{
    return Unexpected{Error{code, std::move(message)}};
}

/// A value or an Error. Reading the wrong side aborts.
template <typename T>
class [[nodiscard]] Result {
public:
    using value_type = T;

    Result(T value) // NOLINT(google-explicit-constructor): `return value;` is the point
        : state_(std::in_place_index<0>, std::move(value))
    {}
    Result(Unexpected failure) // NOLINT(google-explicit-constructor)
        : state_(std::in_place_index<1>, std::move(failure.error))
    {}

    [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    T &value() &
    {
        require(has_value());
        return *std::get_if<0>(&state_);
    }
    const T &value() const &
    {
        require(has_value());
        return *std::get_if<0>(&state_);
    }
    T &&value() &&
    {
        require(has_value());
        return std::move(*std::get_if<0>(&state_));
    }
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T &&operator*() && { return std::move(*this).value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }

    Error &error() &
    {
        require(!has_value());
        return *std::get_if<1>(&state_);
    }
    const Error &error() const &
    {
        require(!has_value());
        return *std::get_if<1>(&state_);
    }
    Error &&error() &&
    {
        require(!has_value());
        return std::move(*std::get_if<1>(&state_));
    }

private:
    static void require(bool holds)
    {
        if (!holds) {
            std::abort();
        }
    }
    std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    using value_type = void;

    Result() = default;
    Result(Unexpected failure) // NOLINT(google-explicit-constructor)
        : error_(std::move(failure.error))
    {}

    [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
    explicit operator bool() const noexcept { return has_value(); }
    void value() const
    {
        if (error_) {
            std::abort();
        }
    }
    Error &error() &
    {
        require();
        return *error_;
    }
    const Error &error() const &
    {
        require();
        return *error_;
    }
    Error &&error() &&
    {
        require();
        return std::move(*error_);
    }

private:
    void require() const
    {
        if (!error_) {
            std::abort();
        }
    }
    std::optional<Error> error_;
};

} // namespace basalt
