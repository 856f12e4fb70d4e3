// Micro benchmarks of the request and response path: a 1 KB PutItem body into the item, the model constraints of it,
// and a response from the item.
#include "protocol/document.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <memory_resource>
#include <string>

namespace basalt::protocol {
namespace {

constexpr std::size_t kPaddingBytes = 64;

/// An item of ten attributes of the usual types; the body is about 1 KB.
std::string put_item_body()
{
    return R"({"TableName":"orders","ReturnValues":"NONE","Item":{"pk":{"S":"customer#0001948573"},)"
           R"("sk":{"S":"order#2024-05-17T09:21:44Z"},"amount":{"N":"1849.95"},"count":{"N":"3"},)"
           R"("paid":{"BOOL":true},"tags":{"SS":["express","gift","eu-west"]},)"
           R"("address":{"M":{"street":{"S":"Musterstrasse 12"},"city":{"S":"Hamburg"},"zip":{"S":"20095"}}},)"
           R"("lines":{"L":[{"M":{"sku":{"S":"A-1001"},"qty":{"N":"2"}}},{"M":{"sku":{"S":"B-77"},"qty":{"N":"1"}}}]},)"
           R"("token":{"B":"3q2+796tvu/erb7v3q2+7w=="},"note":{"S":")" +
           std::string(400, 'n') + R"("}}})";
}

struct Arena {
    alignas(std::max_align_t) std::array<char, 16384> memory;
    std::pmr::monotonic_buffer_resource resource{memory.data(), memory.size()};
};

void decode_put_item(benchmark::State &state)
{
    const std::string body = put_item_body();
    const std::string padded = body + std::string(kPaddingBytes, '\0');
    const OperationModel &model = *find_operation("DynamoDB_20120810.PutItem");
    JsonParser parser;
    Arena arena;
    for (auto _ : state) {
        arena.resource.release();
        if (!parser.parse(std::string_view(padded).substr(0, body.size()), kPaddingBytes)) {
            std::abort();
        }
        auto input = parser.decode_input(model, arena.resource);
        benchmark::DoNotOptimize((*input)[put_item_input::item].item());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * body.size()));
}
BENCHMARK(decode_put_item);

void parse_put_item(benchmark::State &state)
{
    const std::string body = put_item_body();
    const std::string padded = body + std::string(kPaddingBytes, '\0');
    JsonParser parser;
    for (auto _ : state) {
        benchmark::DoNotOptimize(parser.parse(std::string_view(padded).substr(0, body.size()), kPaddingBytes));
    }
}
BENCHMARK(parse_put_item);

void check_put_item(benchmark::State &state)
{
    const OperationModel &model = *find_operation("DynamoDB_20120810.PutItem");
    JsonParser parser;
    Arena arena;
    if (!parser.parse(put_item_body(), 0)) {
        std::abort();
    }
    const Node input = *parser.decode_input(model, arena.resource);
    for (auto _ : state) {
        benchmark::DoNotOptimize(check_constraints(model, input));
    }
}
BENCHMARK(check_put_item);

void find_put_item(benchmark::State &state)
{
    for (auto _ : state) {
        benchmark::DoNotOptimize(find_operation("DynamoDB_20120810.PutItem"));
    }
}
BENCHMARK(find_put_item);

void write_item(benchmark::State &state)
{
    const OperationModel &model = *find_operation("DynamoDB_20120810.PutItem");
    JsonParser parser;
    Arena arena;
    if (!parser.parse(put_item_body(), 0)) {
        std::abort();
    }
    const Node input = *parser.decode_input(model, arena.resource);
    std::string out;
    for (auto _ : state) {
        out.clear();
        JsonWriter writer(out);
        writer.begin_object();
        writer.key("Item");
        writer.attributes(input[put_item_input::item].item().attributes());
        writer.end_object();
        benchmark::DoNotOptimize(out.data());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(write_item);

} // namespace
} // namespace basalt::protocol
