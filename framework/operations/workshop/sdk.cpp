// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/sdk.hpp"

#include <cstdlib>
#include <sstream>

#include "framework/base/file.hpp"
#include "framework/base/running_program.hpp"

namespace mash {
namespace {

// The words of a line, with ${pcfiledir} replaced; a folder's name may have blanks in it.
std::vector<std::string> flags_of(const std::string& line, const std::string& folder) {
  constexpr std::string_view kFolder = "${pcfiledir}";
  std::vector<std::string> flags;
  std::istringstream words(line);
  for (std::string word; words >> word; flags.push_back(word))
    if (const auto place = word.find(kFolder); place != std::string::npos)
      word.replace(place, kFolder.size(), folder);
  return flags;
}

}  // namespace

Result<Sdk> Sdk::find() {
  const char* named = std::getenv("MASH_SDK");
  std::error_code code;
  const Sdk sdk(named && *named ? std::filesystem::absolute(named, code)
                                : running_program().parent_path().parent_path());
  const auto rules = sdk.cmake_package() / "mash_add_heuristic.cmake";
  if (std::filesystem::exists(rules, code)) return sdk;
  if (named && *named)
    return input_error("$MASH_SDK: {}: no such file; expected where the SDK is installed", rules.string());
  return failure(
      "{}: no such file; install the SDK (the package mash-sdk, or cmake --install BUILD --component sdk) or "
      "name its place in $MASH_SDK",
      rules.string());
}

Result<CompilerFlags> Sdk::flags(std::string_view module) const {
  const std::filesystem::path folder = prefix_ / "share/pkgconfig";
  MASH_ASSIGN(const std::string text, read_file(folder / fmt::format("{}.pc", module)));
  CompilerFlags flags;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Cflags:")) flags.compile = flags_of(line.substr(7), folder.string());
    if (line.starts_with("Libs:")) flags.link = flags_of(line.substr(5), folder.string());
  }
  return flags;
}

}  // namespace mash
