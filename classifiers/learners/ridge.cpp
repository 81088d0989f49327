// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/ridge.hpp"

#include <fmt/format.h>

#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/linear_training.hpp"
#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/ridge_solution.hpp"

namespace mash {
namespace {

constexpr std::string_view kLambdas = "0.01,0.1,1,10,100,1000,10000,100000";
constexpr std::int64_t kFeatures = 1000, kMostFeatures = 20'000;  // their square in doubles is in memory

struct RidgeOptions {
  FeatureNumber number = FeatureNumber::kCode;
  std::size_t num_features = kFeatures;
  std::vector<double> lambdas;
};

class Ridge final : public OneStepLearner {
 public:
  explicit Ridge(RidgeOptions options) : options_(std::move(options)) {}

  LearnerTraits traits() const override {
    return {.weighs_examples = true, .wants_values = options_.number == FeatureNumber::kValue};
  }
  // The sums of products, as they are made, standardised and decomposed.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t width = std::min<std::uint64_t>(size.num_features, options_.num_features);
    return 3 * width * width * sizeof(double) + bytes_of_row_blocks(width) + size.score_bytes();
  }

  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const FeatureSet& features = context.features;
    const auto drawn = drawn_features(features, options_.num_features, seed, "ridge.features");
    Meters meters;
    meters.fe = drawn.size() * features.num_train();
    const Stopwatch watch;
    const FeatureMatrix matrix(features, Side::kTrain, drawn, options_.number);
    MASH_ASSIGN(const NormalEquations equations,
                normal_equations(matrix, context.dataset.train.labels, context.dataset.num_classes(),
                                 example_weights(context), context.work));
    meters.phases.scan = watch.seconds();
    MASH_ASSIGN(const RidgeSolution solution, best_ridge(equations, options_.lambdas, context.work));
    if (options_.lambdas.size() > 1)
      context.work.remarks.tell(
          fmt::format("ridge: lambda {} has the smallest error of cross-validation", solution.lambda));
    LinearModel model = linear_model_of(fit_of(equations, solution, drawn), context);
    meters.seconds = watch.seconds();
    meters.phases.refit = meters.seconds - meters.phases.scan;
    MASH_ASSIGN(TrainingResult result, finish_linear(std::move(model), options_.number, meters, context));
    count_drawn(drawn, features, result);
    if (options_.lambdas.size() > 1)
      result.chosen = {"lambda", fmt::format("{}", solution.lambda), options_.lambdas.size(),
                       meters.phases.refit};
    return result;
  }

 private:
  LinearFit fit_of(const NormalEquations& equations, const RidgeSolution& solution,
                   std::span<const std::uint32_t> drawn) const {
    LinearFit fit{options_.number, {}, equations.means, {}, equations.target_means};
    for (std::size_t i = 0; i < equations.num_columns(); ++i) {
      fit.features.push_back(drawn[equations.columns[i]]);
      for (std::size_t l = 0; l < equations.num_classes(); ++l)
        fit.factors.push_back(solution.coefficients[i * equations.num_classes() + l] / equations.scales[i]);
    }
    return fit;
  }

  RidgeOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_ridge(Settings& settings) {
  RidgeOptions options;
  MASH_ASSIGN(options.number, read_inputs(settings));
  MASH_ASSIGN(const std::int64_t num_features, settings.integer("features", kFeatures, 1, kMostFeatures));
  MASH_ASSIGN(options.lambdas, read_positive_numbers(settings, "lambda", kLambdas));
  options.num_features = std::size_t(num_features);
  return std::unique_ptr<const Learner>(std::make_unique<const Ridge>(std::move(options)));
}

}  // namespace mash
