// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/reproduce_time.hpp"

#include <array>
#include <optional>

#include "classifiers/budget/costs_file.hpp"
#include "classifiers/budget/evaluation_order.hpp"
#include "classifiers/budget/model_costs.hpp"
#include "classifiers/serving/paid_predictor.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/number.hpp"
#include "framework/families/feature_timing.hpp"
#include "framework/operations/prediction/measure_costs.hpp"
#include "framework/operations/prediction/predict.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/reproductions/budget/time_report.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::array kBudgets{5.0, 10.0, 20.0, 30.0, 50.0, 70.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0};
constexpr std::uint32_t kRounds = 1000, kRuns = 5;
constexpr double kSecondsOfTiming = 5;

// The models of one data set, trained and timed.
class TimedModels {
 public:
  TimedModels(const Experiment& recipe, Workspace& space, const WorkContext& work)
      : recipe_(recipe), space_(space), work_(work) {
    times_.dataset = space.dataset->name;
    times_.num_families = space.features.num_families();
    const auto rounds = number_in<std::uint32_t>(recipe.booster.settings.peek("rounds").value_or(""));
    times_.has_fewer_rounds = rounds && *rounds < kRounds;
  }

  const BudgetTimes& times() const { return times_; }

  // Costs of features, in a file: costs that are there already are taken, so that the models of a command
  // that goes on are those of the one that was cut off.
  Status measure_costs() {
    std::vector<FamilySpec> specs;
    std::vector<FamilySize> sizes;
    for (const FamilyInfo& family : space_.features.families()) {
      specs.push_back(family.spec);
      sizes.push_back({family.spec.name, family.dim});
    }
    // Heuristics in another process take longer.
    folder_ = space_.store / "budget-mnist" /
              sha256(fmt::format("{} {} {}", space_.dataset->fingerprint, identities(space_.features),
                                 int(recipe_.isolation)));
    costs_file_ = folder_ / "costs.csv";
    std::error_code ignored;
    if (fs::exists(costs_file_, ignored)) {
      work_.remarks.tell("costs that were measured before: " + costs_file_.string());
    } else {
      MASH_ASSIGN(const auto timings,
                  time_features(specs, {space_.catalogue.host(), *space_.dataset, work_}, kSecondsOfTiming));
      MeasuredCosts measured{space_.dataset->name, {}};
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        if (!timings[k].ok()) return timings[k].error().at("family " + sizes[k].name);
        measured.families.push_back({sizes[k].name, *timings[k]});
      }
      MASH_TRY(write_file_atomically(costs_file_, costs_table(measured)));
    }
    MASH_ASSIGN(costs_, read_costs(costs_file_, sizes));
    return Done{};
  }

  // Trains all models of one seed, then times them in several passes, so that a slow spell of the machine
  // does not fall on one model alone.
  Status measure(std::uint64_t seed) {
    MASH_ASSIGN(const StrongClassifier unlimited, trained(recipe_, seed));
    MASH_ASSIGN(const EvaluationOrder order, order_by_worth(unlimited, *costs_));
    const StrongClassifier by_worth = in_order(unlimited, order);
    std::vector<StrongClassifier> within;
    for (const double budget : kBudgets) {
      MASH_ASSIGN(StrongClassifier model, trained(within_budget(budget), seed));
      within.push_back(std::move(model));
    }
    std::vector<Timing> timings;
    for (std::size_t b = 0; b < kBudgets.size(); ++b) {
      timings.push_back({{TimedMethod::kTrained, kBudgets[b]}, &within[b], {}});
      timings.push_back({{TimedMethod::kStoppedEarly, kBudgets[b]}, &by_worth, {}});
      timings.push_back({{TimedMethod::kCutShort, kBudgets[b]}, &unlimited, {}});
    }
    std::vector<TimedModel> plain;
    for (std::uint32_t pass = 0; pass < kTimingPasses; ++pass) {
      MASH_ASSIGN(plain.emplace_back(), time_unlimited(unlimited));
      for (Timing& timing : timings) {
        MASH_ASSIGN(timing.passes.emplace_back(), time_within(timing.untimed, *timing.model));
      }
    }
    times_.unlimited_microseconds.push_back(fastest(plain).microseconds);
    times_.unlimited_errors.push_back(fastest(plain).test_error);
    MASH_ASSIGN(times_.unlimited_prices.emplace_back(), total_price(unlimited, *costs_));
    for (const Timing& timing : timings) times_.models.push_back(fastest(timing.passes));
    return Done{};
  }

 private:
  // A model that is timed several times.
  struct Timing {
    TimedModel untimed;  // its method and budget
    const StrongClassifier* model = nullptr;
    std::vector<TimedModel> passes;
  };

  // The recipe with the booster `budgeted`. Costs are what is left to pay, and only what can be paid is
  // chosen, so that the budget is used up.
  Experiment within_budget(double budget) const {
    Experiment experiment = recipe_;
    Settings& booster = experiment.booster.settings;
    experiment.booster.name = "budgeted";
    booster.add("budget", fmt::format("{}", budget), "budget");
    booster.add("costs", costs_file_.string(), "costs");
    booster.add("cost_mode", "marginal", "cost_mode");
    booster.add("skip_unaffordable", "true", "skip_unaffordable");
    return experiment;
  }

  // Trains it, or takes the model that an earlier command has left.
  Result<StrongClassifier> trained(Experiment experiment, std::uint64_t seed) {
    experiment.seed = seed;
    experiment.runs = 1;
    const fs::path file =
        folder_ / (run_key(experiment, seed, *space_.dataset, identities(space_.features)) + ".json");
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
      MASH_ASSIGN(const ExperimentResult result, run_experiment(experiment, {.model = file}, space_, work_));
      if (result.stopped) return stopped_error();
    }
    MASH_ASSIGN(const Model model, read_model(file));
    return model.sum();
  }

  // As `mash predict` does it: some pictures at a time, all features that the model needs.
  Result<TimedModel> time_unlimited(const StrongClassifier& model) {
    MASH_ASSIGN(const Predictor predictor, Predictor::open(model, space_.catalogue));
    TimedModel timed;
    const Stopwatch watch;
    MASH_ASSIGN(const auto scores, predictor.scores(test(), one_thread_, work_.progress, work_.stop));
    timed.microseconds = 1e6 * watch.seconds() / double(test().num_examples);
    timed.test_error = error_of(predicted_classes(scores, model.num_classes()), test().labels);
    return timed;
  }

  Result<TimedModel> time_within(TimedModel timed, const StrongClassifier& model) {
    const auto unaffordable = timed.method == TimedMethod::kCutShort ? BudgetRule::Unaffordable::kStop
                                                                     : BudgetRule::Unaffordable::kSkip;
    MASH_ASSIGN(const PaidPredictor predictor, PaidPredictor::open(model, *costs_, space_.catalogue));
    const Stopwatch watch;
    MASH_ASSIGN(const auto predictions, predictor.predict(test(), {timed.budget, unaffordable, 0},
                                                          one_thread_, work_.progress, work_.stop));
    timed.microseconds = 1e6 * watch.seconds() / double(predictions.size());
    for (const PaidPrediction& prediction : predictions)
      timed.spent += prediction.spent / double(predictions.size());
    timed.test_error = error_of(classes_of(predictions), test().labels);
    return timed;
  }

  const Split& test() const { return space_.dataset->test; }

  const Experiment& recipe_;
  Workspace& space_;
  const WorkContext& work_;
  Workers one_thread_{1};
  fs::path folder_, costs_file_;
  std::optional<FeatureCosts> costs_;
  BudgetTimes times_;
};

}  // namespace

Result<ReproductionReport> reproduce_budget_time(const ReproduceSettings& settings, const WorkContext& work) {
  MASH_ASSIGN(Experiment recipe, recipe_experiment(settings, "budget-mnist"));
  recipe.booster.settings.add("rounds", std::to_string(settings.num_rounds.value_or(kRounds)), "rounds");
  MASH_ASSIGN(Workspace space, open_workspace(recipe, settings.workspace, work));
  if (space.dataset->is_table())
    return input_error("data set {}: is a table, whose columns take no time; expected images",
                       space.dataset->name);
  TimedModels models(recipe, space, work);
  MASH_TRY(models.measure_costs());
  const std::uint32_t num_runs = settings.num_runs.value_or(kRuns);
  for (std::uint32_t s = 0; s < num_runs; ++s) {
    tell_step(work.remarks, fmt::format("seed {}", settings.first_seed() + s), s + 1, num_runs);
    MASH_TRY(models.measure(settings.first_seed() + s));
    MASH_TRY(write_report(settings, budget_time_report(models.times())));
  }
  return budget_time_report(models.times());
}

}  // namespace mash
