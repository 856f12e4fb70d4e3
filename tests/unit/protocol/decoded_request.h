// A request body taken through parse, decode and check as the database does, for tests.
#pragma once

#include "protocol/document.h"

#include <gtest/gtest.h>

#include <memory_resource>
#include <string>
#include <string_view>

namespace basalt::protocol {

inline const OperationModel &operation(std::string_view name)
{
    for (const auto &model : operations()) {
        if (model.name == name) {
            return model;
        }
    }
    ADD_FAILURE() << "no operation " << name;
    std::abort();
}

/// Keeps everything that the input tree points into.
class DecodedRequest {
public:
    /// Parses in place or from a copy.
    DecodedRequest(const OperationModel &model, std::string body, bool in_place = true)
        : model_(model),
          body_(std::move(body))
    {
        const std::size_t size = body_.size();
        body_.append(64, '\0');
        auto parsed = parser_.parse(std::string_view(body_).substr(0, size), in_place ? 64 : 0);
        if (!parsed) {
            error_ = parsed.error();
            return;
        }
        auto input = parser_.decode_input(model, arena_);
        if (!input) {
            error_ = input.error();
            return;
        }
        input_ = *input;
    }
    DecodedRequest(std::string_view name, std::string body)
        : DecodedRequest(operation(name), std::move(body))
    {}

    [[nodiscard]] bool decoded() const { return input_.present(); }
    [[nodiscard]] const Error &error() const { return error_; }
    [[nodiscard]] const Node &input() const { return input_; }

    /// The message of the first stage that failed: decoding or the model constraints; "" when all is well.
    [[nodiscard]] std::string message() const
    {
        if (!decoded()) {
            EXPECT_EQ(error_.code, ErrorCode::serialization);
            return error_.message.empty() ? "(no message)" : error_.message;
        }
        auto checked = check_constraints(model_, input_);
        if (checked) {
            return {};
        }
        EXPECT_EQ(checked.error().code, ErrorCode::validation);
        return checked.error().message;
    }

private:
    const OperationModel &model_;
    std::string body_;
    JsonParser parser_;
    std::pmr::monotonic_buffer_resource arena_;
    Node input_;
    Error error_;
};

inline std::string message_of(std::string_view name, std::string body)
{
    return DecodedRequest(name, std::move(body)).message();
}

} // namespace basalt::protocol
