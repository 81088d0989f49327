// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/k_nn.hpp"

#include <algorithm>
#include <utility>

#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/input_training.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/row_blocks.hpp"
#include "classifiers/learners/rows_in_memory.hpp"
#include "classifiers/learners/rows_memory.hpp"
#include "classifiers/learners/trained_head.hpp"

namespace mash {
namespace {

constexpr std::int64_t kMostNeighbours = 1'000'000'000;

struct NeighbourOptions {
  std::uint32_t k = 1;
  double power = 2;
};

class KNearest final : public OneStepLearner {
 public:
  KNearest(const InputOptions& inputs, const NeighbourOptions& options)
      : inputs_(inputs), options_(options) {}

  LearnerTraits traits() const override {
    return {.weighs_examples = true, .wants_values = inputs_.number == FeatureNumber::kValue};
  }
  // Counted are the rows, and reading them.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t width = std::min<std::uint64_t>(size.num_features, inputs_.num_features);
    return size.num_train * width * bytes_of_number(inputs_.number) + bytes_of_row_blocks(width) +
           size.score_bytes();
  }

  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const FeatureSet& features = context.features;
    const auto drawn = drawn_features(features, inputs_.num_features, seed, "k_nn.features");
    const auto read = features_to_keep(drawn, inputs_.number, features);
    Meters meters;
    meters.fe = drawn.size() * features.num_train();
    const Stopwatch watch;
    const FeatureMatrix matrix(features, Side::kTrain, read, inputs_.number);
    MASH_ASSIGN(RowsInMemory kept, read_rows_in_memory(matrix, context));
    NeighboursModel model;
    static_cast<ModelHead&>(model) = trained_head(context.dataset, features);
    for (std::size_t i = 0; i < read.size(); ++i)
      model.inputs.push_back(input_of(read[i], inputs_.number, kept.means[i], features));
    model.num_neighbours = options_.k;
    model.power = options_.power;
    for (const std::uint32_t n : kept.examples) model.classes.push_back(context.dataset.train.labels[n]);
    model.example_weights = std::move(kept.weights);
    model.rows = std::move(kept.rows);
    meters.seconds = meters.phases.refit = watch.seconds();
    MASH_ASSIGN(const JudgedExamples judged,
                judge_some(number_scores(model), model.rows, kept.examples, seed, context));
    MASH_ASSIGN(TrainingResult result,
                finish_inputs(std::move(model), inputs_.number, meters, context, &judged));
    count_drawn(drawn, features, result);
    return result;
  }

 private:
  InputOptions inputs_;
  NeighbourOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_k_nn(Settings& settings) {
  NeighbourOptions options;
  MASH_ASSIGN(const InputOptions inputs, read_input_options(settings));
  MASH_ASSIGN(const std::int64_t k, settings.integer("k", options.k, 1, kMostNeighbours));
  MASH_ASSIGN(options.power, settings.real("p", options.power, 1, NeighboursModel::kLargestPower));
  options.k = std::uint32_t(k);
  return std::unique_ptr<const Learner>(std::make_unique<const KNearest>(inputs, options));
}

}  // namespace mash
