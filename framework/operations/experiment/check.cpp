// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/check.hpp"

#include <cstdint>

#include "framework/dataset/dataset.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/columns_item.hpp"
#include "framework/operations/experiment/strategies.hpp"

namespace mash {
namespace {

void check_dataset(const NamedSettings& dataset, ErrorList& errors) {
  const auto checked = check_dataset_settings(dataset.name, dataset.settings);
  if (!checked.ok()) return errors.add(checked.error().at(dataset.where));
  for (const Error& problem : checked->problems()) errors.add(problem);
}

// found: the row of the part's name. Whether the part can be made.
template <class Row>
bool check_part(std::string_view what, const Result<const Row*>& found, const NamedSettings& part,
                ErrorList& errors) {
  if (!found.ok()) {
    errors.add(found.error().at(part.where));
    return false;
  }
  const Settings checked = check_settings(**found, fmt::format("{} {}", what, part.name), part.settings);
  for (const Error& problem : checked.problems()) errors.add(problem);
  return checked.problems().empty();
}

void check_strategies(const Experiment& experiment, ErrorList& errors) {
  if (!experiment.has_booster()) {
    check_part("classifier", find_learner(experiment.classifier.name), experiment.classifier, errors);
    return;
  }
  const bool sound[] = {
      check_part("booster", find_booster(experiment.booster.name), experiment.booster, errors),
      check_part("weak learner", find_weak_learner(experiment.weak.name), experiment.weak, errors),
      check_part("sampler", find_sampler(experiment.sampler.name), experiment.sampler, errors)};
  if (!sound[0] || !sound[1] || !sound[2]) return;
  // Whether they go together.
  if (const auto learner = make_learner(experiment); !learner.ok()) errors.add(learner.error());
}

void check_heuristics(const Experiment& experiment, const Catalogue& catalogue, ErrorList& errors) {
  for (const NamedSettings& heuristic : experiment.heuristics) {
    // The columns of a table; whether the data set is one is not known yet.
    if (heuristic.name == kColumnsFamily) continue;
    if (is_columns_item(heuristic)) {
      std::error_code code;
      if (!std::filesystem::exists(columns_file(heuristic), code))
        errors.add(input_error("{}: heuristics.columns: {}: no such file", heuristic.where,
                               columns_file(heuristic)));
      continue;
    }
    const auto info = catalogue.find(heuristic.name);
    if (!info.ok()) {
      errors.add(info.error().at(heuristic.where));
      continue;
    }
    for (const Error& problem : parameter_problems(**info, heuristic.settings)) errors.add(problem);
  }
}

// Seeds of runs follow each other, and the records know no larger one.
void check_seeds(const Experiment& experiment, ErrorList& errors) {
  const std::uint64_t largest = std::uint64_t(INT64_MAX) - (experiment.runs - 1);
  if (experiment.seed > largest)
    errors.add(
        input_error("seed: found {}, expected at most {} where there are {} runs, with the seeds from it on",
                    experiment.seed, largest, experiment.runs));
}

// Without the heuristics, for which plugins are to be found first.
void check_names(const Experiment& experiment, ErrorList& errors) {
  check_seeds(experiment, errors);
  // Without a name something is wrong with the whole part, and is told.
  if (!experiment.dataset.name.empty()) check_dataset(experiment.dataset, errors);
  check_strategies(experiment, errors);
}

}  // namespace

Status check_experiment(const Experiment& experiment, const Catalogue& catalogue) {
  ErrorList errors;
  check_names(experiment, errors);
  check_heuristics(experiment, catalogue, errors);
  return errors.status(experiment.file);
}

Result<Experiment> read_experiment_to_train(const std::filesystem::path& path, const Overrides& overrides,
                                            const std::vector<std::string>& heuristics,
                                            const WorkContext& work) {
  MASH_ASSIGN(ExperimentDraft draft, draft_experiment(path, overrides));
  for (const std::string& line : draft.experiment.dropped) work.remarks.tell(line);
  if (draft.errors.empty()) return std::move(draft.experiment);
  const Experiment& experiment = draft.experiment;
  check_names(experiment, draft.errors);
  const auto catalogue = open_catalogue({heuristics, experiment.isolation, experiment.patience}, work);
  if (catalogue.ok()) check_heuristics(experiment, *catalogue, draft.errors);
  MASH_TRY(draft.errors.status(experiment.file));
  return std::move(draft.experiment);
}

}  // namespace mash
