// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/classic_source.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include "framework/base/file.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 200;  // of headers beside a source

// The header that the line includes, without what stands around it; "" where it is no such line. Text that is
// made to break a pattern matcher costs it nothing.
std::string_view header_in(std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t"))); };
  const auto take = [&](std::string_view word) {
    const bool is_there = line.starts_with(word);
    if (is_there) line.remove_prefix(word.size());
    return is_there;
  };
  skip_blanks();
  if (!take("#")) return "";
  skip_blanks();
  if (!take("include")) return "";
  skip_blanks();
  if (!take("<") && !take("\"")) return "";
  const std::size_t end = line.find_first_of(">\"");
  return end == std::string_view::npos ? "" : line.substr(0, end);
}

std::vector<std::string> headers_in(const std::string& text) {
  std::vector<std::string> headers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::string_view header = header_in(line); !header.empty()) headers.emplace_back(header);
  return headers;
}

bool is_classic_header(std::string_view header) {
  return header == "mash/heuristic.h" || header == "mash/image.h" ||
         header == "mash/simple_heuristic_container.h";
}

// Whether the file, or a header beside it, includes a classic header. waiting: files still to be looked at.
bool any_includes_classic_header(std::vector<fs::path> waiting) {
  std::set<fs::path> seen;
  while (!waiting.empty() && seen.size() < kMaxFiles) {
    const fs::path file = std::move(waiting.back());
    waiting.pop_back();
    if (!seen.insert(file.lexically_normal()).second) continue;
    const auto text = read_file(file, kMostTextBytes);
    if (!text.ok()) continue;
    for (const std::string& header : headers_in(*text)) {
      if (is_classic_header(header)) return true;
      std::error_code code;
      const fs::path beside = file.parent_path() / header;
      if (fs::is_regular_file(beside, code)) waiting.push_back(beside);
    }
  }
  return false;
}

// As a C string literal has it.
std::string literal(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

bool is_classic_source(const fs::path& source) { return any_includes_classic_header({source}); }

bool includes_classic_header(const std::string& text) {
  return std::ranges::any_of(headers_in(text), is_classic_header);
}

std::vector<std::string> classic_definitions(const fs::path& source) {
  std::error_code code;
  const fs::path file = fs::absolute(source, code).lexically_normal();
  const fs::path folder = file.parent_path(), data = folder / "data";
  std::vector<std::string> words{"-DMASH_CLASSIC_FILE=" +
                                 literal((folder.filename() / file.filename()).string())};
  if (fs::is_directory(data, code)) words.push_back("-DMASH_DATA_DIR=" + literal((data / "").string()));
  return words;
}

std::string classic_link_error(const std::string& diagnostics) {
  if (diagnostics.find("`new_heuristic'") == std::string::npos &&
      diagnostics.find("undefined symbol: new_heuristic") == std::string::npos)
    return "";
  return "defines no extern \"C\" Heuristic* new_heuristic(), the function that makes a classic heuristic";
}

}  // namespace mash
