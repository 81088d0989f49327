// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/linear_svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "classifiers/learners/class_machines.hpp"
#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/held_out.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/kept_state.hpp"
#include "classifiers/learners/linear_training.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/row_blocks.hpp"

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

constexpr double kSecondsBetweenCheckpoints = 5;

// A training between two passes.
class LinearSvmTraining {
 public:
  // Rows, squares and weights outlive it.
  LinearSvmTraining(const LinearSvmOptions& options, const StandardRows& rows,
                    std::span<const double> squares, std::span<const double> weights, std::uint64_t seed,
                    const TrainingContext& context)
      : options_(options),
        rows_(rows),
        squares_(squares),
        weights_(weights),
        seed_(seed),
        context_(context),
        kept_("linear-svm 1", context),
        costs_(costs_for(options, weights)),
        held_(hold_out_tenth(context.dataset.train.labels, weights, context.dataset.num_classes(), seed)),
        machines_(machines_of(costs_.size() > 1 ? std::span<const double>(held_.weights) : weights)) {
    if (const auto state = kept_.load()) take_back(*state);
  }

  // Errors: kStopped; the checkpoint cannot be written (kFailure).
  Status run() {
    if (!is_chosen_ && costs_.size() > 1) MASH_TRY(choose_cost());
    if (!is_chosen_) machines_.begin(cost(), options_.limits, seed_);
    is_chosen_ = true;
    start_progress("linear-svm", 0);
    MASH_TRY(solve());
    if (const std::size_t num_converged = machines_.num_converged(); num_converged < machines_.size())
      context_.work.remarks.tell(fmt::format(
          "linear-svm: {} of {} machines ended after {} passes with C {:.3g}, before the tolerance; "
          "more `passes`, a larger `tolerance` or a smaller `C` help",
          machines_.size() - num_converged, machines_.size(), options_.limits.num_passes, cost()));
    return Done{};
  }

  const ClassMachines& machines() const { return machines_; }

 private:
  static std::vector<double> costs_for(const LinearSvmOptions& options, std::span<const double> weights) {
    if (!options.costs.empty()) return options.costs;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> costs;
    for (const double cost : kTriedCosts) costs.push_back(cost / total);
    return costs;
  }

  ClassMachines machines_of(std::span<const double> weights) const {
    return {rows_,   squares_,     context_.dataset.train.labels, context_.dataset.num_classes(),
            weights, options_.loss};
  }

  double cost() const { return costs_[best_idx_]; }

  // num_later: machines whose searches come later.
  void start_progress(const char* task, std::size_t num_later) const {
    context_.work.progress.start(task, machines_.size() - machines_.num_ended() + num_later, "machines");
  }

  // Goes on with the searches until all have ended, and keeps the state every few seconds.
  Status solve() {
    for (bool is_done = machines_.num_ended() == machines_.size(); !is_done;) {
      auto found = machines_.go_on(kSecondsBetweenCheckpoints, context_.work);
      MASH_TRY(keep());
      MASH_ASSIGN(is_done, std::move(found));
    }
    context_.work.progress.finish();
    return Done{};
  }

  // The C with the smallest error on a tenth of the examples that trains nothing, or the smallest such C. The
  // search goes from small ones on, which take less time, and ends after two in turn that are worse than the
  // best. Then all examples go on where the machines of the other nine tenths ended with that C.
  Status choose_cost() {
    const WorkContext& work = context_.work;
    for (; cost_idx_ < costs_.size() && num_worse_ < kWorseInTurn; ++cost_idx_) {
      if (!std::exchange(has_begun_, false)) machines_.begin(costs_[cost_idx_], coarse_limits(), seed_);
      start_progress("linear-svm: choice of C", (costs_.size() - cost_idx_ - 1) * machines_.size());
      MASH_TRY(solve());
      const double error =
          held_.error(machines_.classes(held_.judges, work.workers), context_.dataset.train.labels, weights_);
      num_worse_ = error > smallest_ ? num_worse_ + 1 : 0;
      if (error >= smallest_) continue;
      smallest_ = error;
      best_idx_ = cost_idx_;
      best_.emplace(machines_);
    }
    work.remarks.tell(fmt::format(
        "linear-svm: C {:.3g} is chosen, with an error of {:.2f} % on {} examples that did not train", cost(),
        100 * smallest_, held_.judges.size()));
    machines_ = *std::move(best_);
    best_.reset();
    machines_.weigh_more(weights_);
    return Done{};
  }

  DescentLimits coarse_limits() const {
    return {std::min(options_.limits.tolerance * kCoarser, 1.0),
            (options_.limits.num_passes + kCoarser - 1) / kCoarser};
  }

  Status keep() const {
    StateWriter writer;
    writer.add(is_chosen_, cost_idx_, best_idx_, smallest_, num_worse_);
    machines_.keep(writer);
    writer.add(best_.has_value());
    if (best_) best_->keep(writer);
    return kept_.save(writer.take());
  }

  void take_back(std::span<const double> state) {
    StateReader reader(state);
    is_chosen_ = reader.next<bool>();
    cost_idx_ = reader.next<std::size_t>();
    best_idx_ = reader.next<std::size_t>();
    smallest_ = reader.next();
    num_worse_ = reader.next<int>();
    if (is_chosen_) machines_ = machines_of(weights_);
    machines_.begin(is_chosen_ ? cost() : costs_[cost_idx_], is_chosen_ ? options_.limits : coarse_limits(),
                    seed_);
    machines_.take_back(reader);
    if (reader.next<bool>()) {
      best_.emplace(machines_of(held_.weights)).begin(cost(), coarse_limits(), seed_);
      best_->take_back(reader);
    }
    reader.finish();
    has_begun_ = true;
  }

  const LinearSvmOptions& options_;
  const StandardRows& rows_;
  std::span<const double> squares_, weights_;
  std::uint64_t seed_;
  const TrainingContext& context_;
  KeptState kept_;
  std::vector<double> costs_;
  HeldOut held_;
  ClassMachines machines_;
  bool has_begun_ = false;  // the machines have begun the search that is next
  // The choice of C.
  bool is_chosen_ = false;
  std::size_t cost_idx_ = 0, best_idx_ = 0;  // the one that is tried, and the best so far
  double smallest_ = 2;                      // error, of the best
  int num_worse_ = 0;                        // in turn
  std::optional<ClassMachines> best_;        // as they were with it
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
    LinearSvmTraining training(options_, rows, squares, weights, seed, context);
    MASH_TRY(training.run());
    LinearFit fit{.number = options_.number};
    training.machines().write(rows, drawn, fit);
    meters.seconds = watch.seconds();
    meters.phases.refit = meters.seconds;
    MASH_ASSIGN(TrainingResult result,
                finish_linear(linear_model_of(fit, context), options_.number, meters, context));
    count_drawn(drawn, features, result);
    return result;
  }

 private:
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
