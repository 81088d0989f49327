// SPDX-License-Identifier: Apache-2.0
#include "server/http/message.hpp"

#include <charconv>
#include <optional>

#include "framework/base/utf8.hpp"

namespace mash::server {
namespace {

// A byte that may stand in a part of a path or query once it is decoded.
bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; }

std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      unsigned byte = 0;
      const std::string_view digits = text.substr(i + 1, 2);
      const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      if (digits.size() < 2 || code != std::errc() || end != digits.data() + 2) return std::nullopt;
      c = char(byte);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (!is_plain(c)) return std::nullopt;
    out += c;
  }
  if (!is_utf8(out)) return std::nullopt;
  return out;
}

bool read_path(std::string_view path, Request& request) {
  if (path.empty() || path[0] != '/') return false;
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const auto part = decoded(path.substr(0, end), false);
    if (!part || part->empty() || *part == "." || *part == "..") return false;
    request.path.push_back(*part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

bool read_query(std::string_view query, Request& request) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto key = decoded(pair.substr(0, equals), true);
    const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!key || !value) return false;
    if (!key->empty()) request.query.emplace(*key, *value);
  }
  return true;
}

}  // namespace

bool read_target(std::string_view target, Request& request) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  return read_path(target.substr(0, mark), request) &&
         read_query(target.substr(std::min(mark + 1, target.size())), request);
}

}  // namespace mash::server
