// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/c45.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "classifiers/baselines/grown_tree.hpp"
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

// The steps of a tree, whose inputs are its columns.
void add_steps(const GrownNode& node, TreeModel& model) {
  const std::size_t place = model.steps.size();
  model.steps.push_back({node.column, node.threshold, 0, 0});
  double total = 0;
  for (const double weight : node.weights) total += weight;
  for (const double weight : node.weights) model.shares.push_back(weight / total);
  if (node.is_leaf()) {
    model.steps[place] = {};
    return;
  }
  model.steps[place].below = std::uint32_t(model.steps.size());
  add_steps(*node.below, model);
  model.steps[place].above = std::uint32_t(model.steps.size());
  add_steps(*node.above, model);
}

// The columns that the steps ask, increasing; the steps then count them from 0.
std::vector<std::uint32_t> renumber(TreeModel& model) {
  std::vector<std::uint32_t> columns;
  for (const TreeStep& step : model.steps)
    if (!step.is_leaf()) columns.push_back(step.input);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (TreeStep& step : model.steps)
    if (!step.is_leaf())
      step.input =
          std::uint32_t(std::lower_bound(columns.begin(), columns.end(), step.input) - columns.begin());
  return columns;
}

class C45 final : public OneStepLearner {
 public:
  C45(const InputOptions& inputs, const GrowthOptions& options) : inputs_(inputs), options_(options) {}

  LearnerTraits traits() const override {
    return {.weighs_examples = true, .wants_values = inputs_.number == FeatureNumber::kValue};
  }
  // Counted are the rows, twice: by row and by column.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t width = std::min<std::uint64_t>(size.num_features, inputs_.num_features);
    return 2 * size.num_train * width * bytes_of_number(inputs_.number) + bytes_of_row_blocks(width) +
           size.score_bytes();
  }

  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const FeatureSet& features = context.features;
    const auto drawn = drawn_features(features, inputs_.num_features, seed, "c45.features");
    const auto read = features_to_keep(drawn, inputs_.number, features);
    Meters meters;
    meters.fe = drawn.size() * features.num_train();
    const Stopwatch watch;
    const FeatureMatrix matrix(features, Side::kTrain, read, inputs_.number);
    MASH_ASSIGN(const RowsInMemory kept, read_rows_in_memory(matrix, context));
    std::vector<std::uint16_t> labels;
    for (const std::uint32_t n : kept.examples) labels.push_back(context.dataset.train.labels[n]);
    MASH_ASSIGN(const auto root, grow_c45({kept.rows, labels, kept.weights, context.dataset.num_classes()},
                                          options_, context.work));
    TreeModel model;
    static_cast<ModelHead&>(model) = trained_head(context.dataset, features);
    add_steps(*root, model);
    for (const std::uint32_t column : renumber(model))
      model.inputs.push_back(input_of(read[column], inputs_.number, kept.means[column], features));
    meters.seconds = meters.phases.refit = watch.seconds();
    context.work.remarks.tell(fmt::format("c4.5: a tree of {} leaves", model.steps.size() / 2 + 1));
    MASH_ASSIGN(TrainingResult result, finish_inputs(std::move(model), inputs_.number, meters, context));
    count_drawn(drawn, features, result);
    return result;
  }

 private:
  InputOptions inputs_;
  GrowthOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_c45(Settings& settings) {
  constexpr std::array kCriteria{Choice{"gain_ratio", true}, Choice{"gain", false}};
  GrowthOptions options;
  MASH_ASSIGN(const InputOptions inputs, read_input_options(settings));
  MASH_ASSIGN(options.by_ratio, settings.one_of("criterion", options.by_ratio, kCriteria));
  MASH_ASSIGN(options.least_leaf, settings.real("least_leaf", options.least_leaf, 1e-9, 1e12));
  MASH_ASSIGN(options.confidence, settings.real("confidence", options.confidence, 1e-6, 1));
  MASH_ASSIGN(const std::int64_t depth, settings.integer("depth", options.most_depth, 1, 1000));
  options.most_depth = std::uint32_t(depth);
  return std::unique_ptr<const Learner>(std::make_unique<const C45>(inputs, options));
}

}  // namespace mash
