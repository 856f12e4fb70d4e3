#include "verify_command.h"

#include "basalt/verification.h"
#include "base/log.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <unistd.h>

namespace basalt {
namespace {

/// Of each kind; the rest is counted.
constexpr std::uint64_t kShownOfEachKind = 100;
constexpr std::chrono::milliseconds kProgressInterval{200};

/// 1234567 as 1,234,567.
std::string grouped(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string counted(std::uint64_t number, const char *one, const char *many)
{
    return grouped(number) + " " + (number == 1 ? one : many);
}

class Report final : public VerificationObserver {
public:
    void found(const VerificationFinding &finding) override
    {
        auto &count = (finding.is_error ? errors_ : notes_)[std::string(finding.kind)];
        if (++count <= kShownOfEachKind) {
            erase_progress();
            std::printf("%s: %s\n", finding.is_error ? "error" : "note", finding.text.c_str());
        }
    }
    void reached(const VerificationSummary &summary) override
    {
        const auto now = std::chrono::steady_clock::now();
        if (!shows_progress_ || now < next_progress_) {
            return;
        }
        next_progress_ = now + kProgressInterval;
        std::fprintf(stderr, "\r%s items, %s index entries ", grouped(summary.items).c_str(),
                     grouped(summary.index_entries).c_str());
        progress_stands_ = true;
    }

    /// The exit code.
    int conclude(const VerificationSummary &summary)
    {
        erase_progress();
        print_rest(errors_, "error");
        print_rest(notes_, "note");
        std::printf("%s of %s\n", counted(summary.files, "file", "files").c_str(),
                    counted(summary.file_bytes, "byte", "bytes").c_str());
        if (summary.rows_checked) {
            std::printf("%s, %s of %s, %s, %s\n", counted(summary.tables, "table", "tables").c_str(),
                        counted(summary.items, "item", "items").c_str(),
                        counted(summary.item_bytes, "byte", "bytes").c_str(),
                        counted(summary.index_entries, "index entry", "index entries").c_str(),
                        counted(summary.transaction_tokens, "transaction token", "transaction tokens").c_str());
            print_indexed_tables(summary);
        } else {
            std::puts("no rows were checked");
        }
        const std::uint64_t errors = total(errors_);
        std::printf("%s%s\n", errors == 0 ? "all is well" : counted(errors, "error", "errors").c_str(),
                    notes_.empty() ? "" : (", " + counted(total(notes_), "note", "notes")).c_str());
        return errors == 0 ? kAllIsWell : kFoundErrors;
    }

    void erase_progress()
    {
        if (progress_stands_) {
            std::fputs("\r\033[K", stderr);
            progress_stands_ = false;
        }
    }

private:
    using Counts = std::map<std::string, std::uint64_t>;

    static std::uint64_t total(const Counts &counts)
    {
        std::uint64_t sum = 0;
        for (const auto &[kind, count] : counts) {
            sum += count;
        }
        return sum;
    }

    static void print_indexed_tables(const VerificationSummary &summary)
    {
        for (const auto &table : summary.indexed_tables) {
            std::printf("table %s: %s, %s", table.table.c_str(), counted(table.items, "item", "items").c_str(),
                        counted(table.index_entries, "index entry", "index entries").c_str());
            if (table.pending_changes != 0) {
                std::printf(", %s not applied to the global indexes yet",
                            counted(table.pending_changes, "change", "changes").c_str());
            }
            std::puts("");
        }
    }

    static void print_rest(const Counts &counts, const char *severity)
    {
        for (const auto &[kind, count] : counts) {
            if (count > kShownOfEachKind) {
                std::printf("%s: %s: %s more\n", severity, kind.c_str(), grouped(count - kShownOfEachKind).c_str());
            }
        }
    }

    Counts errors_;
    Counts notes_;
    const bool shows_progress_ = isatty(STDERR_FILENO) != 0;
    bool progress_stands_ = false;
    std::chrono::steady_clock::time_point next_progress_;
};

} // namespace

int run_verify_command(const Options &options)
{
    // What RocksDB has to say is among the findings.
    static_cast<void>(start_logging("off"));
    Report report;
    const Result<VerificationSummary> summary = verify_database(options.data_dir, options.memory_budget_bytes, report);
    if (!summary) {
        report.erase_progress();
        std::fprintf(stderr, "basalt: %s\n", summary.error().message.c_str());
        return kNotChecked;
    }
    return report.conclude(*summary);
}

} // namespace basalt
