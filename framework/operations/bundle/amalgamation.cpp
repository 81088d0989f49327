// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/amalgamation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <vector>

#include "framework/base/require.hpp"
#include "framework/operations/bundle/files.hpp"

namespace mash {
namespace {

constexpr std::string_view kIncludes = "//@INCLUDES@";
constexpr std::string_view kSdk = "sdk/include/";

// A word of a line, and what is behind it.
std::string_view first_word(std::string_view& line) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  const auto size = std::size_t(std::find_if(line.begin(), line.end(), is_blank) - line.begin());
  const std::string_view word = line.substr(0, size);
  line.remove_prefix(size);
  return word;
}

// The header that a line includes, with its brackets or quotes; "" where it includes none.
std::string header_of(std::string_view line) {
  const std::string_view directive = first_word(line);
  std::string_view rest = line;
  if (directive == "#" && first_word(rest) == "include")
    line = rest;
  else if (!directive.starts_with("#include"))
    return "";
  const std::string_view whole = directive.starts_with("#include") ? directive.substr(8) : "";
  const std::string text = std::string(whole) + std::string(line);
  const std::size_t begin = text.find_first_of("<\"");
  if (begin == std::string::npos) return "";
  const std::size_t end = text.find(text[begin] == '<' ? '>' : '"', begin + 1);
  return end == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

std::vector<std::string> lines_in(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string without_brackets(const std::string& header) { return header.substr(1, header.size() - 2); }

// Whether it is a header of C++'s or C's library, or of the compiler.
bool is_of_language(const std::string& header) {
  static constexpr std::array kOthers{"assert.h",    "ctype.h",     "dlfcn.h",     "errno.h",   "float.h",
                                      "inttypes.h",  "limits.h",    "math.h",      "stddef.h",  "stdint.h",
                                      "stdio.h",     "stdlib.h",    "string.h",    "time.h",    "immintrin.h",
                                      "emmintrin.h", "xmmintrin.h", "x86intrin.h", "arm_neon.h"};
  const std::string name = without_brackets(header);
  if (!header.starts_with('<')) return false;
  return name.find_first_of("./") == std::string::npos ||
         std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

// The bundled file that a header is; "" where it is none.
std::string bundled_path(std::string_view folder, const std::string& name) {
  const std::string beside = (std::filesystem::path(folder) / name).lexically_normal().string();
  for (const std::string& path : {beside, name, std::string(kSdk) + name})
    if (bundled_text(path)) return path;
  return "";
}

// The macros that a text defines.
std::vector<std::string> macros_of(const std::string& text) {
  std::vector<std::string> macros;
  for (const std::string& line : lines_in(text)) {
    std::string_view rest = line;
    if (first_word(rest) != "#define") continue;
    const std::string_view word = first_word(rest);
    macros.emplace_back(word.substr(0, word.find('(')));
  }
  return macros;
}

// Whether the text opens the namespace of the SDK.
bool opens_sdk_namespace(const std::string& text) {
  for (const std::string& line : lines_in(text)) {
    std::string_view rest = line;
    if (first_word(rest) != "namespace") continue;
    const std::string_view name = first_word(rest);
    if (name == "mash" || name.starts_with("mash::") || name.starts_with("mash{")) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string_view> bundled_text(std::string_view path) {
  for (const BundledFile& file : bundled_files())
    if (file.path == path) return file.text;
  return std::nullopt;
}

std::string with_words(std::string text, const Words& words) {
  for (const auto& [word, replacement] : words)
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += replacement.size())
      text.replace(at, word.size(), replacement);
  return text;
}

Status check_source(const std::string& name, const std::string& text) {
  for (const std::string& line : lines_in(text)) {
    const std::string header = header_of(line);
    if (header.empty() || is_of_language(header) || !bundled_path("", without_brackets(header)).empty())
      continue;
    return input_error(
        "{}: found the header {}, expected those of C++ and mash/heuristic.hpp alone: leave the source out, "
        "and its plugin is bundled",
        name, header);
  }
  if (opens_sdk_namespace(text))
    return input_error(
        "{}: found the namespace mash opened, expected names in another one or in none: leave "
        "the source out, and its plugin is bundled",
        name);
  return Done{};
}

std::string as_part(const std::string& text, const std::string& prefix, std::size_t number) {
  std::string part;
  for (const std::string& line : lines_in(text))
    if (!header_of(line).empty()) part += line + "\n";
  part += fmt::format("#define mash_plugin {0}_plugin_{1}\nnamespace {0}_source_{1} {{\n", prefix, number);
  part += text;
  if (!part.ends_with('\n')) part += '\n';
  part += fmt::format("}}  // namespace {}_source_{}\n#undef mash_plugin\n", prefix, number);
  for (const std::string& macro : macros_of(text)) part += "#undef " + macro + "\n";
  return part;
}

std::string Amalgamation::of(const std::string& text, const std::string& own_header) {
  own_header_ = own_header;
  taken_.clear();
  of_language_.clear();
  body_.clear();
  add("", text);
  std::string headers;
  for (const std::string& header : of_language_) headers += fmt::format("#include {}\n", header);
  const std::size_t place = body_.find(kIncludes);
  require(place != std::string::npos, "Amalgamation::of: a line for the headers of C++");
  body_.replace(place, kIncludes.size(), "\n" + headers);
  return std::move(body_);
}

void Amalgamation::add(std::string_view folder, std::string_view text) {
  for (const std::string& line : lines_in(text)) {
    const std::string header = header_of(line);
    if (line == "#pragma once")
      continue;
    else if (header.empty() || header == own_header_)
      body_ += line + "\n";
    else if (is_of_language(header))
      of_language_.insert(header);
    else
      include(folder, without_brackets(header));
  }
}

void Amalgamation::include(std::string_view folder, const std::string& name) {
  const std::string path = bundled_path(folder, name);
  require(!path.empty(), "Amalgamation::of: a text that includes headers of C++ or of bundled files alone");
  if (!taken_.insert(path).second) return;
  std::string text(*bundled_text(path));
  if (path.ends_with(".in")) text = with_words(std::move(text), words_);
  add(std::filesystem::path(path).parent_path().string(), text);
}

}  // namespace mash
