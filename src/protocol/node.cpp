// Accessors of the decoded request tree.
#include "base/check.h"
#include "protocol/document.h"

namespace basalt::protocol {

static_assert(sizeof(Node) == 24);

const Node &Node::operator[](std::size_t member) const noexcept
{
    static const Node absent{};
    if (kind_ == Kind::absent) {
        return absent;
    }
    BASALT_CHECK(kind_ == Kind::structure && member < count_);
    return nodes_[member];
}

std::string_view Node::text() const
{
    BASALT_CHECK(kind_ == Kind::string || kind_ == Kind::blob);
    return {bytes_, count_};
}

std::string_view Node::text_or(std::string_view otherwise) const
{
    return kind_ == Kind::absent ? otherwise : text();
}

std::int64_t Node::integer() const
{
    BASALT_CHECK(kind_ == Kind::integer);
    return integer_;
}

bool Node::boolean_or(bool otherwise) const
{
    if (kind_ == Kind::absent) {
        return otherwise;
    }
    BASALT_CHECK(kind_ == Kind::boolean);
    return boolean_;
}

double Node::real() const
{
    BASALT_CHECK(kind_ == Kind::real);
    return real_;
}

std::span<const Node> Node::elements() const
{
    if (kind_ == Kind::absent) {
        return {};
    }
    BASALT_CHECK(kind_ == Kind::list);
    return {nodes_, count_};
}

std::span<const NodeEntry> Node::entries() const
{
    if (kind_ == Kind::absent) {
        return {};
    }
    BASALT_CHECK(kind_ == Kind::map);
    return {entries_, count_};
}

std::span<const Node> Node::members() const
{
    BASALT_CHECK(kind_ == Kind::structure);
    return {nodes_, count_};
}

model::ValueView Node::value() const
{
    BASALT_CHECK(kind_ == Kind::attribute_value);
    return model::ValueView(Bytes(bytes_, count_));
}

model::ItemView Node::item() const
{
    BASALT_CHECK(kind_ == Kind::attributes);
    return model::ItemView(Bytes(bytes_, count_));
}

const ValueFault *Node::fault() const noexcept
{
    return fault_;
}

} // namespace basalt::protocol
