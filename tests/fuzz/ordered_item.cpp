// One order for each call of the writer.
#include "fuzz/ordered_item.h"

#include "codec/item_encoding.h"
#include "model/decimal.h"
#include "model/limits.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace basalt::fuzz {

namespace {

class OrderedItem {
public:
    explicit OrderedItem(Orders &orders)
        : orders_(orders),
          writer_(bytes_)
    {
        writer_.begin_item();
        write_attributes(0);
        writer_.end();
    }

    [[nodiscard]] std::string take() && { return std::move(bytes_); }

private:
    void write_attributes(int level)
    {
        for (std::uint8_t count = orders_.byte() % 8; count != 0 && !orders_.empty(); --count) {
            // The counter makes the name unique. A long one has a length of two bytes.
            writer_.name("n" + std::to_string(names_++) + std::string(orders_.byte() % 32 == 31 ? 200 : 0, 'n'));
            write_value(level);
        }
    }

    model::Decimal number()
    {
        model::uint128 coefficient = 0;
        for (const char byte : orders_.take(orders_.byte() % 16)) {
            coefficient = coefficient << 8U | static_cast<std::uint8_t>(byte);
        }
        const bool negative = orders_.flag();
        const int exponent = orders_.byte() - 150;
        const auto made = model::Decimal::from_parts(negative, coefficient, exponent);
        return made ? *made : model::Decimal(7);
    }

    void write_set(model::AttributeType type)
    {
        writer_.begin_set(type);
        for (std::uint8_t count = orders_.byte() % 8; count != 0; --count) {
            if (type == model::AttributeType::number_set) {
                writer_.member(number());
            } else {
                writer_.member(type == model::AttributeType::string_set ? orders_.text()
                                                                        : std::string(orders_.take(orders_.byte())));
            }
        }
        writer_.end();
    }

    void write_value(int level)
    {
        const auto type = static_cast<model::AttributeType>(1 + orders_.byte() % 10);
        switch (type) {
        case model::AttributeType::string:
            return writer_.string(orders_.text());
        case model::AttributeType::number:
            return writer_.number(number());
        case model::AttributeType::binary:
            return writer_.binary(orders_.take(orders_.byte()));
        case model::AttributeType::boolean:
            return writer_.boolean(orders_.flag());
        case model::AttributeType::null:
            return writer_.null();
        case model::AttributeType::map:
        case model::AttributeType::list:
            return level == model::kMaxNestingLevels ? writer_.null() : write_document(type, level + 1);
        case model::AttributeType::string_set:
        case model::AttributeType::number_set:
        case model::AttributeType::binary_set:
            return write_set(type);
        }
    }

    void write_document(model::AttributeType type, int level)
    {
        if (type == model::AttributeType::map) {
            writer_.begin_map();
            write_attributes(level);
        } else {
            writer_.begin_list();
            for (std::uint8_t count = orders_.byte() % 8; count != 0 && !orders_.empty(); --count) {
                write_value(level);
            }
        }
        writer_.end();
    }

    Orders &orders_;
    std::string bytes_;
    codec::ItemWriter writer_;
    std::size_t names_ = 0;
};

} // namespace

std::string ordered_item(Orders &orders)
{
    return OrderedItem(orders).take();
}

} // namespace basalt::fuzz
