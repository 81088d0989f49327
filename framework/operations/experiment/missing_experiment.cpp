// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/missing_experiment.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "framework/base/suggestion.hpp"
#include "framework/operations/experiment/recipes.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> experiments_beside(const fs::path& path) {
  constexpr std::size_t kMost = 1000;  // that are looked at
  std::vector<std::string> names;
  std::error_code code;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (fs::directory_iterator file(folder, code), end; !code && file != end && names.size() < kMost;
       file.increment(code))
    if (const fs::path extension = file->path().extension(); extension == ".yaml" || extension == ".yml")
      names.push_back(file->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The file beside `path` that may have been meant, as it is to be written; "" where there is none.
std::string file_meant(const fs::path& path) {
  const std::vector<std::string> names = experiments_beside(path);
  const std::vector<std::string_view> known(names.begin(), names.end());
  fs::path wanted = path.filename();
  if (!wanted.has_extension()) wanted += ".yaml";
  const auto meant = suggestions(wanted.string(), known);
  return meant.empty() ? "" : (path.parent_path() / meant[0]).string();
}

}  // namespace

Error missing_experiment(const fs::path& path, const Error& unread) {
  std::vector<std::string_view> known;
  for (const Recipe& recipe : recipes()) known.push_back(recipe.name);
  const bool is_name = !path.has_extension() && !path.has_parent_path();
  const std::string file = file_meant(path);
  std::string question =
      file.empty() ? did_you_mean(path.stem().string(), known) : fmt::format("did you mean '{}'?", file);
  if (!question.empty()) question += ' ';
  if (is_name)
    return input_error("unknown experiment '{}'; {}known: {}", path.string(), question,
                       fmt::join(known, ", "));
  return input_error("{}; {}experiments that come with the program: {}", unread.message, question,
                     fmt::join(known, ", "));
}

}  // namespace mash
