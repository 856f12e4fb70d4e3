#include "linearizability/clients.h"

#include "linearizability/planner.h"
#include "linearizability/wire.h"

#include <stdexcept>
#include <thread>

namespace basalt::linearizability {
namespace {

constexpr std::uint32_t kObserver = 99; // the client that reads everything before and after the others
constexpr int kMostTries = 2;           // of refused requests, again

Response send(Database &database, const WireRequest &request)
{
    return database.call(Request{request.target, request.body, 0});
}

class Client {
public:
    Client(Database &database, SharedLog &log, std::uint32_t number)
        : database_(database),
          log_(log),
          number_(number),
          // Differs after each crash.
          planner_(log, number, log.settings().seed * 1000 + number * 7 + log.now() * 131)
    {}

    void read_all();
    void send_open_transactions_again();
    void work();

private:
    void start(std::size_t number, const Operation &planned);
    void finish(std::size_t number, bool sent_before);
    [[nodiscard]] Operation send_until_taken(const Operation &planned, const WireRequest &request);
    void remember(const Operation &operation);

    Database &database_;
    SharedLog &log_;
    const std::uint32_t number_;
    Planner planner_;
};

void Client::start(std::size_t number, const Operation &planned)
{
    Record &record = log_.record(number);
    record.planned = planned;
    record.invoked.store(log_.tick());
    finish(number, false);
}

/// Sends until it is not refused any more, or many times.
Operation Client::send_until_taken(const Operation &planned, const WireRequest &request)
{
    for (int tries = 0;; ++tries) {
        const Response response = send(database_, request);
        try {
            const Operation observed = observe(planned, response);
            if (observed.outcome != Outcome::refused || tries == kMostTries) {
                return observed;
            }
        } catch (const std::exception &problem) {
            throw std::runtime_error(std::string(problem.what()) + "\n  reply: " + response.body);
        }
    }
}

void Client::finish(std::size_t number, bool sent_before)
{
    Record &record = log_.record(number);
    const WireRequest request = request_of(record.planned, "token-" + std::to_string(number));
    try {
        record.observed = send_until_taken(record.planned, request);
        if (record.planned.resend && record.observed.outcome == Outcome::done) {
            const Operation again = send_until_taken(record.planned, request);
            if (again.outcome != Outcome::done && again.outcome != Outcome::refused) {
                throw std::runtime_error("a transaction sent again is made again");
            }
        }
        if (sent_before && record.observed.outcome == Outcome::refused) {
            record.observed = record.planned; // the one before the crash may have been taken
        }
    } catch (const std::exception &problem) {
        log_.complain(to_text(record.planned) + "\n  " + problem.what());
    }
    remember(record.observed);
    record.completed.store(log_.tick());
}

void Client::remember(const Operation &operation)
{
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        const Access &access = operation.accesses[i];
        if (access.written != 0 && access.effect != Effect::none) {
            log_.recent(access.item).store(access.written);
        } else if (access.seen == Access::everything && !access.seen_after) {
            log_.recent(access.item).store(access.state.version);
        }
    }
}

void Client::read_all()
{
    for (const Operation &planned : planner_.read_all()) {
        if (!log_.is_full()) {
            start(log_.add(), planned);
        }
    }
}

void Client::send_open_transactions_again()
{
    const std::size_t records = log_.size();
    for (std::size_t i = 0; i < records; ++i) {
        Record &record = log_.record(i);
        const bool open = record.invoked.load() != 0 && record.completed.load() == 0 && record.abandoned.load() == 0;
        if (open && record.planned.client == number_) {
            finish(i, true);
        }
    }
}

void Client::work()
{
    for (std::uint32_t i = 0; i < log_.settings().operations; ++i) {
        if (log_.is_full()) {
            return;
        }
        const std::size_t number = log_.add();
        start(number, planner_.next(number));
    }
}

} // namespace

void run_clients(Database &database, SharedLog &log)
{
    Client observer(database, log, kObserver);
    observer.read_all();
    std::vector<std::thread> threads;
    for (std::uint32_t number = 0; number < log.settings().clients; ++number) {
        threads.emplace_back([&database, &log, number] {
            Client client(database, log, number);
            client.send_open_transactions_again();
            client.work();
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    observer.read_all();
}

} // namespace basalt::linearizability
