// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "classifiers/model/gaussian_model.hpp"
#include "classifiers/model/kernel_model.hpp"
#include "classifiers/model/linear_model.hpp"
#include "classifiers/model/neighbours_model.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/model/tree_model.hpp"

namespace mash {

// Computes the scores of one example after another. Any number of threads may use it at once. It stays valid
// when its model is gone.
class Scorer {
 public:
  virtual ~Scorer() = default;

  // features()[k]: the features of family k that the model needs (needed_features).
  const std::vector<std::vector<std::uint32_t>>& features() const { return features_; }
  // The number of these features in all families.
  std::size_t num_values() const;

  // scores: one for each class, overwritten. values: one for each feature of features(), family after family.
  virtual void scores(std::span<const float> values, std::span<double> scores) const = 0;

 protected:
  explicit Scorer(std::vector<std::vector<std::uint32_t>> features) : features_(std::move(features)) {}

 private:
  std::vector<std::vector<std::uint32_t>> features_;
};

// A trained model of any kind. It is plain data and knows no trainer, no plugin and no data set. The kinds
// are a closed set. Members of this class give what all kinds have; as<Kind>() gives the rest.
class Model {
 public:
  Model() = default;  // the sum of no hypotheses
  Model(StrongClassifier sum) : kind_(std::move(sum)) {}
  Model(LinearModel linear) : kind_(std::move(linear)) {}
  Model(GaussianModel gaussian) : kind_(std::move(gaussian)) {}
  Model(KernelModel machines) : kind_(std::move(machines)) {}
  Model(NeighboursModel neighbours) : kind_(std::move(neighbours)) {}
  Model(TreeModel tree) : kind_(std::move(tree)) {}

  const ModelHead& head() const;
  const std::vector<std::string>& class_names() const { return head().class_names; }
  std::size_t num_classes() const { return head().num_classes(); }
  // The shape of the images that it was trained on; 0 x 0 for a table, which has columns.
  const ImageShape& shape() const { return head().shape; }
  const std::vector<std::string>& column_names() const { return head().column_names; }
  const std::vector<ModelFamily>& families() const { return head().families; }

  void set_probe(ModelProbe probe);
  void set_pixel_range(PixelRange range);
  void set_trained_on(KnownExamples examples);

  // The name of the kind in the model file and the records.
  std::string_view kind() const;
  // The number that margins are fractions of. Scores of a sum lie between its negative and itself.
  double score_bound() const;
  std::unique_ptr<Scorer> scorer() const;
  // For each family the features that it needs, increasing.
  std::vector<std::vector<std::uint32_t>> needed_features() const;

  // Whether it is a sum of weak hypotheses. The scores of a sum can be divided among its families, and its
  // hypotheses evaluated one after the other.
  bool is_sum() const { return std::holds_alternative<StrongClassifier>(kind_); }
  // Whether its scores are sums of votes of its features, as explanations tell them.
  bool has_votes() const;
  // Whether the softmax of its scores is what it says of probabilities; else they are the nearest shares.
  bool has_softmax() const;
  // The model as a sum. Throws std::logic_error for another kind: of a model that a user gave, ask is_sum or
  // sum_of first.
  const StrongClassifier& sum() const;

  // The model as this kind; null where it is of another kind.
  template <class Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&kind_);
  }
  // Calls visitor with the model as its own kind. A visitor that does not take all kinds is a compile error.
  template <class Visitor>
  decltype(auto) visit(const Visitor& visitor) const {
    return std::visit(visitor, kind_);
  }

  bool operator==(const Model&) const = default;

 private:
  std::variant<StrongClassifier, LinearModel, GaussianModel, KernelModel, NeighboursModel, TreeModel> kind_;
};

// A user's model as a sum. name: the model's file, for the error. Errors (kInput): it is of another kind.
Result<const StrongClassifier*> sum_of(const Model& model, std::string_view name);

}  // namespace mash
