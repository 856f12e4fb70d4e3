// A recursive reader and printer of the notation.
#include "unit/expression/item_notation.h"

#include "base/check.h"
#include "model/decimal.h"

namespace basalt::expression {

namespace {

using model::AttributeType;

class NotationReader {
public:
    NotationReader(std::string_view text, std::string &out)
        : rest_(text),
          writer_(out)
    {}

    void read_item()
    {
        require("{");
        writer_.begin_item();
        read_members();
        BASALT_CHECK(rest_.empty());
    }

private:
    void read_members()
    {
        while (!accept("}")) {
            accept(",");
            skip_spaces();
            const std::size_t end = rest_.find(':', 1);
            writer_.name(take(end));
            require(":");
            read_value();
        }
        writer_.end();
    }

    void read_value()
    {
        if (accept("{")) {
            writer_.begin_map();
            read_members();
        } else if (accept("[")) {
            writer_.begin_list();
            while (!accept("]")) {
                accept(",");
                read_value();
            }
            writer_.end();
        } else if (accept("SS(")) {
            read_set(AttributeType::string_set);
        } else if (accept("NS(")) {
            read_set(AttributeType::number_set);
        } else if (accept("BS(")) {
            read_set(AttributeType::binary_set);
        } else if (accept("true")) {
            writer_.boolean(true);
        } else if (accept("false")) {
            writer_.boolean(false);
        } else if (accept("null")) {
            writer_.null();
        } else if (accept("b'")) {
            writer_.binary(quoted());
        } else if (accept("'")) {
            writer_.string(quoted());
        } else {
            writer_.number(number());
        }
    }

    void read_set(AttributeType type)
    {
        writer_.begin_set(type);
        while (!accept(")")) {
            accept(",");
            if (accept("b'") || accept("'")) {
                writer_.member(quoted());
            } else {
                writer_.member(number());
            }
        }
        writer_.end();
    }

    model::Decimal number() { return model::Decimal::parse(take(rest_.find_first_not_of("0123456789.-+Ee"))).value(); }

    std::string_view quoted()
    {
        const std::string_view text = take(rest_.find('\''));
        rest_.remove_prefix(1);
        return text;
    }

    std::string_view take(std::size_t size)
    {
        BASALT_CHECK(size != std::string_view::npos);
        const std::string_view text = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return text;
    }

    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

    bool accept(std::string_view token)
    {
        skip_spaces();
        if (!rest_.starts_with(token)) {
            return false;
        }
        rest_.remove_prefix(token.size());
        return true;
    }

    void require(std::string_view token) { BASALT_CHECK(accept(token)); }

    std::string_view rest_;
    codec::ItemWriter writer_;
};

template <typename Container>
std::string joined(std::string_view open, const Container &parts, std::string_view close, auto print)
{
    std::string text(open);
    for (const auto part : parts) {
        text.append(text.size() == open.size() ? "" : ", ").append(print(part));
    }
    return text.append(close);
}

std::string quoted(std::string_view prefix, Bytes bytes)
{
    return std::string(prefix).append("'").append(bytes).append("'");
}

std::vector<NameSubstitution> names_from(std::string_view text)
{
    std::vector<NameSubstitution> names;
    while (!text.empty()) {
        const std::string_view entry = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(entry.size() + 1, text.size()));
        const std::size_t equals = entry.find('=');
        names.push_back({entry.substr(0, equals), entry.substr(equals + 1)});
    }
    return names;
}

} // namespace

std::string item_from(std::string_view notation)
{
    std::string item;
    NotationReader(notation, item).read_item();
    return item;
}

std::string notation_of(model::ValueView value)
{
    switch (value.type()) {
    case AttributeType::string:
        return quoted("", value.text());
    case AttributeType::number:
        return std::string(value.text());
    case AttributeType::binary:
        return quoted("b", value.text());
    case AttributeType::boolean:
        return value.boolean() ? "true" : "false";
    case AttributeType::null:
        return "null";
    case AttributeType::map:
        return notation_of(value.map());
    case AttributeType::list:
        return joined("[", value.list(), "]", [](model::ValueView element) { return notation_of(element); });
    case AttributeType::string_set:
        return joined("SS(", value.set(), ")", [](Bytes member) { return quoted("", member); });
    case AttributeType::number_set:
        return joined("NS(", value.set(), ")", [](Bytes member) { return std::string(member); });
    case AttributeType::binary_set:
        return joined("BS(", value.set(), ")", [](Bytes member) { return quoted("b", member); });
    }
    return "?";
}

std::string notation_of(model::MapView attributes)
{
    return joined("{", attributes, "}", [](const model::Attribute &attribute) {
        return std::string(attribute.name).append(": ").append(notation_of(attribute.value));
    });
}

NotedPlaceholders::NotedPlaceholders(std::string_view values, std::string_view names)
    : names_text_(names),
      item_(item_from(values)),
      names_(names_from(names_text_)),
      placeholders_(names_, model::ItemView(item_).attributes())
{}

} // namespace basalt::expression
