// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/logistic_regression.hpp"

#include <fmt/format.h>

#include <utility>

#include "classifiers/baselines/rows_learner.hpp"
#include "classifiers/baselines/softmax_regression.hpp"
#include "classifiers/learners/iterated_search.hpp"
#include "classifiers/learners/tuned_training.hpp"

namespace mash {
namespace {

struct RegressionOptions {
  std::vector<double> costs;  // none: C is tuned
  IterationLimits limits;
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
        name(), 1,
        SettingChoice(tried_costs(options_.costs, weights), labels, weights, dataset.num_classes(), seed),
        context, IteratedSearch(SoftmaxRegression(rows, labels, dataset.num_classes()), options_.limits));
    MASH_TRY(training.run());
    const SoftmaxRegression& found = training.solver().search();
    if (!found.has_converged())
      context.work.remarks.tell(fmt::format(
          "logistic-regression: ended after {} iterations with C {:.3g} and a slope of {:.2g}, before the "
          "tolerance; more `iterations`, a larger `tolerance` or a smaller `C` help",
          options_.limits.num_iterations, training.value(), found.slope()));
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
  MASH_ASSIGN(options.limits, read_iteration_limits(settings, options.limits));
  return std::unique_ptr<const Learner>(
      std::make_unique<const LogisticRegression>(inputs, std::move(options)));
}

}  // namespace mash
