// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/common/steps.hpp"

#include <algorithm>

#include "framework/base/file.hpp"
#include "framework/operations/experiment/recipes.hpp"

namespace mash {

Result<Experiment> recipe_experiment(const ReproduceSettings& settings, std::string_view recipe) {
  const Recipe* found = find_recipe(recipe);
  if (found == nullptr) return failure("no recipe {}", recipe);
  MASH_ASSIGN(Experiment experiment, parse_recipe(*found, settings.overrides));
  experiment.seed = settings.first_seed();
  return experiment;
}

Result<std::vector<std::size_t>> indices_of_wanted(std::string_view what, std::span<const std::string> wanted,
                                                   std::span<const std::string_view> known) {
  std::vector<std::size_t> indices;
  if (wanted.empty())
    for (std::size_t i = 0; i < known.size(); ++i) indices.push_back(i);
  for (const std::string& name : wanted) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) return unknown_name(what, name, known);
    indices.push_back(std::size_t(found - known.begin()));
  }
  return indices;
}

void tell_step(Remarks& remarks, std::string_view step, std::size_t number, std::size_t total) {
  remarks.tell(fmt::format("{} ({} of {})", step, number, total));
}

Status write_report(const ReproduceSettings& settings, const ReproductionReport& report) {
  if (settings.folder.empty()) return Done{};
  const auto file = [&](const char* extension) { return settings.folder / (report.name + extension); };
  MASH_TRY(write_file_atomically(
      file(".md"), report.markdown.empty() ? usual_markdown(report, settings.command) : report.markdown));
  if (!report.svg.empty()) MASH_TRY(write_file_atomically(file(".svg"), report.svg));
  return write_file_atomically(file(".csv"), render_csv(report.table));
}

}  // namespace mash
