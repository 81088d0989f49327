// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/classic_source.hpp"

#include <regex>
#include <set>

#include "framework/base/file.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 200;  // of headers beside a source

bool includes_classic_header(const fs::path& file, std::set<fs::path>& seen) {
  if (seen.size() == kMaxFiles || !seen.insert(file.lexically_normal()).second) return false;
  const auto text = read_file(file);
  if (!text.ok()) return false;
  static const std::regex classic(R"(mash/(heuristic|image|simple_heuristic_container)\.h)");
  static const std::regex include(R"((?:^|\n)[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"])");
  for (std::sregex_iterator found(text->begin(), text->end(), include), end; found != end; ++found) {
    const std::string header = (*found)[1];
    if (std::regex_match(header, classic)) return true;
    std::error_code code;
    const fs::path beside = file.parent_path() / header;
    if (fs::is_regular_file(beside, code) && includes_classic_header(beside, seen)) return true;
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

bool is_classic_source(const fs::path& source) {
  std::set<fs::path> seen;
  return includes_classic_header(source, seen);
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
