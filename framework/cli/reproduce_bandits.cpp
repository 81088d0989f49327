// SPDX-License-Identifier: Apache-2.0
// Table 1 and Figure 4 of Busa-Fekete & Kegl 2010: bandits whose arms are features, with three weak learners.
#include <functional>
#include <string>
#include <tuple>

#include "framework/cli/reproduce.hpp"
#include "framework/cli/run_experiment.hpp"
#include "framework/reproductions/bandit_report.hpp"
#include "framework/reproductions/smoothed_errors.hpp"

namespace mash {
namespace {

constexpr const char* kWhere = "reproduce";
constexpr const char* kValidationShare = "0.2";

// A cell of the table, and how it is to be trained.
struct Plan {
  BanditResult result;  // without runs
  Experiment experiment;
  double eta = 0, lambda = 0;  // of Exp3.P
};

// "UCI letter, tree, UCB"
std::string name_of(const BanditResult& place) {
  return fmt::format("{}, {}, {}", bandit_sets()[place.set].title, bandit_learners()[place.learner].name,
                     bandit_methods()[place.method].title);
}

template <class Row>
std::vector<std::string_view> names_of(std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

// What the recipe sets of its weak learner holds for that one.
NamedSettings weak_of(const BanditLearner& learner, std::size_t set, const NamedSettings& of_recipe) {
  NamedSettings weak{std::string(learner.name), {}, kWhere};
  if (of_recipe.name == learner.name) weak.settings = of_recipe.settings;
  if (!learner.size_key.empty())
    weak.settings.add(std::string(learner.size_key), std::to_string(learner.sizes[set]), kWhere);
  if (!learner.other_key.empty())
    weak.settings.add(std::string(learner.other_key), std::string(learner.other_value), kWhere);
  return weak;
}

NamedSettings sampler_of(const BanditMethod& method, double eta, double lambda) {
  NamedSettings sampler{std::string(method.sampler), {}, kWhere};
  if (method.sampler == "lazyboost") sampler.settings.add("features", "1", kWhere);
  if (method.sampler == "full" || method.sampler == "lazyboost") return sampler;
  sampler.settings.add("arms", "feature", kWhere);
  if (method.sampler != "exp3.p") return sampler;
  sampler.settings.add("eta", fmt::format("{}", eta), kWhere);
  sampler.settings.add("lambda", fmt::format("{}", lambda), kWhere);
  return sampler;
}

// The rounds that --rounds or the table has for a cell; to choose T, twice as many as the table has.
std::uint32_t rounds_of(const ReproduceOptions& options, const BanditCell& cell) {
  if (options.num_rounds) return *options.num_rounds;
  const std::uint32_t num_rounds = error_window(cell.num_rounds).last;
  return options.validate ? 2 * num_rounds : num_rounds;
}

Result<Plan> plan_of(const ReproduceOptions& options, const Experiment& recipe, BanditResult place) {
  const BanditMethod& method = bandit_methods()[place.method];
  const BanditLearner& learner = bandit_learners()[place.learner];
  const BanditCell& cell = bandit_cell(place.learner, place.method, place.set);
  place.num_rounds = rounds_of(options, cell);
  place.round = options.num_rounds || options.validate ? 5 * place.num_rounds / 6 : cell.num_rounds;
  if (place.round == 0) return input_error("--rounds {}: expected at least 2", place.num_rounds);
  Plan plan{place, recipe, 0, 0};
  if (method.sampler == "exp3.p") {
    plan.eta = cell.eta;
    plan.lambda = cell.lambda;
  }
  plan.experiment.weak = weak_of(learner, place.set, recipe.weak);
  plan.experiment.sampler = sampler_of(method, plan.eta, plan.lambda);
  plan.experiment.booster.settings.add("rounds", std::to_string(place.num_rounds), kWhere);
  // FULL draws nothing; the splits of validation are drawn for each seed.
  plan.experiment.runs = options.validate || method.sampler == "full" ? 1 : options.num_runs(3);
  MASH_TRY(make_parts(plan.experiment));  // what is wrong with it should be known before the others train
  return plan;
}

// In place of Exp3.P's plan one for each pair of eta and lambda: the paper's grid, less lambda = 0, with
// which nothing is learnt.
std::vector<Plan> on_grid(const Plan& plan) {
  constexpr double kStepsPerUnit = 20;
  constexpr int kSteps = 12;
  std::vector<Plan> plans;
  for (int eta = 0; eta <= kSteps; ++eta)
    for (int lambda = 1; lambda <= kSteps; ++lambda) {
      Plan& one = plans.emplace_back(plan);
      one.eta = eta / kStepsPerUnit;
      one.lambda = lambda / kStepsPerUnit;
      one.experiment.sampler = sampler_of(bandit_methods()[plan.result.method], one.eta, one.lambda);
    }
  return plans;
}

// Of one data set.
struct SetPlans {
  Experiment recipe;
  std::vector<Plan> plans;
};

// The cells of one data set that the user wants.
Result<SetPlans> plans_of(const ReproduceOptions& options, std::size_t set) {
  MASH_ASSIGN(const auto learners,
              chosen("--learners", "weak learner", options.learners, names_of(bandit_learners())));
  MASH_ASSIGN(const auto methods, chosen("--methods", "method", options.methods, names_of(bandit_methods())));
  MASH_ASSIGN(Experiment recipe,
              recipe_experiment(options, fmt::format("bandit-{}", bandit_sets()[set].name)));
  if (options.validate) recipe.dataset.settings.add("validation", kValidationShare, "--validate");
  SetPlans of_set{recipe, {}};
  for (const std::size_t learner : learners)
    for (const std::size_t method : methods) {
      MASH_ASSIGN(const Plan plan, plan_of(options, recipe, {learner, method, set, 0, 0, {}}));
      const bool grid = options.grid && bandit_methods()[method].sampler == "exp3.p";
      for (const Plan& one : grid ? on_grid(plan) : std::vector<Plan>{plan}) of_set.plans.push_back(one);
    }
  return of_set;
}

// Of several trainings of one cell the one with the smallest error is the choice.
void add_choice(const Plan& plan, std::vector<BanditChoice>& choices) {
  const auto error = [](const BanditResult& result) {
    const SmoothedErrors errors(result.runs, result.num_rounds);
    return errors.at(errors.best());
  };
  const auto place = [](const BanditResult& r) { return std::tuple(r.set, r.learner, r.method); };
  BanditChoice choice{plan.result, plan.eta, plan.lambda};
  if (choices.empty() || place(choices.back().result) != place(plan.result))
    choices.push_back(std::move(choice));
  else if (error(plan.result) < error(choices.back().result))
    choices.back() = std::move(choice);
}

// What distinguishes a training from the others.
std::string step_of(const ReproduceOptions& options, std::uint64_t seed, const Plan& plan) {
  std::string step = name_of(plan.result);
  if (options.grid && plan.lambda > 0) step += fmt::format(", eta {} and lambda {}", plan.eta, plan.lambda);
  if (options.validate) step += fmt::format(", split {}", seed);
  return step;
}

// Trains the plans of one data set with seeds from `seed` on, which is also that of the validation split;
// after each of them `done` is told.
Status train_plans(const ReproduceOptions& options, std::uint64_t seed, SetPlans& of_set, Progress& progress,
                   const std::function<Status(Plan&)>& done) {
  RunOptions run = options.run;
  run.every_test_error = true;
  std::vector<Plan>& plans = of_set.plans;
  of_set.recipe.seed = seed;
  for (Plan& plan : plans) plan.experiment.seed = seed;
  // For the recipe: where its cuts are exact, those of some plans are.
  MASH_ASSIGN(const auto data, ExperimentData::open(of_set.recipe, run, progress));
  for (std::size_t i = 0; i < plans.size(); ++i) {
    announce(options, step_of(options, seed, plans[i]), i + 1, plans.size());
    MASH_ASSIGN(ExperimentOutcome outcome, data->run(plans[i].experiment));
    if (outcome.stopped) return stopped_error();
    for (RunOutcome& one : outcome.runs) plans[i].result.runs.push_back(std::move(one.test_errors));
    MASH_TRY(done(plans[i]));
  }
  return Done{};
}

Status compare(const ReproduceOptions& options, std::vector<SetPlans>& sets, Progress& progress) {
  std::vector<BanditResult> results;
  for (SetPlans& of_set : sets)
    MASH_TRY(train_plans(options, options.seed(), of_set, progress, [&](Plan& plan) {
      results.push_back(std::move(plan.result));
      return write_report(options, bandit_report(results));
    }));
  return show_report(options, bandit_report(results));
}

Status validate(const ReproduceOptions& options, std::vector<SetPlans>& sets, Progress& progress) {
  std::vector<BanditChoice> choices;
  const std::uint32_t num_splits = options.num_runs(1);
  for (SetPlans& of_set : sets) {
    for (std::uint32_t split = 0; split < num_splits; ++split)
      MASH_TRY(train_plans(options, options.seed() + split, of_set, progress, [](Plan&) { return Done{}; }));
    for (const Plan& plan : of_set.plans) add_choice(plan, choices);
    MASH_TRY(write_report(options, bandit_validation_report(choices)));
  }
  return show_report(options, bandit_validation_report(choices));
}

}  // namespace

Status reproduce_bandit_table(const ReproduceOptions& options) {
  if (options.grid && !options.validate) return input_error("--grid: belongs to --validate");
  MASH_ASSIGN(const auto sets, chosen("--sets", "data set", options.sets, names_of(bandit_sets())));
  std::vector<SetPlans> plans;
  for (const std::size_t set : sets) {
    MASH_ASSIGN(auto of_set, plans_of(options, set));
    plans.push_back(std::move(of_set));
  }
  const auto progress = options.run.output.progress();
  return options.validate ? validate(options, plans, *progress) : compare(options, plans, *progress);
}

}  // namespace mash
