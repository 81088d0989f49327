// SPDX-License-Identifier: Apache-2.0
// script/fuzz and the preset tidy compile with clang 14, the one of Debian 12, which lacks two things that
// the other compiler has. CI does not build with it, so that the sources are looked at here.
#include <gmock/gmock.h>

#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/structure/cpp_text.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

bool is_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text with blanks in the place of comments and of what is quoted.
std::string code_of(std::string text) {
  for (const Comment& comment : comments_of(text)) {
    const auto begin = std::size_t(comment.text.data() - text.data());
    for (std::size_t i = begin; i < begin + comment.text.size(); ++i)
      if (text[i] != '\n') text[i] = ' ';
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '"') continue;
    for (++i; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\') text[i++] = ' ';
      if (text[i] != '\n') text[i] = ' ';
    }
  }
  return text;
}

// The place behind the bracket that closes the one at `open`.
std::size_t behind(std::string_view code, std::size_t open) {
  const char opening = code[open], closing = opening == '[' ? ']' : opening == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += code[i] == opening;
    depth -= code[i] == closing;
    if (depth == 0) return i + 1;
  }
  return code.size();
}

// Whether the name stands in the code by itself, and not as a member of something.
bool is_used(std::string_view code, const std::string& name) {
  for (std::size_t at = 0; (at = code.find(name, at)) != std::string_view::npos; ++at) {
    const char before = at == 0 ? ' ' : code[at - 1],
               after = at + name.size() < code.size() ? code[at + name.size()] : ' ';
    if (!is_of_a_name(before) && before != '.' && before != '>' && before != ':' && !is_of_a_name(after))
      return true;
  }
  return false;
}

// The names of the binding "[a, b]" at this place; none where it is another bracket.
std::vector<std::string> bound_at(std::string_view code, std::size_t open) {
  std::size_t before = open;
  while (before > 0 && (code[before - 1] == ' ' || code[before - 1] == '&')) --before;
  if (!code.substr(0, before).ends_with("auto") || before == open) return {};
  std::vector<std::string> names;
  std::string name;
  for (const char c : code.substr(open + 1, behind(code, open) - open - 1)) {
    if (is_of_a_name(c))
      name += c;
    else if (!name.empty())
      names.push_back(std::exchange(name, ""));
  }
  return names;
}

// The place where the scope of a binding ends: that of the loop that has it in its head, or the one around
// it.
std::size_t end_of_scope(std::string_view code, std::size_t at) {
  for (std::size_t i = at; i < code.size(); ++i) {
    if (code[i] == '(' || code[i] == '{')
      i = behind(code, i) - 1;
    else if (code[i] == '}')
      return i;
    else if (code[i] == ')') {  // the end of the head
      const std::size_t body = code.find_first_of("{;", i);
      if (body == std::string_view::npos) break;
      return code[body] == '{' ? behind(code, body) : body;
    }
  }
  return code.size();
}

// A name of a binding that a lambda of its scope takes from around it; empty where there is none. A lambda
// that names it among what it captures ("[&name = name]") or its parameters has one of its own.
std::string captured_binding(std::string_view code) {
  for (std::size_t open = 0; (open = code.find('[', open)) != std::string_view::npos; ++open) {
    const std::vector<std::string> names = bound_at(code, open);
    if (names.empty()) continue;
    const std::size_t end = end_of_scope(code, open);
    for (std::size_t i = behind(code, open); i < end; ++i) {
      if (code[i] != '[' || i + 1 >= end || (code[i + 1] != '&' && code[i + 1] != '=')) continue;
      const std::size_t captures_end = behind(code, i), body = code.find('{', captures_end);
      if (body == std::string_view::npos || body > end) break;
      const std::string_view captures = code.substr(i, captures_end - i);
      const std::string_view parameters = code.substr(captures_end, body - captures_end);
      const std::string_view inside = code.substr(body, behind(code, body) - body);
      for (const std::string& name : names)
        if (is_used(inside, name) && !is_used(parameters, name) &&
            captures.find(name + " =") == std::string_view::npos)
          return name;
    }
  }
  return "";
}

TEST(Compilers, TheSearchForBindingsFindsWhatClangRefuses) {
  EXPECT_EQ(captured_binding("for (const auto& [key, value] : all) { f([&](int i) { return g(key, i); }); }"),
            "key");
  EXPECT_EQ(captured_binding("auto [a, b] = f();\nconst auto h = [=] { return b; };"), "b");
  for (const char* fine : {"for (const auto& [key, value] : all) { f([&](int i) { return i; }); }",
                           "auto [a, b] = f();\nconst auto h = [&, &b = b] { return b; };",
                           "{ auto [a, b] = f(); }\nconst auto h = [&] { return b; };",
                           "auto [a, b] = f();\nconst auto h = [&] { return x.b + y->b + z::b; };",
                           "for (auto& [a, b] : all) f(a);\nconst auto h = [&] { return b; };",
                           "auto [a, b] = f();\nconst auto h = [&](int b) { return b; };",
                           "auto x = a[b];\nconst auto h = [&] { return b; };"})
    EXPECT_EQ(captured_binding(fine), "") << fine;
}

TEST(Compilers, NothingIsWrittenThatClangOfDebianDoesNotCompile) {
  std::string found;
  for (const auto& path : sources(kSourceTrees)) {
    const std::string code = code_of(text_of(path));
    if (code.find("std::views::") != std::string::npos ||
        code.find("std::ranges::views::") != std::string::npos)
      found += name_in_tree(path) + ": std::views, use a loop\n";
    if (const std::string name = captured_binding(code); !name.empty())
      found += name_in_tree(path) + ": a lambda captures the structured binding " + name +
               ", give it a variable\n";
  }
  EXPECT_EQ(found, "");
}

}  // namespace
}  // namespace mash::testing
