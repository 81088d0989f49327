// SPDX-License-Identifier: Apache-2.0
#include "framework/base/without_places.hpp"

#include <algorithm>
#include <array>

namespace mash {
namespace {

constexpr std::array<std::string_view, 5> kPlaces = {"path", "test_path", "list", "costs", "columns"};
constexpr std::string_view kBlanks = " \t\r";

// A walk over a text, scalar by scalar. It knows as much YAML as experiments have: flows, quotes, comments.
class Walk {
 public:
  explicit Walk(std::string_view text) : rest_(text) {}

  std::string out() {
    while (!rest_.empty()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = rest_.front();
    if (c == '"' || c == '\'') return put(quoted(c));
    if (c == '#') return rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && depth_ > 0) --depth_;
    if (c == '}' || (c == ',' && !is_in_list_)) key_ = {};
    if (c == '[') is_in_list_ = true;
    if (c == ']') is_in_list_ = false, key_ = {};
    const bool is_dash = c == '-' && rest_.size() > 1 && kBlanks.find(rest_[1]) != std::string_view::npos;
    if (is_dash || std::string_view(" \t\r\n{}[],:").find(c) != std::string_view::npos) return keep(1);
    put({plain(), ""});
  }

  struct Scalar {
    std::string_view text, quote;
  };
  Scalar quoted(char quote) const {
    std::size_t end = 1;
    while (end < rest_.size()) {
      const bool is_pair = quote == '"' ? rest_[end] == '\\' : rest_.substr(end).starts_with("''");
      if (!is_pair && rest_[end] == quote) break;
      end += is_pair ? 2 : 1;
    }
    end = std::min(end, rest_.size());
    return {rest_.substr(1, end - 1), rest_.substr(0, 1)};
  }
  std::string_view plain() const {
    std::size_t end = 1;
    while (end < rest_.size() && !ends_plain(end)) ++end;
    while (end > 1 && kBlanks.find(rest_[end - 1]) != std::string_view::npos) --end;
    return rest_.substr(0, end);
  }
  bool ends_plain(std::size_t at) const {
    const char c = rest_[at];
    const bool is_last = at + 1 == rest_.size();
    if (c == '\n' || (c == '#' && kBlanks.find(rest_[at - 1]) != std::string_view::npos)) return true;
    if (c == ':') return is_last || std::string_view(" \t\r\n").find(rest_[at + 1]) != std::string_view::npos;
    return depth_ > 0 && std::string_view(",{}[]").find(c) != std::string_view::npos;
  }

  void put(const Scalar& scalar) {
    const std::size_t size = std::min(scalar.text.size() + 2 * scalar.quote.size(), rest_.size());
    std::string_view after = rest_.substr(size);
    after.remove_prefix(std::min(after.find_first_not_of(kBlanks), after.size()));
    if (after.starts_with(':')) {
      key_ = scalar.text;
      return keep(size);
    }
    const bool is_place = scalar.text.starts_with('/') || std::ranges::find(kPlaces, key_) != kPlaces.end();
    // Escapes may hide slashes.
    const bool is_escaped = scalar.quote == "\"" && scalar.text.find('\\') != std::string_view::npos;
    out_.append(scalar.quote);
    if (!is_place || !is_escaped) out_.append(is_place ? last_part(scalar.text) : scalar.text);
    out_.append(size > scalar.text.size() + scalar.quote.size() ? scalar.quote : "");
    rest_.remove_prefix(size);
  }
  void keep(std::size_t size) {
    out_.append(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }

  std::string_view rest_, key_;
  int depth_ = 0;
  bool is_in_list_ = false;
  std::string out_;
};

}  // namespace

std::string_view last_part(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

std::string without_places(std::string_view yaml) { return Walk(yaml).out(); }

}  // namespace mash
