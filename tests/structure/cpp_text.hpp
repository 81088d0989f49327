// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mash::testing {

// A declaration of a C++ source, read from its text alone: enough for rules about sizes and places, for code
// that clang-format has laid out. Of #if and #else the first branch is read. Lambdas belong to the function
// around them; those of namespace scope are variables.
struct Declaration {
  enum class Kind { kFunction, kClass };  // kClass: also struct, union and enum

  Kind kind = Kind::kFunction;
  std::string name;  // as written: "focus", "StumpScan::focus", "operator=="; of TEST(A, B) {}: "TEST(A, B)"
  // The namespaces and classes around it, the outermost first; an anonymous namespace is "".
  std::vector<std::string> scopes;
  bool is_member = false;  // one of the scopes is a class
  bool is_static = false;
  bool has_body = false;
  std::size_t first_line = 0, last_line = 0;  // from 1, with its template head
  std::size_t num_parameters = 0;

  std::size_t num_lines() const { return last_line - first_line + 1; }
};

// In the order of the text. What is inside a function's body is not looked into.
std::vector<Declaration> declarations_of(std::string_view text);

// One "// ..." to the end of its line, or one "/* ... */".
struct Comment {
  std::string_view text;  // of the text that it was found in
  std::size_t line = 0;   // its first, from 1
};

// In the order of the text, also those behind and between lines of the preprocessor.
std::vector<Comment> comments_of(std::string_view text);

}  // namespace mash::testing
