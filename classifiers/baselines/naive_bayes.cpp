// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/naive_bayes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "classifiers/baselines/class_moments.hpp"
#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/input_training.hpp"
#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/row_blocks.hpp"
#include "classifiers/learners/trained_head.hpp"

namespace mash {
namespace {

class NaiveBayes final : public OneStepLearner {
 public:
  NaiveBayes(const InputOptions& inputs, double floor) : inputs_(inputs), floor_(floor) {}

  LearnerTraits traits() const override {
    return {.weighs_examples = true, .wants_values = inputs_.number == FeatureNumber::kValue};
  }
  // Counted are the blocks of rows, and for each class the means, squares and missing weights of features,
  // twice: those of the model too.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t width = std::min<std::uint64_t>(size.num_features, inputs_.num_features);
    return bytes_of_row_blocks(width) + 6 * width * size.num_classes * sizeof(double) + size.score_bytes();
  }

  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const FeatureSet& features = context.features;
    const auto drawn = drawn_features(features, inputs_.num_features, seed, "naive_bayes.features");
    Meters meters;
    meters.fe = drawn.size() * features.num_train();
    const Stopwatch watch;
    const FeatureMatrix matrix(features, Side::kTrain, drawn, inputs_.number);
    MASH_ASSIGN(const ClassMoments moments,
                class_moments(matrix, context.dataset.train.labels, context.dataset.num_classes(),
                              example_weights(context), context.work));
    GaussianModel model = model_of(moments, drawn, context);
    meters.seconds = meters.phases.refit = watch.seconds();
    MASH_ASSIGN(TrainingResult result, finish_inputs(std::move(model), inputs_.number, meters, context));
    count_drawn(drawn, features, result);
    return result;
  }

 private:
  // The model of the columns that vary.
  GaussianModel model_of(const ClassMoments& moments, std::span<const std::uint32_t> drawn,
                         const TrainingContext& context) const {
    const std::size_t num_classes = moments.num_classes();
    GaussianModel model;
    static_cast<ModelHead&>(model) = trained_head(context.dataset, context.features);
    double total = 0;
    for (const double weight : moments.weights) total += weight;
    for (const double weight : moments.weights) model.priors.push_back(weight / total);
    double largest = 0;
    for (const double variance : moments.variances) largest = std::max(largest, variance);
    const double least = std::max(floor_ * largest, std::numeric_limits<double>::min());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      if (is_constant(moments.means[i], std::sqrt(moments.variances[i]))) continue;
      model.inputs.push_back(input_of(drawn[i], inputs_.number, moments.means[i], context.features));
      for (std::size_t l = 0; l < num_classes; ++l) {
        const bool is_there = moments.weights[l] > 0;
        model.means.push_back(is_there ? moments.class_means[i * num_classes + l] : moments.means[i]);
        model.variances.push_back(
            std::max(is_there ? moments.class_squares[i * num_classes + l] : moments.variances[i], least));
      }
    }
    return model;
  }

  InputOptions inputs_;
  double floor_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_naive_bayes(Settings& settings) {
  MASH_ASSIGN(const InputOptions inputs, read_input_options(settings));
  MASH_ASSIGN(const double floor, settings.real("smallest_variance", 1e-9, 1e-15, 1));
  return std::unique_ptr<const Learner>(std::make_unique<const NaiveBayes>(inputs, floor));
}

}  // namespace mash
