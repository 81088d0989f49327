// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/cpp_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace mash::testing {
namespace {

struct Token {
  std::string_view text;  // a word, a number, '""' for any literal, or one character of punctuation
  std::size_t line = 0;
};

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_word(std::string_view text) {
  return is_word_character(text[0]) && !std::isdigit(static_cast<unsigned char>(text[0]));
}

// Splits a text into tokens, without preprocessor lines where they are left out, and comments.
class Tokeniser {
 public:
  enum class Directives { kLeftOut, kRead };

  Tokeniser(std::string_view text, Directives directives) : text_(text), directives_(directives) {}

  void run() {
    while (at_ < text_.size()) step();
  }
  std::vector<Token> take_tokens() { return std::move(tokens_); }
  std::vector<Comment> take_comments() { return std::move(comments_); }

 private:
  bool starts_with(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }

  void skip_to(std::size_t end) {
    end = std::min(end, text_.size());
    line_ += std::size_t(
        std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(end), '\n'));
    at_ = end;
  }
  // Past the next `what` from `from` on.
  void skip_past(std::string_view what, std::size_t from) {
    const std::size_t found = text_.find(what, from);
    skip_to(found == std::string_view::npos ? text_.size() : found + what.size());
  }
  void add(std::string_view token) {
    tokens_.push_back({token, line_});
    is_line_start_ = false;
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') is_line_start_ = true;
    if (std::isspace(static_cast<unsigned char>(c))) return skip_to(at_ + 1);
    if (starts_with("//") || starts_with("/*")) return comment();
    if (c == '#' && is_line_start_ && directives_ == Directives::kLeftOut) return directive();
    if (c == '"' || c == '\'') return literal(c);
    if (is_word_character(c)) return word_or_number();
    add(text_.substr(at_, 1));
    skip_to(at_ + 1);
  }

  void comment() {
    const std::size_t begin = at_, line = line_;
    if (starts_with("//"))
      skip_to(text_.find('\n', at_));
    else
      skip_past("*/", at_ + 2);
    comments_.push_back({text_.substr(begin, at_ - begin), line});
  }

  // A line of the preprocessor; of #else and #elif the lines up to the #endif as well.
  void directive() {
    const bool is_other_branch = directive_is("else") || directive_is("elif");
    skip_directive();
    std::size_t depth = 1;
    while (is_other_branch && depth > 0 && at_ < text_.size()) {
      const std::size_t first = text_.find_first_not_of(" \t", at_);
      if (first == std::string_view::npos) return skip_to(text_.size());
      if (text_[first] == '#') {
        skip_to(first);
        if (directive_is("if")) ++depth;
        if (directive_is("endif")) --depth;
      }
      skip_directive();
    }
  }
  bool directive_is(std::string_view name) const {
    const std::size_t first = text_.find_first_not_of(" \t", at_ + 1);
    return first != std::string_view::npos && text_.substr(first).starts_with(name);
  }
  // To the next line, or further where this one ends with a backslash.
  void skip_directive() {
    bool goes_on = true;
    while (goes_on && at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      goes_on = end > at_ && text_[end - 1] == '\\';
      skip_to(end + 1);
    }
    is_line_start_ = true;
  }

  void literal(char quote) {
    add("\"\"");
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    skip_to(end + 1);
  }

  void word_or_number() {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at_]));
    std::size_t end = at_;
    while (end < text_.size() && (is_word_character(text_[end]) || (is_number && text_[end] == '\''))) ++end;
    const std::string_view token = text_.substr(at_, end - at_);
    const char next = end < text_.size() ? text_[end] : ' ';
    if (next == '"' && token.ends_with('R')) {  // a raw string
      const std::size_t open = std::min(text_.find('(', end), text_.size());
      std::string closing(1, ')');
      closing += text_.substr(end + 1, open - end - 1);
      closing += '"';
      add("\"\"");
      return skip_past(closing, open);
    }
    if ((next == '"' || next == '\'') && (token == "L" || token == "u" || token == "U" || token == "u8"))
      return skip_to(end);
    add(token);
    skip_to(end);
  }

  std::string_view text_;
  Directives directives_;
  std::size_t at_ = 0, line_ = 1;
  bool is_line_start_ = true;
  std::vector<Token> tokens_;
  std::vector<Comment> comments_;
};

std::vector<Token> tokens_of(std::string_view text) {
  Tokeniser tokeniser(text, Tokeniser::Directives::kLeftOut);
  tokeniser.run();
  return tokeniser.take_tokens();
}

// Reads declarations of namespaces and classes.
class Reader {
 public:
  explicit Reader(std::string_view text) : tokens_(tokens_of(text)) {}

  std::vector<Declaration> run() {
    read_scope();
    return std::move(declarations_);
  }

 private:
  std::string_view at(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }
  bool at_end() const { return next_ >= tokens_.size(); }

  // The index after the bracket that closes the one at `open`.
  std::size_t after_group(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (at(i) == "(" || at(i) == "{" || at(i) == "[") ++depth;
      if ((at(i) == ")" || at(i) == "}" || at(i) == "]") && --depth == 0) return i + 1;
    }
    return tokens_.size();
  }
  // The same for the angle brackets of a template, whose arguments compare nothing.
  std::size_t after_angles(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (at(i) == "(" || at(i) == "{" || at(i) == "[")
        i = after_group(i) - 1;
      else if (at(i) == "<")
        ++depth;
      else if (at(i) == ">" && --depth == 0)
        return i + 1;
    }
    return tokens_.size();
  }

  // Up to the brace that closes it, or the end.
  void read_scope() {
    while (!at_end() && at(next_) != "}") read_declaration();
    ++next_;
  }
  void read_scope_named(std::string name, bool is_class) {
    scopes_.push_back(std::move(name));
    num_classes_ += is_class;
    read_scope();
    num_classes_ -= is_class;
    scopes_.pop_back();
  }

  void read_declaration() {
    begin_ = next_;
    if (is_access_specifier()) {
      next_ += 2;
    } else if (at(next_) == "namespace" || (at(next_) == "inline" && at(next_ + 1) == "namespace")) {
      read_namespace();
    } else if (at(next_) == "extern" && at(next_ + 1) == "\"\"" && at(next_ + 2) == "{") {
      next_ += 3;
      read_scope();
    } else {
      read_entity();
    }
  }
  bool is_access_specifier() const {
    return (at(next_) == "public" || at(next_) == "protected" || at(next_) == "private") &&
           at(next_ + 1) == ":";
  }

  void read_namespace() {
    std::string name;
    for (next_ += at(next_) == "inline" ? 2 : 1; !at_end() && at(next_) != "{" && at(next_) != ";"; ++next_)
      if (at(next_) == "=")
        return skip_to_semicolon();  // an alias
      else
        name += at(next_);
    ++next_;
    read_scope_named(name, false);
  }

  void skip_to_semicolon() {
    while (!at_end() && at(next_) != ";" && at(next_) != "}")
      next_ = at(next_) == "(" || at(next_) == "{" || at(next_) == "[" ? after_group(next_) : next_ + 1;
    if (at(next_) == ";") ++next_;
  }

  // A class, a function, a variable, an alias or the use of a macro.
  void read_entity() {
    bool is_class = false;
    while (!at_end()) {
      const std::string_view token = at(next_);
      if (token == "using" || token == "typedef" || token == "friend" || token == "static_assert" ||
          token == "=")
        return skip_to_semicolon();
      if (token == ";" || token == "}") return skip_to_semicolon();
      if (token == "{") return is_class ? read_class() : skip_to_semicolon();
      if (token == "operator") return read_function(next_);
      if (token == "<") {
        next_ = after_angles(next_);
      } else if (token == "[") {
        next_ = after_group(next_);
      } else if (token == "(") {
        if (next_ > begin_ && !takes_arguments_of_its_own(at(next_ - 1)))
          return read_function(name_before(next_));
        next_ = after_group(next_);
      } else {
        is_class |= token == "class" || token == "struct" || token == "union" || token == "enum";
        ++next_;
      }
    }
  }
  static bool takes_arguments_of_its_own(std::string_view word) {
    constexpr std::array<std::string_view, 6> kWords{"decltype", "alignas",  "__attribute__",
                                                     "noexcept", "requires", "explicit"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
  }

  void read_class() {
    Declaration declaration = begin_declaration(Declaration::Kind::kClass);
    std::size_t i = begin_;
    while (at(i) != "class" && at(i) != "struct" && at(i) != "union" && at(i) != "enum")
      i = at(i) == "<" ? after_angles(i) : i + 1;
    const bool is_enum = at(i) == "enum";
    for (++i; i < next_ && at(i) != ":" && at(i) != "final"; ++i) {
      if (at(i) == "class" || at(i) == "struct") continue;
      if (takes_arguments_of_its_own(at(i)) || at(i) == "[") {
        i = after_group(at(i) == "[" ? i : i + 1) - 1;
        continue;
      }
      if (at(i) == "<") break;  // of a specialisation
      declaration.name += at(i);
      if (at(i + 1) == ":" && at(i + 2) == ":") declaration.name += "::", i += 2;
    }
    declaration.has_body = true;
    const std::size_t index = declarations_.size();
    declarations_.push_back(declaration);
    if (is_enum) {
      next_ = after_group(next_);
    } else {
      ++next_;
      read_scope_named(declaration.name, true);
    }
    declarations_[index].last_line = line_of(next_ - 1);
    skip_to_semicolon();
  }

  Declaration begin_declaration(Declaration::Kind kind) const {
    Declaration declaration;
    declaration.kind = kind;
    declaration.scopes = scopes_;
    declaration.is_member = num_classes_ > 0;
    declaration.first_line = line_of(begin_);
    return declaration;
  }
  std::size_t line_of(std::size_t i) const { return tokens_[std::min(i, tokens_.size() - 1)].line; }

  // Where the name begins that the bracket at `open` follows: "a::b<c>::d", "~a".
  std::size_t name_before(std::size_t open) const {
    std::size_t begin = open - 1;
    if (begin > begin_ && at(begin - 1) == "~") --begin;
    while (begin >= begin_ + 3 && at(begin - 1) == ":" && at(begin - 2) == ":") {
      if (at(begin - 3) == ">") {
        begin -= 3;
        while (begin > begin_ && at(begin) != "<") --begin;
        --begin;
      } else if (is_word(at(begin - 3))) {
        begin -= 3;
      } else {
        begin -= 2;
      }
    }
    return begin;
  }

  // name: the index of its first token. Also what looks like one: a variable with arguments, a macro.
  void read_function(std::size_t name) {
    Declaration declaration = begin_declaration(Declaration::Kind::kFunction);
    for (std::size_t i = begin_; i < name; ++i) declaration.is_static |= at(i) == "static";
    std::size_t open = name;
    while (at(open) != "(" && open < tokens_.size()) declaration.name += at(open++);
    if (declaration.name.ends_with("operator") && at(open + 1) == ")") {
      declaration.name += "()";
      open += 2;
    }
    next_ = after_group(open);
    declaration.num_parameters = num_parameters(open);
    if (is_test_macro(declaration.name)) declaration.name += arguments(open);
    if (!skip_to_body()) return;
    declaration.has_body = at(next_) == "{";
    if (declaration.has_body)
      skip_body();
    else
      skip_to_semicolon();
    declaration.last_line = line_of(next_ - 1);
    declarations_.push_back(std::move(declaration));
  }
  // With the handlers of a function that is one try block.
  void skip_body() {
    next_ = after_group(next_);
    while (at(next_) == "catch") next_ = after_group(after_group(next_ + 1));
  }
  static bool is_test_macro(std::string_view name) {
    return name == "TEST" || name == "TEST_F" || name == "TEST_P" || name == "RC_GTEST_PROP";
  }
  std::string arguments(std::size_t open) const {
    std::string text = "(";
    for (std::size_t i = open + 1, end = std::min(after_group(open) - 1, open + 4); i < end; ++i) {
      text += at(i);
      if (at(i) == ",") text += ' ';
    }
    return text + ")";
  }

  std::size_t num_parameters(std::size_t open) const {
    const std::size_t end = after_group(open) - 1;
    if (end == open + 1 || (end == open + 2 && at(open + 1) == "void")) return 0;
    std::size_t count = 1;
    for (std::size_t i = open + 1; i < end;) {
      count += at(i) == ",";
      if (at(i) == "(" || at(i) == "{" || at(i) == "[")
        i = after_group(i);
      else
        i = at(i) == "<" ? after_angles(i) : i + 1;
    }
    return count;
  }

  // From the end of the parameters to the body, or to what stands in its place. False where there was no
  // function but a macro, after which the next declaration begins.
  bool skip_to_body() {
    if (at(next_) == ":" && at(next_ + 1) != ":") skip_initialisers();
    while (!at_end() && at(next_) != "{" && at(next_) != ";" && at(next_) != "=") {
      const std::string_view token = at(next_);
      if (token == "}") return false;
      if (token == "-" && at(next_ + 1) == ">") {
        skip_return_type();
      } else if (token == "noexcept" || token == "requires" || token == "&") {
        ++next_;
        if (at(next_) == "(") next_ = after_group(next_);
      } else if (token == "const" || token == "override" || token == "final" || token == "try") {
        ++next_;
      } else if (token == ":") {
        skip_initialisers();
      } else {
        return false;
      }
    }
    return true;
  }
  void skip_return_type() {
    for (next_ += 2; !at_end() && at(next_) != "{" && at(next_) != ";" && at(next_) != "=";)
      next_ = at(next_) == "<" ? after_angles(next_) : at(next_) == "(" ? after_group(next_) : next_ + 1;
  }
  // ": a_(1), B<int>{2}", up to the body.
  void skip_initialisers() {
    do {
      ++next_;
      while (!at_end() && at(next_) != "(" && at(next_) != "{")
        next_ = at(next_) == "<" ? after_angles(next_) : next_ + 1;
      next_ = after_group(next_);
      while (at(next_) == ".") ++next_;  // of a pack
    } while (at(next_) == ",");
  }

  std::vector<Token> tokens_;
  std::size_t next_ = 0, begin_ = 0;
  std::vector<std::string> scopes_;
  std::size_t num_classes_ = 0;
  std::vector<Declaration> declarations_;
};

}  // namespace

std::vector<Declaration> declarations_of(std::string_view text) { return Reader(text).run(); }

std::vector<Comment> comments_of(std::string_view text) {
  Tokeniser tokeniser(text, Tokeniser::Directives::kRead);
  tokeniser.run();
  return tokeniser.take_comments();
}

}  // namespace mash::testing
