#include "linearizability/round.h"

#include "linearizability/cycle_check.h"
#include "linearizability/order_check.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <random>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace basalt::linearizability {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;
using std::chrono::steady_clock;

/// Sound histories need some thousands.
constexpr std::uint64_t kStepLimit = 20'000'000;
constexpr std::chrono::seconds kHangs{120};

class Process {
public:
    explicit Process(std::vector<std::string> arguments)
    {
        std::vector<char *> pointers;
        for (std::string &argument : arguments) {
            pointers.push_back(argument.data());
        }
        pointers.push_back(nullptr);
        if (::posix_spawn(&process_, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0) {
            throw std::runtime_error("cannot start " + arguments[0]);
        }
    }
    ~Process()
    {
        if (!status_) {
            kill();
        }
    }
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;

    bool has_ended()
    {
        int status = 0;
        if (!status_ && ::waitpid(process_, &status, WNOHANG) == process_) {
            status_ = status;
        }
        return status_.has_value();
    }
    /// It may have ended by itself before.
    void kill()
    {
        ::kill(process_, SIGKILL);
        int status = 0;
        if (!status_ && ::waitpid(process_, &status, 0) == process_) {
            status_ = status;
        }
    }
    [[nodiscard]] bool was_killed() const { return WIFSIGNALED(*status_) && WTERMSIG(*status_) == SIGKILL; }
    [[nodiscard]] bool ended_well() const { return WIFEXITED(*status_) && WEXITSTATUS(*status_) == 0; }
    [[nodiscard]] int status() const { return *status_; }

private:
    pid_t process_ = 0;
    std::optional<int> status_;
};

class RoundRun {
public:
    RoundRun(const Round &round, const fs::path &program, const fs::path &place)
        : round_(round),
          program_(program),
          directory_(place / ("history-" + std::to_string(::getpid()) + "-" + std::to_string(round.settings.seed))),
          random_(round.settings.seed ^ 0x5EED)
    {
        fs::remove_all(directory_);
        fs::create_directories(directory_);
        log_.emplace(directory_ / "shared", round.settings);
    }
    ~RoundRun()
    {
        if (result_.problem.empty()) {
            fs::remove_all(directory_);
        }
    }
    RoundRun(const RoundRun &) = delete;
    RoundRun &operator=(const RoundRun &) = delete;

    RoundResult run();

private:
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    /// false: it failed.
    bool run_program(bool to_be_killed);
    bool wait_for_end(Process &process, steady_clock::time_point deadline);
    void wait_for_moment(Process &process);
    void crashed();
    void cut_power();

    const Round &round_;
    const fs::path &program_;
    const fs::path directory_;
    std::mt19937_64 random_;
    std::optional<SharedLog> log_;
    RoundResult result_;
};

/// Mostly somewhere among the operations, sometimes while the program starts.
void RoundRun::wait_for_moment(Process &process)
{
    if (below(6) == 0) {
        wait_for_end(process, steady_clock::now() + microseconds(below(40'000)));
        return;
    }
    const std::uint64_t ticks = std::uint64_t{2} * round_.settings.clients * round_.settings.operations;
    const std::uint64_t moment = log_->now() + 4 + below(ticks);
    const auto deadline = steady_clock::now() + kHangs;
    while (log_->now() < moment && !process.has_ended() && steady_clock::now() < deadline) {
        std::this_thread::sleep_for(microseconds(100));
    }
    std::this_thread::sleep_for(microseconds(below(2'000)));
}

bool RoundRun::wait_for_end(Process &process, steady_clock::time_point deadline)
{
    while (!process.has_ended()) {
        if (steady_clock::now() >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(microseconds(300));
    }
    return true;
}

void RoundRun::crashed()
{
    ++result_.crashes;
    const std::uint64_t moment = log_->tick();
    for (std::size_t i = 0; i < log_->size(); ++i) {
        Record &record = log_->record(i);
        const bool open = record.invoked.load() != 0 && record.completed.load() == 0 && record.abandoned.load() == 0;
        // A client may ask again for a transaction with a token, or leave it.
        if (open && !(record.planned.has_token && below(4) != 0)) {
            record.abandoned.store(moment);
        }
    }
    if (round_.crash == Crash::power_cut) {
        cut_power();
    }
}

/// Leaves to the program of the crash tests what is lost.
void RoundRun::cut_power()
{
    const fs::path journal = directory_ / "data.journal";
    if (!fs::exists(journal.string() + ".saved")) {
        return; // killed before it wrote anything down
    }
    Process process({"/usr/bin/env", "python3", BASALT_POWER_CUT, (directory_ / "data").string(), journal.string(),
                     std::to_string(random_())});
    if (!wait_for_end(process, steady_clock::now() + kHangs) || !process.ended_well()) {
        result_.problem = "the power is not cut";
    }
}

bool RoundRun::run_program(bool to_be_killed)
{
    Process process({program_.string(), log_->path().string(), (directory_ / "data").string()});
    if (to_be_killed) {
        wait_for_moment(process);
        process.kill();
    } else if (!wait_for_end(process, steady_clock::now() + kHangs)) {
        process.kill();
        result_.problem = "the clients do not come to an end";
        return false;
    }
    if (process.was_killed()) {
        crashed();
    } else if (!process.ended_well()) {
        result_.problem = "the program ended with status " + std::to_string(process.status());
    }
    if (const auto complaint = log_->complaint(); !complaint.empty()) {
        result_.problem += (result_.problem.empty() ? "" : "\n") + std::string(complaint);
    }
    return result_.problem.empty();
}

RoundResult RoundRun::run()
{
    for (std::uint32_t i = 0; i < round_.crashes; ++i) {
        if (!run_program(true)) {
            break;
        }
    }
    const bool well = result_.problem.empty() && run_program(false);
    result_.history = log_->history(log_->tick());
    if (well) {
        result_.problem = judge(result_.history, result_.steps);
    }
    if (!result_.problem.empty()) {
        result_.kept = directory_;
    }
    return result_;
}

} // namespace

Round plan_round(std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    const auto below = [&random](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
    Round round;
    round.crash = static_cast<Crash>(seed % 3);
    round.crashes = round.crash == Crash::none ? 0 : 1 + below(3);
    Settings &settings = round.settings;
    settings.seed = seed;
    settings.clients = 2 + below(6);
    settings.operations = 12 + below(24);
    settings.items = 2 + below(kMostItems - 1);
    settings.transactions = below(3) != 0;
    settings.journalled = round.crash == Crash::power_cut;
    settings.async = round.crash != Crash::power_cut && below(4) == 0;
    if (below(4) == 0) {
        settings.padding_bytes = 3'000;
        settings.memtable_bytes = std::uint64_t{64} << 10U;
    }
    settings.sync_us = below(3) == 0 ? 0 : below(4'000);
    settings.pause_us = below(4) == 0 ? 0 : 100 + below(1'500);
    settings.lock_stripes = below(4) == 0 ? 2 : 4096;
    settings.lock_patience_ms = below(3) == 0 ? 1 : 1000;
    return round;
}

std::string to_text(const Round &round)
{
    constexpr std::array kCrashes = {"no crash", "kills", "power cuts"};
    const Settings &settings = round.settings;
    return "seed " + std::to_string(settings.seed) + ": " + std::to_string(settings.clients) + " clients, " +
           std::to_string(settings.operations) + " operations each, " + std::to_string(settings.items) + " items, " +
           (settings.transactions ? "with" : "without") + " transactions, durability " +
           (settings.async ? "async" : "sync") + ", " + kCrashes[static_cast<std::size_t>(round.crash)] + " (" +
           std::to_string(round.crashes) + "), padding " + std::to_string(settings.padding_bytes) + ", sync " +
           std::to_string(settings.sync_us) + " us, pauses " + std::to_string(settings.pause_us) + " us, " +
           std::to_string(settings.lock_stripes) + " stripes, waits of " + std::to_string(settings.lock_patience_ms) +
           " ms for them";
}

std::string judge(const History &history, std::uint64_t &steps)
{
    const History units = atomic_units(history);
    std::string problem;
    for (std::size_t item = 0; item < kMostItems && problem.empty(); ++item) {
        const auto judgement = check_order(of_item(units, item), kStepLimit);
        steps += judgement.steps;
        if (judgement.verdict != Verdict::ordered) {
            problem = "item " + std::to_string(item) + " alone: " + judgement.evidence;
        }
    }
    if (const auto cycles = check_cycles(units); !cycles.sound) {
        problem += cycles.evidence;
    }
    const bool has_transactions =
        std::any_of(units.begin(), units.end(), [](const Operation &unit) { return unit.access_count > 1; });
    // Without them, items that are sound each are sound together.
    if (problem.empty() && has_transactions) {
        const auto judgement = check_order(units, kStepLimit);
        steps += judgement.steps;
        if (judgement.verdict != Verdict::ordered) {
            problem = "all items together: " + judgement.evidence;
        }
    }
    return problem;
}

RoundResult run_round(const Round &round, const fs::path &program, const fs::path &place)
{
    return RoundRun(round, program, place).run();
}

} // namespace basalt::linearizability
