// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/sources/tokens.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace mash {
namespace {

// Kinds of tokens. Signs are 4 + their byte, keywords 260 + their place in the list.
constexpr std::uint32_t kName = 1, kNumber = 2, kText = 3, kFirstSign = 4, kFirstKeyword = 260;

// All of C++20, and the words that mean something in places.
constexpr std::array<std::string_view, 94> kKeywords{"alignas",
                                                     "alignof",
                                                     "and",
                                                     "and_eq",
                                                     "asm",
                                                     "auto",
                                                     "bitand",
                                                     "bitor",
                                                     "bool",
                                                     "break",
                                                     "case",
                                                     "catch",
                                                     "char",
                                                     "char8_t",
                                                     "char16_t",
                                                     "char32_t",
                                                     "class",
                                                     "compl",
                                                     "concept",
                                                     "const",
                                                     "consteval",
                                                     "constexpr",
                                                     "constinit",
                                                     "const_cast",
                                                     "continue",
                                                     "co_await",
                                                     "co_return",
                                                     "co_yield",
                                                     "decltype",
                                                     "default",
                                                     "delete",
                                                     "do",
                                                     "double",
                                                     "dynamic_cast",
                                                     "else",
                                                     "enum",
                                                     "explicit",
                                                     "export",
                                                     "extern",
                                                     "false",
                                                     "final",
                                                     "float",
                                                     "for",
                                                     "friend",
                                                     "goto",
                                                     "if",
                                                     "inline",
                                                     "int",
                                                     "long",
                                                     "mutable",
                                                     "namespace",
                                                     "new",
                                                     "noexcept",
                                                     "not",
                                                     "not_eq",
                                                     "nullptr",
                                                     "operator",
                                                     "or",
                                                     "or_eq",
                                                     "override",
                                                     "private",
                                                     "protected",
                                                     "public",
                                                     "register",
                                                     "reinterpret_cast",
                                                     "requires",
                                                     "return",
                                                     "short",
                                                     "signed",
                                                     "sizeof",
                                                     "static",
                                                     "static_assert",
                                                     "static_cast",
                                                     "struct",
                                                     "switch",
                                                     "template",
                                                     "this",
                                                     "thread_local",
                                                     "throw",
                                                     "true",
                                                     "try",
                                                     "typedef",
                                                     "typeid",
                                                     "typename",
                                                     "union",
                                                     "unsigned",
                                                     "using",
                                                     "virtual",
                                                     "void",
                                                     "volatile",
                                                     "wchar_t",
                                                     "while",
                                                     "xor",
                                                     "xor_eq"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Bytes of other alphabets are letters here.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

class Tokeniser {
 public:
  explicit Tokeniser(std::string_view text) : text_(text) {}

  std::vector<SourceToken> run() {
    while (at_ < text_.size() && tokens_.size() < kMostSourceTokens) step();
    return std::move(tokens_);
  }

 private:
  bool is_at(std::string_view words) const { return text_.substr(at_).starts_with(words); }
  char now() const { return text_[at_]; }

  void skip_to(std::size_t end) {
    end = std::min(end, text_.size());
    line_ += std::uint32_t(
        std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(end), '\n'));
    at_ = end;
  }
  // To the byte after these words; to the end where they do not come.
  void skip_past(std::string_view words, std::size_t from) {
    const std::size_t found = text_.find(words, from);
    skip_to(found == std::string_view::npos ? text_.size() : found + words.size());
  }
  void skip_line() { skip_past("\n", at_); }

  void put(std::uint32_t kind) { tokens_.push_back({kind, line_}); }

  void step() {
    if (is_blank(now())) return skip_to(at_ + 1);
    if (is_at("//")) return skip_line();
    if (is_at("/*")) return skip_past("*/", at_ + 2);
    if (now() == '#' && is_include()) return skip_line();
    if (is_letter(now())) return take_word();
    if (is_digit(now()) || (now() == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])))
      return take_number();
    if (now() == '"' || now() == '\'') return take_text(now());
    put(kFirstSign + static_cast<unsigned char>(now()));
    skip_to(at_ + 1);
  }

  bool is_include() const {
    const std::size_t word = text_.find_first_not_of(" \t", at_ + 1);
    return word != std::string_view::npos && text_.substr(word).starts_with("include");
  }

  void take_word() {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    // R"x(...)x" and u8"..." are texts.
    if (end < text_.size() && text_[end] == '"' && word.ends_with('R')) return take_raw_text(end);
    const auto keyword = std::ranges::find(kKeywords, word);
    put(keyword == kKeywords.end() ? kName : kFirstKeyword + std::uint32_t(keyword - kKeywords.begin()));
    at_ = end;
  }

  // 1'000.5e-3f is one number.
  void take_number() {
    put(kNumber);
    std::size_t end = at_;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool is_sign_of_exponent =
          (c == '+' || c == '-') && end > at_ &&
          std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos;
      if (!is_digit(c) && !is_letter(c) && c != '.' && c != '\'' && !is_sign_of_exponent) break;
      ++end;
    }
    at_ = end;
  }

  // Ends at the next quote that has no backslash before it, or at the end of the line.
  void take_text(char quote) {
    put(kText);
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
      end += text_[end] == '\\' && end + 1 < text_.size() ? 2 : 1;
    skip_to(end < text_.size() && text_[end] == quote ? end + 1 : end);
  }

  void take_raw_text(std::size_t quote) {
    put(kText);
    const std::size_t open = text_.find('(', quote);
    if (open == std::string_view::npos) return skip_to(text_.size());
    std::string end(1, ')');
    end.append(text_.substr(quote + 1, open - quote - 1)).append(1, '"');
    skip_past(end, open);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::vector<SourceToken> source_tokens(std::string_view source) { return Tokeniser(source).run(); }

}  // namespace mash
