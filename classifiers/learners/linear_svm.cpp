// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/linear_svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "classifiers/learners/coordinate_descent.hpp"
#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/held_out.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/linear_training.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/row_blocks.hpp"
#include "classifiers/model/strong_classifier.hpp"

namespace mash {
namespace {

constexpr std::array kLosses{Choice{"hinge", HingeLoss::kHinge},
                             Choice{"squared_hinge", HingeLoss::kSquaredHinge}};
// Values of C that are tried, times the sum of the weights.
constexpr std::array kTriedCosts{1.0, 10.0, 100.0, 1000.0, 10'000.0};
constexpr int kWorseInTurn = 2;  // that end the search
constexpr int kCoarser = 10;     // while C is chosen: times the tolerance, and that part of the passes

struct LinearSvmOptions {
  FeatureNumber number = FeatureNumber::kCode;
  std::size_t num_features = 0;
  HingeLoss loss = HingeLoss::kSquaredHinge;
  std::vector<double> costs;  // increasing; none: C is tuned
  DescentLimits limits;
};

// The machines of all classes on the same rows: for two classes that of the second one alone.
class Machines {
 public:
  // Rows, squares and weights are those of all examples; the first two outlive the machines.
  Machines(const StandardRows& rows, std::span<const double> squares, std::span<const std::uint16_t> labels,
           std::size_t num_classes, std::span<const double> weights, HingeLoss loss)
      : num_classes_(num_classes) {
    std::vector<bool> is_there(num_classes);
    for (std::size_t n = 0; n < labels.size(); ++n)
      if (weights[n] > 0) is_there[labels[n]] = true;
    for (std::size_t l = num_classes == 2 ? 1 : 0; l < num_classes; ++l) {
      auto& machine = machines_.emplace_back();
      // All examples are of the others: f = -1, and likewise 1 of a class that is alone.
      if (!is_there[l] || std::count(is_there.begin(), is_there.end(), true) == 1) {
        constants_.push_back(is_there[l] ? 1 : -1);
        continue;
      }
      constants_.push_back(0);
      std::vector<std::int8_t> targets;
      for (const std::uint16_t label : labels) targets.push_back(label == l ? 1 : -1);
      machine.emplace(rows, squares, std::move(targets), weights, loss);
    }
  }

  // Returns how many ended within the tolerance. Errors: kStopped.
  Result<std::size_t> solve(double cost, const DescentLimits& limits, std::uint64_t seed,
                            const WorkContext& work) {
    std::vector<std::uint8_t> converged(machines_.size(), 1);
    MASH_TRY(work.workers.try_each(machines_.size(), work.stop, [&](std::size_t i) -> Status {
      if (machines_[i])
        converged[i] =
            machines_[i]->solve(cost, limits, RandomStream(seed, "linear-svm.order", i), work.stop);
      work.progress.advance(1);
      return Done{};
    }));
    if (work.stop.raised()) return stopped_by_user();
    return std::size_t(std::count(converged.begin(), converged.end(), 1));
  }

  // Goes on with these weights, of which CoordinateDescent::weigh_more tells.
  void weigh_more(std::span<const double> weights) {
    for (auto& machine : machines_)
      if (machine) machine->weigh_more(weights);
  }

  std::size_t size() const { return machines_.size(); }

  // The classes of these rows.
  std::vector<std::uint16_t> classes(std::span<const std::uint32_t> examples, const Workers& workers) const {
    std::vector<double> scores(examples.size() * num_classes_);
    workers.for_ranges(examples.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t m = 0; m < machines_.size(); ++m)
          put(machines_[m] ? machines_[m]->score(examples[i]) : constants_[m], m,
              std::span(scores).subspan(i * num_classes_, num_classes_));
    });
    return predicted_classes(scores, num_classes_);
  }

  // Factors and intercepts of all classes, as LinearFit has them, of the columns that vary.
  void write(const StandardRows& rows, std::span<const std::uint32_t> features, LinearFit& fit) const {
    fit.intercepts.resize(num_classes_);
    for (std::size_t m = 0; m < machines_.size(); ++m)
      put(machines_[m] ? machines_[m]->bias() : constants_[m], m, fit.intercepts);
    for (std::size_t i = 0; i < rows.num_columns(); ++i) {
      if (rows.is_constant(i)) continue;
      fit.features.push_back(features[i]);
      fit.means.push_back(rows.means()[i]);
      fit.factors.resize(fit.factors.size() + num_classes_);
      for (std::size_t m = 0; m < machines_.size(); ++m)
        put(machines_[m] ? machines_[m]->factor(i) : 0, m, std::span(fit.factors).last(num_classes_));
    }
  }

 private:
  // Writes a number of machine m at the place of its class; of two classes, its opposite at that of the
  // first.
  void put(double number, std::size_t m, std::span<double> of_classes) const {
    if (num_classes_ != 2) {
      of_classes[m] = number;
    } else {
      of_classes[0] = -number;
      of_classes[1] = number;
    }
  }

  std::size_t num_classes_;
  std::vector<std::optional<CoordinateDescent>> machines_;
  std::vector<double> constants_;  // the score where there is no machine
};

class LinearSvm final : public OneStepLearner {
 public:
  explicit LinearSvm(LinearSvmOptions options) : options_(std::move(options)) {}

  LearnerTraits traits() const override {
    return {.weighs_examples = true, .wants_values = options_.number == FeatureNumber::kValue};
  }
  // Counted are the rows, and for each class what it keeps of each example and a function, twice while C is
  // chosen, and the order of examples.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t width = std::min<std::uint64_t>(size.num_features, options_.num_features);
    return size.num_train * width * bytes_of_number(options_.number) + bytes_of_row_blocks(width) +
           size.num_classes * (70 * size.num_train + 2 * width * sizeof(double)) + size.score_bytes();
  }

  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const FeatureSet& features = context.features;
    const auto drawn = drawn_features(features, options_.num_features, seed, "linear-svm.features");
    const std::vector<double> weights = example_weights(context);
    Meters meters;
    meters.fe = drawn.size() * features.num_train();
    const Stopwatch watch;
    const FeatureMatrix matrix(features, Side::kTrain, drawn, options_.number);
    MASH_ASSIGN(const StandardRows rows, StandardRows::read(matrix, weights, context.work));
    const std::vector<double> squares = rows.squares(context.work.workers);
    MASH_ASSIGN(auto start, start_of(rows, squares, weights, seed, context));
    auto& [cost, machines] = start;
    context.work.progress.start("linear-svm", machines.size(), "classes");
    MASH_ASSIGN(const std::size_t num_converged, machines.solve(cost, options_.limits, seed, context.work));
    context.work.progress.finish();
    if (num_converged < machines.size())
      context.work.remarks.tell(fmt::format(
          "linear-svm: {} of {} machines ended after {} passes with C {:.3g}, before the tolerance; "
          "more `passes`, a larger `tolerance` or a smaller `C` help",
          machines.size() - num_converged, machines.size(), options_.limits.num_passes, cost));
    LinearFit fit{.number = options_.number};
    machines.write(rows, drawn, fit);
    meters.seconds = watch.seconds();
    meters.phases.refit = meters.seconds;
    MASH_ASSIGN(TrainingResult result,
                finish_linear(linear_model_of(fit, context), options_.number, meters, context));
    count_drawn(drawn, features, result);
    return result;
  }

 private:
  Machines machines_on(const StandardRows& rows, std::span<const double> squares,
                       std::span<const double> weights, const TrainingContext& context) const {
    return {rows,    squares,      context.dataset.train.labels, context.dataset.num_classes(),
            weights, options_.loss};
  }

  std::vector<double> costs_for(std::span<const double> weights) const {
    if (!options_.costs.empty()) return options_.costs;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> costs;
    for (const double cost : kTriedCosts) costs.push_back(cost / total);
    return costs;
  }

  // A value of C, and machines of all examples where a training with it can begin.
  struct Start {
    double cost;
    Machines machines;
  };
  // The C with the smallest error on a tenth of the examples that trains nothing, or the smallest such C, and
  // the machines of the other nine tenths. The search goes from small ones on, which take less time, and ends
  // after two in turn that are worse than the best. Errors: kStopped.
  Result<Start> start_of(const StandardRows& rows, std::span<const double> squares,
                         std::span<const double> weights, std::uint64_t seed,
                         const TrainingContext& context) const {
    const std::vector<double> costs = costs_for(weights);
    if (costs.size() == 1) return Start{costs.front(), machines_on(rows, squares, weights, context)};
    const WorkContext& work = context.work;
    const std::span<const std::uint16_t> labels = context.dataset.train.labels;
    const HeldOut held = hold_out_tenth(labels, weights, context.dataset.num_classes(), seed);
    const DescentLimits limits{std::min(options_.limits.tolerance * kCoarser, 1.0),
                               (options_.limits.num_passes + kCoarser - 1) / kCoarser};
    Machines machines = machines_on(rows, squares, held.weights, context);
    work.progress.start("linear-svm: choice of C", costs.size() * machines.size(), "machines");
    std::optional<Start> best;
    double smallest = 2;
    int num_worse = 0;
    for (const double cost : costs) {
      MASH_TRY(machines.solve(cost, limits, seed, work));
      const double error = held.error(machines.classes(held.judges, work.workers), labels, weights);
      num_worse = error > smallest ? num_worse + 1 : 0;
      if (num_worse == kWorseInTurn) break;
      if (error >= smallest) continue;
      smallest = error;
      best.emplace(Start{cost, machines});
    }
    work.progress.finish();
    work.remarks.tell(fmt::format(
        "linear-svm: C {:.3g} is chosen, with an error of {:.2f} % on {} examples that did not train",
        best->cost, 100 * smallest, held.judges.size()));
    best->machines.weigh_more(weights);
    return *std::move(best);
  }

  LinearSvmOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_linear_svm(Settings& settings) {
  LinearSvmOptions options;
  MASH_ASSIGN(options.number, read_inputs(settings));
  MASH_ASSIGN(options.num_features, read_num_features(settings));
  MASH_ASSIGN(options.loss, settings.one_of("loss", options.loss, kLosses));
  MASH_ASSIGN(options.costs, read_positive_numbers(settings, "C", "tuned"));
  std::sort(options.costs.begin(), options.costs.end());
  MASH_ASSIGN(options.limits.tolerance, settings.real("tolerance", options.limits.tolerance, 1e-12, 1));
  MASH_ASSIGN(const std::int64_t num_passes,
              settings.integer("passes", options.limits.num_passes, 1, 1'000'000'000));
  options.limits.num_passes = std::uint32_t(num_passes);
  return std::unique_ptr<const Learner>(std::make_unique<const LinearSvm>(std::move(options)));
}

}  // namespace mash
