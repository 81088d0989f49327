// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/budget/early_stopping.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/serving/family_pools.hpp"
#include "framework/base/parallel.hpp"
#include "framework/base/progress.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"

namespace mash {

// Classifies new examples one hypothesis after another, until the class is certain or a budget is spent. A
// family is shown an image, and a feature is computed, when a hypothesis first asks for it: what is not paid
// for is not computed.
class PaidPredictor {
 public:
  // Errors (kInput): those of Predictor::open; the model has other families than the costs; fewer than two
  // classes.
  static Result<PaidPredictor> open(StrongClassifier model, FeatureCosts costs, Catalogue& catalogue);

  const FeatureCosts& costs() const { return *costs_; }

  // The prediction of each example of a split, and its price: EarlyStopping::predict in the order of the
  // model's hypotheses. Within an unlimited budget the classes are those of Predictor's scores. Errors: a
  // heuristic's own; kStopped. REQUIRES: images of the model's shape, or as many columns.
  Result<std::vector<PaidPrediction>> predict(const Split& split, const BudgetRule& rule,
                                              const Workers& workers, Progress& progress = no_progress(),
                                              const StopFlag& stop = {}) const;

  // For each hypothesis the cell that each of these examples falls into: what order_by_decisions takes. All
  // features are computed, at any cost. Errors and REQUIRES: as predict; examples of the split.
  Result<std::vector<std::vector<std::uint8_t>>> cells(const Split& split,
                                                       std::span<const std::uint32_t> examples,
                                                       const Workers& workers,
                                                       Progress& progress = no_progress(),
                                                       const StopFlag& stop = {}) const;

 private:
  class LazyValues;

  bool fits(const Split& split) const;
  Status predict_range(const Split& split, std::size_t begin, std::size_t end, const BudgetPlan& plan,
                       std::span<PaidPrediction> predictions) const;

  StrongClassifier model_;
  std::unique_ptr<const FeatureCosts> costs_;
  std::unique_ptr<const EarlyStopping> stopping_;
  // A stump's cut, and where its feature's value stands; the place kNowhere of others.
  struct StumpCut {
    std::uint32_t place = 0;
    float threshold = 0;
  };
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  std::vector<std::vector<std::uint32_t>> places_;  // of each hypothesis' cuts: of its feature's value
  std::vector<StumpCut> stumps_;                    // of each hypothesis
  std::size_t num_values_ = 0;
  FamilyPools pools_;
};

}  // namespace mash
