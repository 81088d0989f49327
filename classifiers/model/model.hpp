// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"

namespace mash {

// Computes the scores of one example after another. Any number of threads may use it at once; it stays valid
// when its model is gone.
class Scorer {
 public:
  virtual ~Scorer() = default;

  // features()[k]: the features of family k that the model needs (needed_features).
  const std::vector<std::vector<std::uint32_t>>& features() const { return features_; }
  // How many that are in all.
  std::size_t num_values() const;

  // scores: one per class, overwritten. values: one for each feature of features(), family after family.
  virtual void scores(std::span<const float> values, std::span<double> scores) const = 0;

 protected:
  explicit Scorer(std::vector<std::vector<std::uint32_t>> features) : features_(std::move(features)) {}

 private:
  std::vector<std::vector<std::uint32_t>> features_;
};

// A trained model of any kind: plain data, which knows no trainer, no plugin and no data set. The kinds are a
// closed set; what they all have is asked here, what only one has of that one.
class Model {
 public:
  Model() = default;  // the sum of no hypotheses
  Model(StrongClassifier additive) : kind_(std::move(additive)) {}

  const std::vector<std::string>& class_names() const;
  std::size_t num_classes() const { return class_names().size(); }
  // The shape of the images that it was trained on; 0 x 0 for a table, which has columns.
  const ImageShape& shape() const;
  const std::vector<std::string>& column_names() const;
  const std::vector<ModelFamily>& families() const;

  // No score is larger than this or smaller than its negative.
  double score_bound() const;
  std::unique_ptr<Scorer> scorer() const;

  // A sum of weak hypotheses, whose scores can be divided among its families; null for a model of another
  // kind.
  const StrongClassifier* additive() const { return std::get_if<StrongClassifier>(&kind_); }

  // Calls visitor with the model of its own kind. A kind that the visitor does not take is a compile error.
  template <class Visitor>
  decltype(auto) visit(const Visitor& visitor) const {
    return std::visit(visitor, kind_);
  }

  bool operator==(const Model&) const = default;

 private:
  std::variant<StrongClassifier> kind_;
};

}  // namespace mash
