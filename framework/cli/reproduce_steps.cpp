// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "framework/base/file.hpp"
#include "framework/cli/recipes.hpp"
#include "framework/cli/reproduce.hpp"

namespace mash {

Result<Experiment> recipe_experiment(const ReproduceOptions& options, std::string_view recipe) {
  for (const Recipe& known : recipes()) {
    if (known.name != recipe) continue;
    MASH_ASSIGN(Experiment experiment,
                parse_experiment(std::string(known.text), fmt::format("experiments/{}.yaml", recipe),
                                 options.run.overrides));
    experiment.seed = options.seed();
    return experiment;
  }
  return failure("no recipe {}", recipe);
}

Result<std::vector<std::size_t>> chosen(std::string_view option, std::string_view what,
                                        const std::string& list, std::span<const std::string_view> known) {
  std::vector<std::size_t> places;
  if (list.empty())
    for (std::size_t i = 0; i < known.size(); ++i) places.push_back(i);
  else
    for (const std::string& name : CLI::detail::split(list, ',')) {
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end()) return unknown_name(what, name, known).at(option);
      places.push_back(std::size_t(found - known.begin()));
    }
  return places;
}

void announce(const ReproduceOptions& options, std::string_view step, std::size_t number, std::size_t total) {
  if (!options.run.output.quiet) fmt::print(stderr, "{} ({} of {})\n", step, number, total);
}

Error stopped_error() { return {ErrorKind::kStopped, "stopped; run the same command again to go on"}; }

Status write_report(const ReproduceOptions& options, const ReproductionReport& report) {
  if (options.folder.empty()) return Done{};
  const auto file = [&](const char* extension) {
    return std::filesystem::path(options.folder) / (report.name + extension);
  };
  MASH_TRY(write_file_atomically(
      file(".md"), report.markdown.empty() ? usual_markdown(report, options.command) : report.markdown));
  if (!report.svg.empty()) MASH_TRY(write_file_atomically(file(".svg"), report.svg));
  return write_file_atomically(file(".csv"), render_csv(report.table));
}

Status show_report(const ReproduceOptions& options, const ReproductionReport& report) {
  MASH_TRY(write_report(options, report));
  if (options.run.output.json) {
    fmt::print("{}\n", render_json(report.table));
    return Done{};
  }
  fmt::print("{}", render_text(report.table));
  if (!report.caveat.empty()) fmt::print("\n{}\n", report.caveat);
  fmt::print("\n");
  for (const std::string& line : report.remarks) fmt::print("{}\n", line);
  return Done{};
}

}  // namespace mash
