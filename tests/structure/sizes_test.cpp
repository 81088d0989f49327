// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/structure/cpp_text.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

constexpr std::size_t kHeaderLines = 250, kSourceLines = 500, kFunctionLines = 60, kParameters = 6;

// A part that may be larger, and why. what: the name of a function as its file writes it, or "file".
struct Exception {
  std::string file, what, reason;
};
const std::vector<Exception> kExceptions{
    {"tests/sdk/abi_test.cpp", "TEST(Abi, LayoutIsFrozen)", "a line for every field of the frozen layout"},
};

// File and what in it is too large, with the figures.
using Findings = std::map<std::pair<std::string, std::string>, std::string>;

void look_at_declarations(const std::string& file, const std::string& text, Findings& findings) {
  for (const Declaration& declaration : declarations_of(text)) {
    if (declaration.kind != Declaration::Kind::kFunction) continue;
    std::string& found = findings[{file, declaration.name}];
    if (declaration.num_lines() > kFunctionLines)
      found += std::to_string(declaration.num_lines()) + " lines, at most " + std::to_string(kFunctionLines) +
               "; ";
    if (declaration.num_parameters > kParameters)
      found +=
          std::to_string(declaration.num_parameters) + " parameters, at most " + std::to_string(kParameters);
    if (found.empty()) findings.erase({file, declaration.name});
  }
}

Findings all_findings() {
  Findings findings;
  for (const auto& path : sources(kSourceTrees)) {
    const std::string file = name_in_tree(path), text = text_of(path);
    const auto num_lines = std::size_t(std::count(text.begin(), text.end(), '\n'));
    const std::size_t limit = path.extension() == ".cpp" ? kSourceLines : kHeaderLines;
    if (num_lines > limit)
      findings[{file, "file"}] = std::to_string(num_lines) + " lines, at most " + std::to_string(limit);
    look_at_declarations(file, text, findings);
  }
  return findings;
}

TEST(Sizes, FilesAndFunctionsAreSmall) {
  Findings findings = all_findings();
  for (const Exception& exception : kExceptions)
    EXPECT_EQ(findings.erase({exception.file, exception.what}), 1u)
        << exception.file << ", " << exception.what << ": the exception is needed no longer";
  for (const auto& [what, figures] : findings)
    ADD_FAILURE() << what.first << ", " << what.second << ": " << figures;
}

TEST(Sizes, AreFoundWhereTheyAreTooLarge) {
  Findings findings;
  std::string body;
  for (std::size_t i = 0; i < kFunctionLines - 1; ++i) body += "  step();\n";
  look_at_declarations("short.cpp",
                       "void f(int a, int b, int c, int d, int e, int g) {\n" + body.substr(10) + "}\n",
                       findings);
  EXPECT_TRUE(findings.empty());
  look_at_declarations("long.cpp", "void A::f() {\n" + body + "}\n", findings);
  look_at_declarations("wide.cpp", "void f(int a, int b, int c, int d, int e, int g, int h);\n", findings);
  EXPECT_THAT(findings,
              ::testing::ElementsAre(::testing::Pair(std::pair("long.cpp", "A::f"), "61 lines, at most 60; "),
                                     ::testing::Pair(std::pair("wide.cpp", "f"), "7 parameters, at most 6")));
}

}  // namespace
}  // namespace mash::testing
