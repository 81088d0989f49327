// SPDX-License-Identifier: Apache-2.0
// Figures 1 and 2 of Dubout & Fleuret 2014, Figure 3 of Busa-Fekete & Kegl 2010.
#include <array>
#include <functional>
#include <memory>

#include "classifiers/samplers/laminating.hpp"
#include "classifiers/samplers/uniform.hpp"
#include "framework/cli/reproduce.hpp"
#include "framework/cli/run_experiment.hpp"
#include "framework/reproductions/edge_figure.hpp"
#include "framework/reproductions/edge_gap.hpp"
#include "framework/reproductions/gap_figure.hpp"
#include "framework/reproductions/selection_figure.hpp"

namespace mash {
namespace {

// Figure 2.

constexpr std::array kCostsPerExample{3.0, 10.0};  // 180 000 and 600 000 on the 60 000 of MNIST

// The three strategies at equal cost, with all N examples or all D features.
struct Strategy {
  std::string title;
  SamplerFactory make;
};

std::vector<Strategy> strategies(std::uint64_t cost, std::uint64_t num_examples, std::uint64_t num_features) {
  const auto few_features = std::uint32_t(std::max<std::uint64_t>(1, cost / num_examples));
  const std::uint64_t few_examples = std::max<std::uint64_t>(1, cost / num_features);
  const double budget = double(cost) / double(num_examples);
  return {
      {"few features on all examples",
       [=] { return std::make_unique<UniformSampler>(UniformSampler::Draw::kNaive, few_features); }},
      {"all features on few examples", [=] { return std::make_unique<FewExamplesSampler>(few_examples); }},
      {"Laminating of all features", [=] {
         return std::make_unique<LaminatingSampler>(LaminatingSize{num_features, 0}, budget, false);
       }}};
}

// Trains with the strategy; the gap of each round.
Result<std::vector<double>> gaps_of(const Strategy& strategy, const Parts& parts, std::uint64_t seed,
                                    ExperimentData& data, Progress& progress) {
  std::vector<double> gaps;
  const SamplerFactory sampler = [&] { return std::make_unique<EdgeGapSampler>(strategy.make(), gaps); };
  Observer silent;
  MASH_ASSIGN(const TrainingResult result, parts.booster->train({sampler, parts.search.weak}, seed,
                                                                {.dataset = data.dataset(),
                                                                 .features = data.features(),
                                                                 .workers = data.workers(),
                                                                 .observer = silent,
                                                                 .progress = progress,
                                                                 .stop = data.stop(),
                                                                 .checkpoint = {},
                                                                 .run_key = {}}));
  if (result.status == TrainingStatus::kStopped)
    return Error{ErrorKind::kStopped, "stopped; of this figure nothing is kept"};
  MASH_TRY(data.check_faults());
  return gaps;
}

// Figure 3.

struct SelectionSet {
  std::string_view name;
  std::size_t num_relevant;
};
constexpr std::array kSelectionSets{SelectionSet{"diagonal", 4}, SelectionSet{"chess", 3}};

struct SelectionMethod {
  std::string_view name, title;
  std::string_view settings;  // of the sampler, as of --set
};
constexpr std::array kSelectionMethods{
    SelectionMethod{"full", "FULL", "{name: full}"},
    SelectionMethod{"random", "RANDOM", "{name: lazyboost, features: 1}"},
    SelectionMethod{"ucb", "UCB", "{name: ucb, arms: feature}"},
    SelectionMethod{"ucbv", "UCBV", "{name: ucbv, arms: feature}"},
    SelectionMethod{"exp3.p", "EXP3.P", "{name: exp3.p, arms: feature, eta: 0.3, lambda: 0.3}"},
};

// One seed on data of its own: the shares of each method are added to `results`, one of them per method.
Status select_once(const ReproduceOptions& options, const SelectionSet& set, std::uint64_t seed,
                   std::span<const std::size_t> methods, Progress& progress,
                   std::span<SelectionResult> results) {
  std::unique_ptr<ExperimentData> data;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const SelectionMethod& method = kSelectionMethods[methods[i]];
    ReproduceOptions with_method = options;
    with_method.run.overrides.push_back(fmt::format("sampler={}", method.settings));
    MASH_ASSIGN(Experiment experiment, recipe_experiment(with_method, fmt::format("figure3-{}", set.name)));
    if (options.num_rounds)
      experiment.booster.settings.add("rounds", std::to_string(*options.num_rounds), "--rounds");
    experiment.seed = seed;
    experiment.runs = 1;
    if (!data) {
      MASH_ASSIGN(data, ExperimentData::open(experiment, options.run, progress));
    }
    MASH_ASSIGN(const ExperimentOutcome outcome, data->run(experiment));
    if (outcome.stopped) return stopped_error();
    const auto shares_of = [&](std::uint32_t num_rounds) {
      return selection_shares(data->records(), outcome.runs[0].experiment_id, data->features().num_features(),
                              num_rounds);
    };
    MASH_ASSIGN(auto shares, shares_of(outcome.runs[0].result.num_rounds));
    MASH_ASSIGN(auto early, shares_of(kEarlyRounds));
    results[i].runs.push_back(std::move(shares));
    results[i].early.push_back(std::move(early));
  }
  return Done{};
}

}  // namespace

Status reproduce_edge_figure(const ReproduceOptions& options) {
  return show_report(options, edge_figure_report(options.seed()));
}

Status reproduce_gap_figure(const ReproduceOptions& options) {
  MASH_ASSIGN(Experiment recipe, recipe_experiment(options, "figure2"));
  if (options.num_rounds)
    recipe.booster.settings.add("rounds", std::to_string(*options.num_rounds), "--rounds");
  const auto progress = options.run.output.progress();
  MASH_ASSIGN(const Parts parts, make_parts(recipe));
  MASH_ASSIGN(const auto data, ExperimentData::open(recipe, options.run, *progress));
  std::vector<GapResult> results;
  for (const double per_example : kCostsPerExample) {
    const auto cost = std::uint64_t(per_example * double(data->features().num_train()));
    for (const Strategy& strategy :
         strategies(cost, data->features().num_train(), data->features().num_features())) {
      announce(options, fmt::format("{}, Q S = {}", strategy.title, cost), results.size() + 1,
               3 * kCostsPerExample.size());
      GapResult& result = results.emplace_back(GapResult{cost, strategy.title, {}});
      for (std::uint32_t run = 0; run < options.num_runs(10); ++run) {
        MASH_ASSIGN(auto gaps, gaps_of(strategy, parts, options.seed() + run, *data, *progress));
        result.runs.push_back(std::move(gaps));
      }
    }
  }
  return show_report(options, gap_figure_report(results));
}

Status reproduce_selection_figure(const ReproduceOptions& options) {
  std::vector<std::string_view> sets, methods;
  for (const SelectionSet& set : kSelectionSets) sets.push_back(set.name);
  for (const SelectionMethod& method : kSelectionMethods) methods.push_back(method.name);
  MASH_ASSIGN(const auto wanted_sets, chosen("--sets", "data set", options.sets, sets));
  MASH_ASSIGN(const auto wanted_methods, chosen("--methods", "method", options.methods, methods));
  const auto progress = options.run.output.progress();
  const std::uint32_t num_runs = options.num_runs(10);
  std::vector<SelectionResult> results;
  for (const std::size_t set : wanted_sets) {
    const std::size_t first = results.size();
    for (const std::size_t method : wanted_methods)
      results.push_back({std::string(kSelectionSets[set].name),
                         kSelectionSets[set].num_relevant,
                         std::string(kSelectionMethods[method].title),
                         {},
                         {}});
    for (std::uint32_t run = 0; run < num_runs; ++run) {
      announce(options, fmt::format("{}, seed {}", sets[set], options.seed() + run), run + 1, num_runs);
      MASH_TRY(select_once(options, kSelectionSets[set], options.seed() + run, wanted_methods, *progress,
                           std::span(results).subspan(first)));
    }
  }
  return show_report(options, selection_figure_report(results));
}

}  // namespace mash
