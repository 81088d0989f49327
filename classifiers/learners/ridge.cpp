// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/ridge.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "classifiers/learners/linear_training.hpp"
#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/ridge_solution.hpp"
#include "classifiers/learners/trained_head.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/number.hpp"

namespace mash {
namespace {

constexpr std::string_view kLambdas = "0.01,0.1,1,10,100,1000,10000,100000";
constexpr std::int64_t kFeatures = 1000, kMostFeatures = 20'000;  // their square in doubles is in memory
constexpr std::array kNumbers{Choice{"codes", FeatureNumber::kCode}, Choice{"values", FeatureNumber::kValue}};

struct RidgeOptions {
  FeatureNumber number = FeatureNumber::kCode;
  std::size_t num_features = kFeatures;
  std::vector<double> lambdas;
};

Result<std::vector<double>> read_lambdas(Settings& settings) {
  MASH_ASSIGN(const std::vector<std::string> texts, settings.list("lambda", split_list(kLambdas)));
  std::vector<double> lambdas;
  for (const std::string& text : texts) {
    const auto lambda = number_in<double>(text);
    if (!lambda || !(*lambda > 0) || !std::isfinite(*lambda)) {
      MASH_TRY(settings.refuse(settings.unexpected("lambda", "numbers above 0, with commas between")));
      return std::vector<double>{1};
    }
    lambdas.push_back(*lambda);
  }
  if (lambdas.empty())
    MASH_TRY(settings.refuse(settings.unexpected("lambda", "one or more numbers above 0")));
  settings.holds("lambda", fmt::format("{}", fmt::join(lambdas, ",")));
  return lambdas;
}

class Ridge final : public Learner {
 public:
  explicit Ridge(RidgeOptions options) : options_(std::move(options)) {}

  LearnerTraits traits() const override {
    return {.weighs_examples = true, .wants_values = options_.number == FeatureNumber::kValue};
  }
  std::optional<std::uint32_t> num_rounds(std::size_t) const override { return std::nullopt; }
  Status check_families(std::span<const FamilySpec>) const override { return Done{}; }
  std::vector<std::filesystem::path> identity_files() const override { return {}; }

  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const FeatureSet& features = context.features;
    const std::vector<std::uint32_t> drawn = draw(seed, features);
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
    LinearModel model = model_of(equations, solution, drawn, context);
    meters.seconds = watch.seconds();
    meters.phases.refit = meters.seconds - meters.phases.scan;
    MASH_ASSIGN(TrainingResult result, finish_linear(std::move(model), options_.number, meters, context));
    for (const std::uint32_t feature : drawn) {
      FamilyUse& use = result.families[features.family_of(feature)];
      ++use.offered;
      use.evaluated += features.num_train();
    }
    return result;
  }

 private:
  // All features or, where there are more, those with the smallest hashes: each is drawn with the same
  // probability, and the order of the families does not matter. Increasing.
  std::vector<std::uint32_t> draw(std::uint64_t seed, const FeatureSet& features) const {
    std::vector<std::uint32_t> drawn(features.num_features());
    std::iota(drawn.begin(), drawn.end(), 0u);
    if (drawn.size() <= options_.num_features) return drawn;
    const std::uint64_t key = keyed_hash(seed, "ridge.features");
    const auto hash = [&](std::uint32_t feature) {
      return keyed_hash(key ^ features.family_key(features.family_of(feature)),
                        features.index_in_family(feature));
    };
    std::vector<std::uint64_t> hashes;
    for (const std::uint32_t feature : drawn) hashes.push_back(hash(feature));
    std::nth_element(drawn.begin(), drawn.begin() + std::ptrdiff_t(options_.num_features), drawn.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return hashes[a] < hashes[b]; });
    drawn.resize(options_.num_features);
    std::sort(drawn.begin(), drawn.end());
    return drawn;
  }

  // In the features' own units.
  LinearModel model_of(const NormalEquations& equations, const RidgeSolution& solution,
                       std::span<const std::uint32_t> drawn, const TrainingContext& context) const {
    const FeatureSet& features = context.features;
    LinearModel model{trained_head(context.dataset, features), {}, equations.target_means, {}, 0};
    const std::size_t num_classes = model.num_classes();
    for (std::size_t i = 0; i < equations.num_columns(); ++i) {
      const std::uint32_t feature = drawn[equations.columns[i]];
      LinearInput& input = model.inputs.emplace_back();
      input.family_idx = features.family_of(feature);
      input.feature_idx = features.index_in_family(feature);
      if (options_.number == FeatureNumber::kCode)
        for (std::uint32_t cut = 1; cut <= features.num_cuts(feature); ++cut)
          input.thresholds.push_back(features.threshold(feature, cut));
      else
        input.missing = stand_in(equations.means[i]);
      for (std::size_t l = 0; l < num_classes; ++l) {
        model.coefficients.push_back(solution.coefficients[i * num_classes + l] / equations.scales[i]);
        model.intercepts[l] -= model.coefficients.back() * equations.means[i];
      }
    }
    return model;
  }

  RidgeOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_ridge(Settings& settings) {
  RidgeOptions options;
  MASH_ASSIGN(options.number, settings.one_of("inputs", options.number, kNumbers));
  MASH_ASSIGN(const std::int64_t num_features, settings.integer("features", kFeatures, 1, kMostFeatures));
  MASH_ASSIGN(options.lambdas, read_lambdas(settings));
  options.num_features = std::size_t(num_features);
  return std::unique_ptr<const Learner>(std::make_unique<const Ridge>(std::move(options)));
}

}  // namespace mash
