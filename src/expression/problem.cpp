// Texts that several checks share.
#include "expression/problem.h"

namespace basalt::expression {

std::string problem_text(std::initializer_list<std::string_view> parts)
{
    std::string text;
    for (const std::string_view part : parts) {
        text.append(part);
    }
    return text;
}

std::string incorrect_operand_type(std::string_view operation, std::string_view type)
{
    return problem_text({"Incorrect operand type for operator or function; operator or function: ", operation,
                         ", operand type: ", type});
}

std::string document_path_required(std::string_view operation)
{
    return problem_text({"Operator or function requires a document path; operator or function: ", operation});
}

} // namespace basalt::expression
