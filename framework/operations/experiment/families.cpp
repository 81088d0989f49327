// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/families.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "framework/dataset/readers/formats.hpp"
#include "framework/families/extraction.hpp"
#include "framework/operations/experiment/columns_item.hpp"

namespace mash {
namespace {

bool is_same_family(const FamilySpec& one, const FamilySpec& other) {
  return one.heuristic.id == other.heuristic.id && one.settings == other.settings;
}

Error listed_twice(const FamilySpec& spec) {
  if (spec.is_given())
    return input_error(
        "{} is listed twice; expected 'name: NAME' beside the file of one of them, which makes it {}NAME",
        spec.name, kGivenColumns);
  return input_error("heuristic {} is listed twice with the same settings ({})", spec.heuristic.id,
                     spec.settings);
}

Result<FamilySpec> spec_of(const HeuristicInfo& info, const Settings& settings, std::uint64_t seed) {
  MASH_ASSIGN(auto values, parameter_values(info, settings));
  draw_seed(info, seed, values);
  std::string description = describe_values(info, values);
  return FamilySpec{info.id, info, std::move(values), std::move(description), true};
}

// One family for each heuristic that was found, with its default settings.
Result<std::vector<FamilySpec>> all_families(std::uint64_t seed, const Catalogue& catalogue) {
  std::vector<FamilySpec> specs;
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    MASH_ASSIGN(specs.emplace_back(), spec_of(info, {}, seed));
    specs.back().named = false;
  }
  if (specs.empty())
    return input_error(
        "no heuristics were found; searched the folders that were named, $MASH_HEURISTICS and the "
        "installed ones");
  return specs;
}

}  // namespace

Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue) {
  std::vector<FamilySpec> specs, found;
  std::set<std::pair<std::string, std::string>> listed;  // id and settings
  for (const NamedSettings& wanted : experiment.heuristics) {
    if (is_columns_item(wanted)) {
      specs.push_back(given_family(wanted.name, columns_file(wanted)));
      continue;
    }
    const auto info = catalogue.find(wanted.name);
    if (!info.ok()) return info.error().at(wanted.where);
    MASH_ASSIGN(FamilySpec spec, spec_of(**info, wanted.settings, experiment.seed));
    if (!listed.emplace(spec.heuristic.id, spec.settings).second)
      return input_error("heuristic {} is listed twice with the same settings ({})", spec.heuristic.id,
                         spec.settings)
          .at(wanted.where);
    specs.push_back(std::move(spec));
  }
  if (experiment.all_heuristics) {
    MASH_ASSIGN(found, all_families(experiment.seed, catalogue));
  }
  std::erase_if(found, [&](const FamilySpec& one) {
    return std::ranges::any_of(specs, [&](const FamilySpec& listed) { return is_same_family(one, listed); });
  });
  specs.insert(specs.end(), found.begin(), found.end());
  std::sort(specs.begin(), specs.end(), [](const FamilySpec& a, const FamilySpec& b) {
    return std::tie(a.name, a.settings) < std::tie(b.name, b.settings);
  });
  for (std::size_t i = 1; i < specs.size(); ++i)
    if (is_same_family(specs[i - 1], specs[i])) return listed_twice(specs[i]);
  for (FamilySpec& spec : specs)
    if (std::count_if(specs.begin(), specs.end(),
                      [&](const auto& s) { return s.heuristic.id == spec.heuristic.id; }) > 1)
      spec.name = fmt::format("{}({})", spec.heuristic.id, spec.settings);
  return specs;
}

Result<std::vector<FamilySpec>> with_variants(std::vector<FamilySpec> specs, const HeuristicInfo& heuristic,
                                              std::span<const Settings> variants, std::uint64_t seed) {
  std::erase_if(specs, [&](const FamilySpec& spec) { return spec.heuristic.id == heuristic.id; });
  const auto first = std::ptrdiff_t(specs.size());
  for (const Settings& settings : variants) {
    MASH_ASSIGN(FamilySpec spec, spec_of(heuristic, settings, seed));
    if (std::any_of(specs.begin() + first, specs.end(),
                    [&](const FamilySpec& other) { return is_same_family(spec, other); }))
      return input_error("heuristic {}: two variants are the same ({})", heuristic.id, spec.settings);
    spec.name = fmt::format("{}({})", heuristic.id, spec.settings);
    specs.push_back(std::move(spec));
  }
  return specs;
}

Result<Dataset> load_experiment_dataset(const Experiment& experiment, const WorkContext& work) {
  auto dataset = load_dataset(experiment.dataset.name, dataset_settings(experiment), experiment.seed, work);
  if (!dataset.ok()) {
    // Other errors have a place of their own.
    const bool is_known =
        std::any_of(dataset_formats().begin(), dataset_formats().end(),
                    [&](const DatasetFormat& format) { return format.name == experiment.dataset.name; });
    return is_known ? dataset.error() : dataset.error().at(experiment.dataset.where);
  }
  if (dataset->train.num_examples == 0)
    return input_error("data set {}: no training examples", experiment.dataset.name);
  MASH_TRY(check_classes(*dataset));
  return dataset;
}

Status refuse_endless(const Dataset& dataset, std::string_view where) {
  if (!dataset.train.is_endless()) return Done{};
  return input_error("{}: found training data without end (endless: true), expected data with an end", where);
}

Result<std::vector<FamilySpec>> experiment_families(const Experiment& experiment, const Dataset& dataset,
                                                    const Catalogue& catalogue) {
  if (!dataset.is_table()) {
    MASH_ASSIGN(std::vector<FamilySpec> specs, family_specs(experiment, catalogue));
    MASH_TRY(match_columns(specs, dataset));
    return specs;
  }
  for (const NamedSettings& heuristic : experiment.heuristics)
    if (heuristic.name != kColumnsFamily || !heuristic.settings.entries().empty())
      return input_error(
          "{}: heuristics: found '{}', which has no effect: data set {} is a table, whose columns are its "
          "features",
          heuristic.where, heuristic.name, dataset.name);
  return std::vector<FamilySpec>{columns_family()};
}

}  // namespace mash
