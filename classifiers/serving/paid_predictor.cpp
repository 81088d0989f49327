// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/paid_predictor.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "classifiers/serving/example_blocks.hpp"
#include "framework/base/require.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

constexpr std::size_t kPaidExamplesPerTask = 64;

// Where the value of each cut's feature stands, when those of all needed features stand side by side. A cut
// that always holds has no value: nobody looks there.
std::vector<std::vector<std::uint32_t>> places_of(const StrongClassifier& model,
                                                  const std::vector<std::vector<std::uint32_t>>& needed) {
  std::vector<std::size_t> first(needed.size());
  for (std::size_t k = 1; k < first.size(); ++k) first[k] = first[k - 1] + needed[k - 1].size();
  std::vector<std::vector<std::uint32_t>> places;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    auto& of_cuts = places.emplace_back();
    for (const Cut& cut : hypothesis.cuts) {
      const auto& features = needed[cut.family_idx];
      const auto place = std::lower_bound(features.begin(), features.end(), cut.feature_idx);
      of_cuts.push_back(std::uint32_t(first[cut.family_idx] + std::size_t(place - features.begin())));
    }
  }
  return places;
}

EvaluationOrder in_model_order(const StrongClassifier& model) {
  EvaluationOrder order(model.hypotheses.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

}  // namespace

// The features of one example after another, computed when they are asked for. For one thread.
class PaidPredictor::LazyValues {
 public:
  LazyValues(const PaidPredictor& predictor, const Split& split, FamilyPools::Instances& instances)
      : predictor_(predictor),
        split_(split),
        instances_(instances),
        planes_(predictor.model_.shape, 1, 1 + predictor.pools_.looks_back(split),
                predictor.pools_.looks_back(split)),
        values_(predictor.num_values_),
        is_begun_(instances.size()) {}

  void begin(std::size_t example) {
    example_ = example;
    is_shown_ = false;
    std::fill(values_.begin(), values_.end(), std::nullopt);
  }

  // The cells of the example. After an error any cells; end() tells of it.
  void cells(std::span<const std::uint32_t> hypotheses, std::span<std::uint8_t> cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const StumpCut& stump = predictor_.stumps_[hypotheses[i]];
      const bool is_known = stump.place != kNowhere && values_[stump.place];
      cells[i] = is_known ? *values_[stump.place] >= stump.threshold : std::uint8_t(cell(hypotheses[i]));
    }
  }

  // The example is done with. Errors: what went wrong since begin.
  Status end() {
    for (std::size_t k = 0; k < is_begun_.size(); ++k) {
      if (!is_begun_[k]) continue;
      is_begun_[k] = false;
      note(instances_[k]->end_image());
    }
    return status_;
  }

 private:
  std::size_t cell(std::size_t t) {
    const Hypothesis& hypothesis = predictor_.model_.hypotheses[t];
    return cell_of(hypothesis, [&](std::size_t i) {
      const Cut& cut = hypothesis.cuts[i];
      return cut.always_holds() || cut.holds(value(cut, predictor_.places_[t][i]));
    });
  }

  float value(const Cut& cut, std::size_t place) {
    const std::optional<float>& value = values_[place];
    return value ? *value : compute(cut, place);
  }

  float compute(const Cut& cut, std::size_t place) {
    std::optional<float>& value = values_[place];
    value = 0.f;
    if (instances_[cut.family_idx] == nullptr) {
      const std::size_t num_columns = predictor_.model_.column_names.size();
      value = split_.values[example_ * num_columns + cut.feature_idx];
    } else if (status_.ok() && begin_family(cut.family_idx)) {
      note(instances_[cut.family_idx]->more({&cut.feature_idx, 1}, {&*value, 1}));
    }
    return *value;
  }

  // Whether the family has been shown the image.
  bool begin_family(std::size_t family) {
    if (is_begun_[family]) return true;
    if (!is_shown_) {
      planes_.clear();
      planes_.add(split_, example_);
      is_shown_ = true;
    }
    const Status begun = instances_[family]->begin_image(planes_.tile());
    note(begun);
    is_begun_[family] = begun.ok();
    return begun.ok();
  }

  void note(const Status& status) {
    if (status_.ok()) status_ = status;
  }

  const PaidPredictor& predictor_;
  const Split& split_;
  FamilyPools::Instances& instances_;
  ImagePlanes planes_;
  std::size_t example_ = 0;
  bool is_shown_ = false;  // the planes hold the example
  std::vector<std::optional<float>> values_;
  std::vector<bool> is_begun_;  // of each family: it looks at the example
  Status status_ = Done{};      // the first error
};

Result<PaidPredictor> PaidPredictor::open(StrongClassifier model, FeatureCosts costs, Catalogue& catalogue) {
  if (model.num_classes() < 2)
    return input_error("found a model of {} class, expected at least two", model.num_classes());
  PaidPredictor predictor;
  predictor.costs_ = std::make_unique<const FeatureCosts>(std::move(costs));
  MASH_ASSIGN(EarlyStopping stopping, EarlyStopping::make(model, in_model_order(model), *predictor.costs_));
  predictor.stopping_ = std::make_unique<const EarlyStopping>(std::move(stopping));
  const auto needed = needed_features(model);
  MASH_ASSIGN(predictor.pools_, FamilyPools::open(model.families, needed, model.shape, catalogue));
  predictor.places_ = places_of(model, needed);
  for (std::size_t t = 0; t < model.hypotheses.size(); ++t) {
    const Hypothesis& hypothesis = model.hypotheses[t];
    const bool is_stump = hypothesis.cuts.size() == 1 && !hypothesis.is_tree() && !hypothesis.is_constant();
    predictor.stumps_.push_back(is_stump ? StumpCut{predictor.places_[t][0], hypothesis.cuts[0].threshold}
                                         : StumpCut{kNowhere, 0});
  }
  for (const auto& features : needed) predictor.num_values_ += features.size();
  predictor.model_ = std::move(model);
  return predictor;
}

Status PaidPredictor::predict_range(const Split& split, std::size_t begin, std::size_t end,
                                    const BudgetPlan& plan, std::span<PaidPrediction> predictions) const {
  MASH_ASSIGN(FamilyPools::Instances instances, pools_.take());
  LazyValues values(*this, split, instances);
  for (std::size_t n = begin; n < end; ++n) {
    values.begin(n);
    predictions[n] =
        stopping_->predict([&](std::span<const std::uint32_t> hypotheses,
                               std::span<std::uint8_t> cells) { values.cells(hypotheses, cells); },
                           plan);
    MASH_TRY(values.end());
  }
  pools_.give_back(std::move(instances));
  return Done{};
}

Result<std::vector<PaidPrediction>> PaidPredictor::predict(const Split& split, const BudgetRule& rule,
                                                           const Workers& workers, Progress& progress,
                                                           const StopFlag& stop) const {
  require(fits(split), "PaidPredictor::predict: images of the model's shape, or as many columns");
  const BudgetPlan plan = stopping_->plan(rule);
  std::vector<PaidPrediction> predictions(split.num_examples);
  MASH_TRY(for_example_blocks(split.num_examples, kPaidExamplesPerTask, workers, progress, stop,
                              [&](std::size_t begin, std::size_t end) {
                                return predict_range(split, begin, end, plan, predictions);
                              }));
  return predictions;
}

bool PaidPredictor::fits(const Split& split) const {
  return split.pixels.size() == split.num_examples * model_.shape.num_bytes() &&
         split.values.size() == split.num_examples * model_.column_names.size();
}

Result<std::vector<std::vector<std::uint8_t>>> PaidPredictor::cells(const Split& split,
                                                                    std::span<const std::uint32_t> examples,
                                                                    const Workers& workers,
                                                                    Progress& progress,
                                                                    const StopFlag& stop) const {
  require(fits(split), "PaidPredictor::cells: images of the model's shape, or as many columns");
  std::vector<std::vector<std::uint8_t>> cells(model_.hypotheses.size(),
                                               std::vector<std::uint8_t>(examples.size()));
  const EvaluationOrder all = in_model_order(model_);
  const auto look_at = [&](std::size_t begin, std::size_t end) -> Status {
    MASH_ASSIGN(FamilyPools::Instances instances, pools_.take());
    LazyValues values(*this, split, instances);
    std::vector<std::uint8_t> of_example(cells.size());
    for (std::size_t i = begin; i < end; ++i) {
      values.begin(examples[i]);
      values.cells(all, of_example);
      for (std::size_t t = 0; t < cells.size(); ++t) cells[t][i] = of_example[t];
      MASH_TRY(values.end());
    }
    pools_.give_back(std::move(instances));
    return Done{};
  };
  MASH_TRY(for_example_blocks(examples.size(), kPaidExamplesPerTask, workers, progress, stop, look_at));
  return cells;
}

}  // namespace mash
