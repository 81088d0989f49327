// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/logistic_regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "classifiers/learners/rows_learner.hpp"
#include "classifiers/learners/softmax_regression.hpp"
#include "classifiers/learners/tuned_training.hpp"

namespace mash {
namespace {

struct RegressionOptions {
  std::vector<double> costs;  // none: C is tuned
  RegressionLimits limits;
};

// As TunedTraining solves it.
class RegressionSolver {
 public:
  RegressionSolver(SoftmaxRegression regression, const RegressionLimits& limits)
      : regression_(std::move(regression)), limits_(limits), now_(limits) {}

  void begin(double cost, std::span<const double> weights, bool is_coarse, const Workers& workers) {
    now_ = limits_;
    if (is_coarse) now_ = {limits_.tolerance * kCoarser, (limits_.num_iterations + kCoarser - 1) / kCoarser};
    regression_.begin(cost, weights, now_, workers);
  }
  Result<bool> go_on(double most_seconds, const WorkContext& work) {
    const Stopwatch watch;
    while (!regression_.has_ended() && watch.seconds() < most_seconds) {
      if (work.stop.raised()) return stopped_by_user();
      regression_.iterate(work.workers);
      work.progress.advance(1);
      work.progress.note(fmt::format("slope {:.2g}", regression_.slope()));
    }
    return regression_.has_ended();
  }
  std::size_t most_steps() const { return now_.num_iterations - regression_.num_iterations(); }
  std::vector<std::uint16_t> classes(std::span<const std::uint32_t> examples, const Workers&) const {
    return regression_.classes(examples);
  }
  void keep(StateWriter& writer) const { regression_.keep(writer); }
  void take_back(StateReader& reader) { regression_.take_back(reader); }

  const SoftmaxRegression& regression() const { return regression_; }

 private:
  SoftmaxRegression regression_;
  RegressionLimits limits_, now_;  // those of the user, and of the search
};

class LogisticRegression final : public RowsLearner {
 public:
  LogisticRegression(const InputOptions& inputs, RegressionOptions options)
      : RowsLearner("logistic-regression", inputs), options_(std::move(options)) {}

  // Counted are the rows, and for each class the scores of examples now, along a step and what is left of
  // them, functions, and the steps that are remembered; of the solution so far and the best C's.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t functions = 2 * (LimitedMemory::kMostPairs * 2 + 2) + 4;
    return rows_bytes(size) +
           size.num_classes * sizeof(double) * (4 * size.num_train + functions * num_columns(size));
  }

 private:
  Result<Fitted> fit(const StandardRows& rows, std::span<const std::uint32_t> features,
                     std::span<const double> weights, std::uint64_t seed,
                     const TrainingContext& context) const override {
    const Dataset& dataset = context.dataset;
    const std::span<const std::uint16_t> labels = dataset.train.labels;
    TunedTraining training(
        name(), 1, CostChoice(options_.costs, labels, weights, dataset.num_classes(), seed), context,
        RegressionSolver(SoftmaxRegression(rows, labels, dataset.num_classes()), options_.limits));
    MASH_TRY(training.run());
    const SoftmaxRegression& found = training.solver().regression();
    if (!found.has_converged())
      context.work.remarks.tell(fmt::format(
          "logistic-regression: ended after {} iterations with C {:.3g} and a slope of {:.2g}, before the "
          "tolerance; more `iterations`, a larger `tolerance` or a smaller `C` help",
          options_.limits.num_iterations, training.cost(), found.slope()));
    Fitted fitted{{.has_softmax = true}, training.earlier_seconds(), training.chosen()};
    found.write(features, fitted.fit);
    return fitted;
  }

  RegressionOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_logistic_regression(Settings& settings) {
  RegressionOptions options;
  MASH_ASSIGN(const InputOptions inputs, read_input_options(settings));
  MASH_ASSIGN(options.costs, read_positive_numbers(settings, "C", "tuned"));
  MASH_ASSIGN(options.limits.tolerance, settings.real("tolerance", options.limits.tolerance, 1e-12, 1));
  MASH_ASSIGN(const std::int64_t num_iterations,
              settings.integer("iterations", options.limits.num_iterations, 1, 1'000'000'000));
  options.limits.num_iterations = std::uint32_t(num_iterations);
  return std::unique_ptr<const Learner>(
      std::make_unique<const LogisticRegression>(inputs, std::move(options)));
}

}  // namespace mash
