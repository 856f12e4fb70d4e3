// Syntax trees of tests as S-expressions.
#pragma once

#include "expression/tree.h"

#include <string>

namespace basalt::expression {

/// "(and (= a :v) (contains b.c[0] :w))", "(update (SET (set a (+ a :v))))".
std::string notation_of(const Tree &tree);

} // namespace basalt::expression
