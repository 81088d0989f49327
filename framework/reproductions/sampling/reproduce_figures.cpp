// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/reproduce_figures.hpp"

#include <array>
#include <memory>

#include "classifiers/samplers/laminating.hpp"
#include "classifiers/samplers/uniform.hpp"
#include "framework/operations/experiment/strategies.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/reproductions/bandits/selection_figure.hpp"
#include "framework/reproductions/sampling/edge_figure.hpp"
#include "framework/reproductions/sampling/edge_gap.hpp"
#include "framework/reproductions/sampling/gap_figure.hpp"

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
Result<std::vector<double>> gaps_of(const Strategy& strategy, const Experiment& recipe, std::uint64_t seed,
                                    const Workspace& space, const WorkContext& work) {
  std::vector<double> gaps;
  const SamplerFactory sampler = [&] { return std::make_unique<EdgeGapSampler>(strategy.make(), gaps); };
  Observer silent;
  MASH_ASSIGN(SearchParts search, make_search(recipe));
  search.sampler = sampler;
  MASH_ASSIGN(const auto booster, make_booster(recipe, std::move(search)));
  MASH_ASSIGN(const TrainingResult result, booster->train(seed, {.dataset = *space.dataset,
                                                                 .features = space.features,
                                                                 .work = work,
                                                                 .observer = silent,
                                                                 .checkpoint = {},
                                                                 .run_key = {}}));
  if (result.status == TrainingStatus::kStopped)
    return Error{ErrorKind::kStopped, "stopped; of this figure nothing is kept"};
  MASH_TRY(space.check_faults());
  return gaps;
}

// Figure 3.

struct SelectionSet {
  std::string_view name;
  std::size_t num_relevant;
};
constexpr std::uint32_t kSelectionRounds = 10'000;  // of the paper
constexpr std::array kSelectionSets{SelectionSet{"diagonal", 4}, SelectionSet{"chess", 3}};

struct SelectionMethod {
  std::string_view name, title;
  std::string_view settings;  // the override of the sampler
};
constexpr std::array kSelectionMethods{
    SelectionMethod{"full", "FULL", "{name: full}"},
    SelectionMethod{"random", "RANDOM", "{name: lazyboost, features: 1}"},
    SelectionMethod{"ucb", "UCB", "{name: ucb, arms: feature}"},
    SelectionMethod{"ucbv", "UCBV", "{name: ucbv, arms: feature}"},
    SelectionMethod{"exp3.p", "EXP3.P", "{name: exp3.p, arms: feature, eta: 0.3, lambda: 0.3}"},
};

// One seed on data of its own: the shares of each method are added to `results`, one of them per method.
Status select_once(const ReproduceSettings& settings, const SelectionSet& set, std::uint64_t seed,
                   std::span<const std::size_t> methods, const WorkContext& work,
                   std::span<SelectionResult> results) {
  std::optional<Workspace> space;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const SelectionMethod& method = kSelectionMethods[methods[i]];
    ReproduceSettings with_method = settings;
    with_method.overrides.texts.push_back(fmt::format("sampler={}", method.settings));
    MASH_ASSIGN(Experiment experiment, recipe_experiment(with_method, fmt::format("figure3-{}", set.name)));
    if (settings.num_rounds)
      experiment.booster.settings.add("rounds", std::to_string(*settings.num_rounds), "rounds");
    results[i].has_fewer_rounds = settings.num_rounds.value_or(kSelectionRounds) < kSelectionRounds;
    experiment.seed = seed;
    experiment.runs = 1;
    if (!space) {
      MASH_ASSIGN(space, open_workspace(experiment, settings.workspace, work));
    }
    MASH_ASSIGN(const ExperimentResult result,
                run_experiment(experiment, {.of_any_name = true}, *space, work));
    if (result.stopped) return stopped_error();
    const auto shares_of = [&](std::uint32_t num_rounds) {
      return selection_shares(space->records, result.runs[0].run_id, space->features.num_features(),
                              num_rounds);
    };
    MASH_ASSIGN(auto shares, shares_of(result.runs[0].result.num_rounds));
    MASH_ASSIGN(auto early, shares_of(kEarlyRounds));
    results[i].runs.push_back(std::move(shares));
    results[i].early.push_back(std::move(early));
  }
  return Done{};
}

}  // namespace

Result<ReproductionReport> reproduce_edge_figure(const ReproduceSettings& settings, const WorkContext&) {
  return edge_figure_report(settings.first_seed());
}

Result<ReproductionReport> reproduce_gap_figure(const ReproduceSettings& settings, const WorkContext& work) {
  MASH_ASSIGN(Experiment recipe, recipe_experiment(settings, "figure2"));
  if (settings.num_rounds)
    recipe.booster.settings.add("rounds", std::to_string(*settings.num_rounds), "rounds");
  MASH_ASSIGN(const Workspace space, open_workspace(recipe, settings.workspace, work));
  std::vector<GapResult> results;
  for (const double per_example : kCostsPerExample) {
    const auto cost = std::uint64_t(per_example * double(space.features.num_train()));
    for (const Strategy& strategy :
         strategies(cost, space.features.num_train(), space.features.num_features())) {
      tell_step(work.remarks, fmt::format("{}, Q S = {}", strategy.title, cost), results.size() + 1,
                3 * kCostsPerExample.size());
      GapResult& result = results.emplace_back(GapResult{cost, strategy.title, {}});
      for (std::uint32_t run = 0; run < settings.num_runs.value_or(10); ++run) {
        MASH_ASSIGN(auto gaps, gaps_of(strategy, recipe, settings.first_seed() + run, space, work));
        result.runs.push_back(std::move(gaps));
      }
    }
  }
  return gap_figure_report(results);
}

Result<ReproductionReport> reproduce_selection_figure(const ReproduceSettings& settings,
                                                      const WorkContext& work) {
  std::vector<std::string_view> sets, methods;
  for (const SelectionSet& set : kSelectionSets) sets.push_back(set.name);
  for (const SelectionMethod& method : kSelectionMethods) methods.push_back(method.name);
  MASH_ASSIGN(const auto wanted_sets, indices_of_wanted("data set", settings.sets, sets));
  MASH_ASSIGN(const auto wanted_methods, indices_of_wanted("method", settings.methods, methods));
  const std::uint32_t num_runs = settings.num_runs.value_or(10);
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
      const std::uint64_t seed = settings.first_seed() + run;
      tell_step(work.remarks, fmt::format("{}, seed {}", sets[set], seed), run + 1, num_runs);
      MASH_TRY(select_once(settings, kSelectionSets[set], seed, wanted_methods, work,
                           std::span(results).subspan(first)));
    }
  }
  return selection_figure_report(results);
}

}  // namespace mash
