// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "framework/base/percent.hpp"
#include "framework/base/utf8.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostFields = 100;

// Text of a form may have lines; an address may not.
enum class Lines { kRefused, kTaken };

bool is_plain(char c, Lines lines) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && c != 0x7f) || (lines == Lines::kTaken && (c == '\n' || c == '\r' || c == '\t'));
}

// Nothing where it cannot be decoded, or is no plain UTF-8.
std::optional<std::string> decoded(std::string_view text, bool plus_is_space, Lines lines) {
  std::string spaced(text);
  if (plus_is_space) std::ranges::replace(spaced, '+', ' ');
  auto out = percent_decoded(spaced);
  if (!out || !is_utf8(*out)) return std::nullopt;
  if (!std::ranges::all_of(*out, [&](char c) { return is_plain(c, lines); })) return std::nullopt;
  return out;
}

bool read_path(std::string_view path, Request& request) {
  if (path.empty() || path[0] != '/') return false;
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const auto part = decoded(path.substr(0, end), false, Lines::kRefused);
    if (!part || part->empty() || *part == "." || *part == "..") return false;
    request.path.push_back(*part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

// "a=1&b=2". Nothing where it cannot be decoded.
std::optional<std::vector<std::pair<std::string, std::string>>> read_pairs(std::string_view text,
                                                                           Lines lines) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto key = decoded(pair.substr(0, equals), true, Lines::kRefused);
    const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), true, lines);
    if (!key || !value || pairs.size() == kMostFields) return std::nullopt;
    if (!key->empty()) pairs.emplace_back(*key, *value);
  }
  return pairs;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

constexpr std::string_view kBlanks = " \t";

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// Takes a value off the front of what follows `name=`: up to the next ';', or in quotes, where a backslash
// stands before a quote or another backslash of the value; any other backslash is one itself, as in the names
// of files. Nothing where the quote stays open.
std::optional<std::string> take_value(std::string_view& rest) {
  std::string value;
  if (!rest.starts_with('"')) {
    value = rest.substr(0, rest.find(';'));
    rest.remove_prefix(value.size());
    value.resize(value.find_last_not_of(kBlanks) + 1);
    return value;
  }
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const bool is_pair = rest[i] == '\\' && (rest.substr(i + 1, 1) == "\"" || rest.substr(i + 1, 1) == "\\");
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return value;
    }
    value += rest[is_pair ? ++i : i];
  }
  return std::nullopt;
}

// The value of a parameter in a line such as `form-data; name="a"`, by its grammar (RFC 9110, section 5.6.6):
// blanks on either side of a ';', names in any case. Nothing where there is none.
std::optional<std::string> parameter(std::string_view line, std::string_view name) {
  line.remove_prefix(std::min(line.find(';'), line.size()));
  while (!line.empty()) {
    line = without_blanks_before(line.substr(1));
    const std::size_t end = line.find_first_of("=;");
    if (end == std::string_view::npos) return std::nullopt;
    const bool is_it = end == name.size() && starts_with_word(line, name);
    const bool has_value = line[end] == '=';
    line.remove_prefix(end + (has_value ? 1 : 0));
    if (!has_value) continue;
    auto value = take_value(line);
    if (is_it || !value) return value;
    line.remove_prefix(std::min(line.find(';'), line.size()));
  }
  return std::nullopt;
}

// The line of `name` in the header of a part of a multipart body.
std::string_view header_line(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::string_view line = header.substr(0, header.find("\r\n"));
    if (starts_with_word(line, name)) return line;
    header.remove_prefix(std::min(line.size() + 2, header.size()));
  }
  return {};
}

constexpr const char* kNoForm = "This is not what a form of this site sends.";

// One part, its header and its content: a field, or a file with its name. Errors (kInput): it is neither, or
// is no UTF-8.
Status read_part(std::string_view part, Fields& fields) {
  const std::size_t blank = part.find("\r\n\r\n");
  if (blank == std::string_view::npos) return input_error(kNoForm);
  const std::string_view disposition = header_line(part.substr(0, blank + 2), "content-disposition:");
  const auto name = parameter(disposition, "name");
  const std::string_view content = part.substr(blank + 4);
  if (!name || name->empty() || !is_utf8(*name)) return input_error(kNoForm);
  const auto file_name = parameter(disposition, "filename");
  if (file_name && !is_utf8(*file_name)) return input_error(kNoForm);
  MASH_TRY(
      check_utf8(content, printable(file_name.value_or("").empty() ? "field '" + *name + "'" : *file_name)));
  if (file_name) fields.emplace(*name + ".file_name", *file_name);
  fields.emplace(*name, content);
  if (fields.size() > kMostFields) return input_error(kNoForm);
  return Done{};
}

// The rest of a multipart body behind its next line "--BOUNDARY"; before the first there may be other text.
// Nothing where there is none.
std::optional<std::string_view> behind_first(std::string_view body, const std::string& first) {
  if (body.starts_with(first)) return body.substr(first.size());
  const std::string next = "\r\n" + first;
  const std::size_t found = body.find(next);
  if (found == std::string_view::npos) return std::nullopt;
  return body.substr(found + next.size());
}

// RFC 7578: parts between lines "--BOUNDARY", which may end in blanks, the last one "--BOUNDARY--".
Result<Fields> read_multipart(std::string_view body, std::string_view boundary) {
  if (boundary.empty() || boundary.size() > 70) return input_error(kNoForm);
  const std::string first = fmt::format("--{}", boundary), next = "\r\n" + first;
  auto rest = behind_first(body, first);
  Fields fields;
  while (rest && !rest->starts_with("--")) {
    const std::string_view part = without_blanks_before(*rest);
    if (!part.starts_with("\r\n")) return input_error(kNoForm);
    const std::size_t end = part.find(next, 2);
    if (end == std::string_view::npos) return input_error(kNoForm);
    MASH_TRY(read_part(part.substr(2, end - 2), fields));
    rest = part.substr(end + next.size());
  }
  if (!rest) return input_error(kNoForm);
  return fields;
}

}  // namespace

std::string_view value_of(const Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view Request::value(std::string_view name) const {
  const auto found =
      std::find_if(query.begin(), query.end(), [&](const auto& one) { return one.first == name; });
  return found == query.end() ? std::string_view() : std::string_view(found->second);
}

bool read_target(std::string_view target, Request& request) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  if (!read_path(target.substr(0, mark), request)) return false;
  auto query = read_pairs(target.substr(std::min(mark + 1, target.size())), Lines::kRefused);
  if (!query) return false;
  request.query = *std::move(query);
  request.target = std::string(target);
  return true;
}

Fields read_cookies(std::string_view header) {
  Fields cookies;
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(pair.size() + 1, header.size()));
    pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && cookies.size() < kMostFields)
      cookies.emplace(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return cookies;
}

Result<Fields> read_form(std::string_view content_type, std::string_view body) {
  if (starts_with_word(content_type, "multipart/form-data"))
    return read_multipart(body, parameter(content_type, "boundary").value_or(""));
  if (!starts_with_word(content_type, "application/x-www-form-urlencoded")) return input_error(kNoForm);
  auto pairs = read_pairs(body, Lines::kTaken);
  if (!pairs) return input_error(kNoForm);
  Fields fields;
  for (auto& [name, value] : *pairs) fields.emplace(std::move(name), std::move(value));
  return fields;
}

}  // namespace mash::server
