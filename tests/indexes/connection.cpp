#include "indexes/connection.h"

namespace basalt::indexes {

Answer ask(Database &database, const std::string &operation, const nlohmann::json &request)
{
    const auto target = "DynamoDB_20120810." + operation;
    const auto body = request.dump();
    const auto response = database.call(Request{target, body, 0});
    Answer answer{response.status, nlohmann::json::parse(response.body), {}};
    if (!answer.ok()) {
        const auto type = answer.body.value("__type", "");
        answer.error = type.substr(type.find('#') + 1);
    }
    return answer;
}

} // namespace basalt::indexes
