// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/bandits/reproduce.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>

#include "framework/operations/experiment/strategies.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/reproductions/bandits/report.hpp"
#include "framework/reproductions/bandits/smoothed_errors.hpp"
#include "framework/reproductions/common/verdict.hpp"

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

// Settings of the recipe's weak learner hold for that one.
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

// The rounds that the settings or the table have for a cell; to choose T, twice as many as the table has.
std::uint32_t rounds_of(const ReproduceSettings& settings, const BanditCell& cell) {
  if (settings.num_rounds) return *settings.num_rounds;
  const std::uint32_t num_rounds = error_window(cell.num_rounds).last;
  return settings.validate ? 2 * num_rounds : num_rounds;
}

Result<Plan> plan_of(const ReproduceSettings& settings, const Experiment& recipe, BanditResult place) {
  const BanditMethod& method = bandit_methods()[place.method];
  const BanditLearner& learner = bandit_learners()[place.learner];
  const BanditCell& cell = bandit_cell(place.learner, place.method, place.set);
  place.num_rounds = rounds_of(settings, cell);
  place.round = settings.num_rounds || settings.validate ? 5 * place.num_rounds / 6 : cell.num_rounds;
  if (place.round == 0) return input_error("rounds: found {}, expected at least 2", place.num_rounds);
  Plan plan{place, recipe, 0, 0};
  if (method.sampler == "exp3.p") {
    plan.eta = cell.eta;
    plan.lambda = cell.lambda;
  }
  plan.experiment.weak = weak_of(learner, place.set, recipe.weak);
  plan.experiment.sampler = sampler_of(method, plan.eta, plan.lambda);
  plan.experiment.booster.settings.add("rounds", std::to_string(place.num_rounds), kWhere);
  // FULL compares all candidates, and takes long; the splits of validation are drawn for each seed.
  plan.experiment.runs = settings.validate || method.sampler == "full" ? 1 : settings.num_runs.value_or(3);
  MASH_TRY(make_learner(plan.experiment));  // what is wrong with it should be known before the others train
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

// Trainings on one data set.
struct SetPlans {
  Experiment recipe;
  std::vector<Plan> plans;
};

// The cells of one data set that the user wants.
Result<SetPlans> plans_of(const ReproduceSettings& settings, std::size_t set) {
  MASH_ASSIGN(const auto learners,
              indices_of_wanted("weak learner", settings.learners, names_of(bandit_learners())));
  MASH_ASSIGN(const auto methods, indices_of_wanted("method", settings.methods, names_of(bandit_methods())));
  MASH_ASSIGN(Experiment recipe,
              recipe_experiment(settings, fmt::format("bandit-{}", bandit_sets()[set].name)));
  if (settings.validate) recipe.dataset.settings.add("validation", kValidationShare, "validate");
  SetPlans of_set{recipe, {}};
  for (const std::size_t learner : learners)
    for (const std::size_t method : methods) {
      MASH_ASSIGN(const Plan plan, plan_of(settings, recipe, {learner, method, set, 0, 0, {}}));
      const bool grid = settings.grid && bandit_methods()[method].sampler == "exp3.p";
      for (const Plan& one : grid ? on_grid(plan) : std::vector<Plan>{plan}) of_set.plans.push_back(one);
    }
  return of_set;
}

// Where a cell was trained several times, the training with the smallest error is chosen.
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

// The name of a training that tells it from the others.
std::string step_of(const ReproduceSettings& settings, std::uint64_t seed, const Plan& plan) {
  std::string step = name_of(plan.result);
  if (settings.grid && plan.lambda > 0) step += fmt::format(", eta {} and lambda {}", plan.eta, plan.lambda);
  if (settings.validate) step += fmt::format(", split {}", seed);
  return step;
}

// Trains the plans of one data set with seeds from `seed` on, which is also that of the validation split;
// after each of them `done` is told.
Status train_plans(const ReproduceSettings& settings, std::uint64_t seed, SetPlans& of_set,
                   const WorkContext& work, const std::function<Status(Plan&)>& done) {
  std::vector<Plan>& plans = of_set.plans;
  of_set.recipe.seed = seed;
  for (Plan& plan : plans) plan.experiment.seed = seed;
  // For the recipe: where its cuts are exact, those of some plans are.
  MASH_ASSIGN(Workspace space, open_workspace(of_set.recipe, settings.workspace, work));
  for (std::size_t i = 0; i < plans.size(); ++i) {
    tell_step(work.remarks, step_of(settings, seed, plans[i]), i + 1, plans.size());
    const RunSettings run{.every_test_error = true, .of_any_name = true};
    MASH_ASSIGN(ExperimentResult result, run_experiment(plans[i].experiment, run, space, work));
    if (result.stopped) return stopped_error();
    for (RunResult& one : result.runs) plans[i].result.runs.push_back(std::move(one.test_errors));
    MASH_TRY(done(plans[i]));
  }
  return Done{};
}

// The report, which concludes nothing of cells that were trained for fewer rounds than they need.
ReproductionReport report_of(const ReproduceSettings& settings, std::span<const BanditResult> results) {
  ReproductionReport report = bandit_report(results);
  const auto has_fewer_rounds = [&](const BanditResult& result) {
    const BanditCell& cell = bandit_cell(result.learner, result.method, result.set);
    return settings.num_rounds && result.num_rounds < error_window(cell.num_rounds).last;
  };
  if (std::ranges::any_of(results, has_fewer_rounds)) report.remarks = {std::string(kFewerRounds)};
  return report;
}

Result<ReproductionReport> compare(const ReproduceSettings& settings, std::vector<SetPlans>& sets,
                                   const WorkContext& work) {
  std::vector<BanditResult> results;
  for (SetPlans& of_set : sets)
    MASH_TRY(train_plans(settings, settings.first_seed(), of_set, work, [&](Plan& plan) {
      results.push_back(std::move(plan.result));
      return write_report(settings, report_of(settings, results));
    }));
  return report_of(settings, results);
}

Result<ReproductionReport> validate(const ReproduceSettings& settings, std::vector<SetPlans>& sets,
                                    const WorkContext& work) {
  std::vector<BanditChoice> choices;
  const std::uint32_t num_splits = settings.num_runs.value_or(1);
  for (SetPlans& of_set : sets) {
    for (std::uint32_t split = 0; split < num_splits; ++split)
      MASH_TRY(
          train_plans(settings, settings.first_seed() + split, of_set, work, [](Plan&) { return Done{}; }));
    for (const Plan& plan : of_set.plans) add_choice(plan, choices);
    MASH_TRY(write_report(settings, bandit_validation_report(choices)));
  }
  return bandit_validation_report(choices);
}

}  // namespace

Result<ReproductionReport> reproduce_bandit_table(const ReproduceSettings& settings,
                                                  const WorkContext& work) {
  if (settings.grid && !settings.validate) return input_error("grid: is of use together with validate only");
  MASH_ASSIGN(const auto sets, indices_of_wanted("data set", settings.sets, names_of(bandit_sets())));
  std::vector<SetPlans> plans;
  for (const std::size_t set : sets) {
    MASH_ASSIGN(auto of_set, plans_of(settings, set));
    plans.push_back(std::move(of_set));
  }
  return settings.validate ? validate(settings, plans, work) : compare(settings, plans, work);
}

}  // namespace mash
