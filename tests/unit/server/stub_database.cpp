#include "unit/server/stub_database.h"

#include <utility>

namespace basalt {
namespace {

server::CallHandler next_handler;

} // namespace

class Database::Impl {
public:
    server::CallHandler handler;
};

Database::Database(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl))
{}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(Options)
{
    auto impl = std::make_unique<Impl>();
    impl->handler = std::move(next_handler);
    return std::unique_ptr<Database>(new Database(std::move(impl)));
}

void Database::call(const Request &request, Completion &completion)
{
    impl_->handler(request, completion);
}

void Database::close() {}

namespace server {

std::unique_ptr<Database> stub_database(CallHandler handler)
{
    next_handler = std::move(handler);
    return std::move(*Database::open({}));
}

} // namespace server
} // namespace basalt
