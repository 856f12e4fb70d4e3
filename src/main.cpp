// The program: reads its configuration, opens the database, serves it until it is told to stop; or checks it.
#include "basalt/database.h"
#include "basalt/version.h"
#include "base/log.h"
#include "server/configuration.h"
#include "server/server.h"
#include "verify_command.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using basalt::Database;
using basalt::Result;
using basalt::server::Command;
using basalt::server::CommandLine;
using basalt::server::Configuration;
using basalt::server::Server;

constexpr int kFailure = 1;

int complain(const std::string &message)
{
    std::fprintf(stderr, "basalt: %s\n", message.c_str());
    return kFailure;
}

sigset_t awaited_signals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

/// Reads the configuration again and takes over what may change while the server runs.
void reload(const std::vector<std::string> &arguments, Database &database)
{
    const Result<CommandLine> line =
        basalt::server::read_configuration(arguments, basalt::server::process_environment());
    if (!line) {
        spdlog::warn("told to read the configuration again, but it cannot be used: {}", line.error().message);
        return;
    }
    const auto &options = line->configuration.database;
    database.set_index_reads(options.index_reads);
    database.set_index_lag_ms(options.index_lag_ms);
    spdlog::info("the configuration has been read again: index_reads and index_lag_ms are in force, other changes need "
                 "a restart");
}

/// Connections and table files need more descriptors than the usual soft limit of 1024.
void raise_descriptor_limit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void announce(const Server &server, const Configuration &configuration)
{
    const std::string endpoint = server.endpoint();
    std::printf("BASALT READY endpoint=%s pid=%ld\n", endpoint.c_str(), static_cast<long>(getpid()));
    if (isatty(STDOUT_FILENO) != 0) {
        std::printf("\nPoint an AWS SDK or the AWS CLI here with:\n"
                    "  export AWS_ENDPOINT_URL=%s\n"
                    "  export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=%s AWS_REGION=%s\n\n",
                    endpoint.c_str(), configuration.database.region.c_str(), configuration.database.region.c_str());
    }
    std::fflush(stdout);
}

int serve(const Configuration &configuration, const std::vector<std::string> &arguments)
{
    if (Result<void> logging = basalt::start_logging(configuration.log_level); !logging) {
        return complain(logging.error().message);
    }
    raise_descriptor_limit();
    std::signal(SIGPIPE, SIG_IGN);
    // Blocked in every thread, so that only the wait below takes them.
    const sigset_t signals = awaited_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);

    // The port first: when it is taken, the database has not been touched.
    Result<std::unique_ptr<Server>> server = Server::bind(configuration.server);
    if (!server) {
        return complain(server.error().message);
    }
    Result<std::unique_ptr<Database>> database = Database::open(configuration.database);
    if (!database) {
        return complain(database.error().message);
    }
    (*server)->start(**database);
    announce(**server, configuration);
    spdlog::info("basalt {} serves {} at {}", basalt::kVersion,
                 configuration.database.in_memory ? "from memory" : configuration.database.data_dir.string(),
                 (*server)->endpoint());
    if (const std::string address = (*server)->metrics_address(); !address.empty()) {
        spdlog::info("metrics are at {}", address);
    }

    int signal = 0;
    while (sigwait(&signals, &signal) == 0 && signal == SIGHUP) {
        reload(arguments, **database);
    }
    // A second one ends the program at once.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_IGN);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    spdlog::info("stopping");
    if (!(*server)->drain(configuration.shutdown_grace)) {
        spdlog::warn("some requests did not end within the grace period");
    }
    (*database)->close();
    (*server)->stop();
    spdlog::info("stopped");
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const Command command = !arguments.empty() && arguments.front() == "verify" ? Command::verify : Command::serve;
    int failure_code = kFailure;
    if (command == Command::verify) {
        arguments.erase(arguments.begin());
        failure_code = basalt::kNotChecked;
    }
    try {
        Result<CommandLine> line =
            basalt::server::read_configuration(arguments, basalt::server::process_environment(), command);
        if (!line) {
            complain(line.error().message);
            return failure_code;
        }
        if (line->answer) {
            std::fputs(line->answer->c_str(), stdout);
            return 0;
        }
        return command == Command::verify ? basalt::run_verify_command(line->configuration.database)
                                          : serve(line->configuration, arguments);
    } catch (const std::exception &failure) {
        complain(failure.what());
        return failure_code;
    }
}
