// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "classifiers/baselines/conjugate_ridge.hpp"
#include "classifiers/baselines/linear_training.hpp"
#include "classifiers/baselines/ridge_solution.hpp"
#include "classifiers/baselines/rows_learner.hpp"
#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/iterated_search.hpp"
#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/tuned_training.hpp"

namespace mash {
namespace {

constexpr std::string_view kLambdas = "0.01,0.1,1,10,100,1000,10000,100000";
constexpr std::size_t kMostByDefault = 5000;     // features for which sums of products are decomposed
constexpr std::size_t kMostDecomposed = 20'000;  // their square in doubles is in memory, three times

enum class RidgeSolver { kAuto, kCholesky, kConjugateGradients };
constexpr std::array kSolvers{Choice{"auto", RidgeSolver::kAuto}, Choice{"cholesky", RidgeSolver::kCholesky},
                              Choice{"conjugate_gradients", RidgeSolver::kConjugateGradients}};

struct RidgeOptions {
  InputOptions inputs;
  RidgeSolver solver = RidgeSolver::kAuto;
  std::vector<double> lambdas;
  IterationLimits limits{1e-3, 300};  // of conjugate gradients
};

// By conjugate gradients on the rows of all examples. Large lambdas take the fewest iterations.
class ConjugateRidgeLearner final : public RowsLearner {
 public:
  explicit ConjugateRidgeLearner(const RidgeOptions& options)
      : RowsLearner("ridge", options.inputs), lambdas_(options.lambdas), limits_(options.limits) {
    std::sort(lambdas_.begin(), lambdas_.end(), std::greater());
  }

  // Counted are the rows, and for each class the targets of examples, what is left of them and their
  // products, and five functions, twice while lambda is chosen.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    return rows_bytes(size) +
           size.num_classes * sizeof(double) * (4 * size.num_train + 9 * num_columns(size));
  }

 private:
  Result<Fitted> fit(const StandardRows& rows, std::span<const std::uint32_t> features,
                     std::span<const double> weights, std::uint64_t seed,
                     const TrainingContext& context) const override {
    const std::span<const std::uint16_t> labels = context.dataset.train.labels;
    const std::size_t num_classes = context.dataset.num_classes();
    TunedTraining training(name(), 1, SettingChoice({"lambda", lambdas_}, labels, weights, num_classes, seed),
                           context, IteratedSearch(ConjugateRidge(rows, labels, num_classes), limits_));
    MASH_TRY(training.run());
    const ConjugateRidge& found = training.solver().search();
    if (!found.has_converged())
      context.work.remarks.tell(
          fmt::format("ridge: ended after {} iterations with lambda {:.3g} and a slope of {:.2g}, before the "
                      "tolerance; more `iterations`, a larger `tolerance` or a larger `lambda` help",
                      limits_.num_iterations, training.value(), found.slope()));
    Fitted fitted{{}, training.earlier_seconds(), training.chosen()};
    found.write(features, context.work.workers, fitted.fit);
    return fitted;
  }

  std::vector<double> lambdas_;
  IterationLimits limits_;
};

class Ridge final : public OneStepLearner {
 public:
  explicit Ridge(RidgeOptions options) : options_(std::move(options)), by_rows_(options_) {}

  LearnerTraits traits() const override { return by_rows_.traits(); }
  // Where they are decomposed: the sums of products, as they are made, standardised and decomposed.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t width = std::min<std::uint64_t>(size.num_features, options_.inputs.num_features);
    if (!is_decomposed(width)) return by_rows_.training_bytes(size);
    return 3 * width * width * sizeof(double) + bytes_of_row_blocks(width) + size.score_bytes();
  }
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const std::size_t width = std::min(context.features.num_features(), options_.inputs.num_features);
    return is_decomposed(width) ? decompose(seed, context) : by_rows_.train(seed, context);
  }

 private:
  bool is_decomposed(std::size_t width) const {
    return options_.solver == RidgeSolver::kCholesky ||
           (options_.solver == RidgeSolver::kAuto && width <= kMostByDefault);
  }

  Result<TrainingResult> decompose(std::uint64_t seed, const TrainingContext& context) const {
    const FeatureSet& features = context.features;
    const FeatureNumber number = options_.inputs.number;
    const auto drawn = drawn_features(features, options_.inputs.num_features, seed, "ridge.features");
    if (drawn.size() > kMostDecomposed)
      return input_error(
          "ridge: found {} features, expected at most {} with `solver: cholesky`; give `features: N`, or "
          "`solver: conjugate_gradients`",
          drawn.size(), kMostDecomposed);
    Meters meters;
    meters.fe = drawn.size() * features.num_train();
    const Stopwatch watch;
    const FeatureMatrix matrix(features, Side::kTrain, drawn, number);
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
    MASH_ASSIGN(TrainingResult result, finish_inputs(std::move(model), number, meters, context));
    count_drawn(drawn, features, result);
    if (options_.lambdas.size() > 1)
      result.chosen = {"lambda", fmt::format("{}", solution.lambda), options_.lambdas.size(),
                       meters.phases.refit};
    return result;
  }

  LinearFit fit_of(const NormalEquations& equations, const RidgeSolution& solution,
                   std::span<const std::uint32_t> drawn) const {
    LinearFit fit{options_.inputs.number, {}, equations.means, {}, equations.target_means};
    for (std::size_t i = 0; i < equations.num_columns(); ++i) {
      fit.features.push_back(drawn[equations.columns[i]]);
      for (std::size_t l = 0; l < equations.num_classes(); ++l)
        fit.factors.push_back(solution.coefficients[i * equations.num_classes() + l] / equations.scales[i]);
    }
    return fit;
  }

  RidgeOptions options_;
  ConjugateRidgeLearner by_rows_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_ridge(Settings& settings) {
  RidgeOptions options;
  MASH_ASSIGN(options.inputs, read_input_options(settings));
  MASH_ASSIGN(options.lambdas, read_positive_numbers(settings, "lambda", kLambdas));
  MASH_ASSIGN(options.solver, settings.one_of("solver", options.solver, kSolvers));
  MASH_ASSIGN(options.limits, read_iteration_limits(settings, options.limits));
  return std::unique_ptr<const Learner>(std::make_unique<const Ridge>(std::move(options)));
}

}  // namespace mash
