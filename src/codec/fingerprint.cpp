#include "codec/fingerprint.h"

#include "base/check.h"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

namespace basalt::codec {
namespace {

struct DigestContextDeleter {
    void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
};

// Fetched once: a look-up by name costs more than the digest. "-fips" lets a host that prefers validated algorithms
// still give this one, which protects nothing here.
const EVP_MD *md5()
{
    static const EVP_MD *const digest = EVP_MD_fetch(nullptr, "MD5", "-fips");
    BASALT_CHECK(digest != nullptr);
    return digest;
}

void append_text(Bytes text, std::string &out)
{
    out.append(std::to_string(text.size())).push_back(':');
    out.append(text);
}

void append_count(std::size_t count, std::string &out)
{
    out.append(std::to_string(count)).push_back(';');
}

} // namespace

void append_canonical(model::MapView attributes, std::string &out)
{
    std::vector<model::Attribute> sorted;
    sorted.reserve(attributes.count());
    for (const auto attribute : attributes) {
        sorted.push_back(attribute);
    }
    std::ranges::sort(sorted, {}, &model::Attribute::name);
    append_count(sorted.size(), out);
    for (const auto &attribute : sorted) {
        append_text(attribute.name, out);
        append_canonical(attribute.value, out);
    }
}

void append_canonical(model::ValueView value, std::string &out)
{
    using Type = model::AttributeType;
    out.append(model::type_name(value.type())).push_back(' ');
    switch (value.type()) {
    case Type::string:
    case Type::number:
    case Type::binary:
        append_text(value.text(), out);
        return;
    case Type::boolean:
        out.push_back(value.boolean() ? '1' : '0');
        return;
    case Type::null:
        return;
    case Type::map:
        append_canonical(value.map(), out);
        return;
    case Type::list:
        append_count(value.list().count(), out);
        for (const auto element : value.list()) {
            append_canonical(element, out);
        }
        return;
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set: {
        std::vector<Bytes> members;
        for (const auto member : value.set()) {
            members.push_back(member);
        }
        std::ranges::sort(members);
        append_count(members.size(), out);
        for (const auto member : members) {
            append_text(member, out);
        }
        return;
    }
    }
}

Fingerprint fingerprint(Bytes salt, Bytes bytes)
{
    thread_local const std::unique_ptr<EVP_MD_CTX, DigestContextDeleter> context(EVP_MD_CTX_new());
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    BASALT_CHECK(context != nullptr && EVP_DigestInit_ex2(context.get(), md5(), nullptr) == 1 &&
                 EVP_DigestUpdate(context.get(), salt.data(), salt.size()) == 1 &&
                 EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1 &&
                 EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
    Fingerprint halves{};
    for (std::size_t half = 0; half < halves.size(); ++half) {
        for (std::size_t i = 0; i < sizeof halves[half]; ++i) {
            halves[half] = halves[half] << 8U | digest[half * sizeof halves[half] + i];
        }
    }
    return halves;
}

} // namespace basalt::codec
