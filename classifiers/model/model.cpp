// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/model.hpp"

#include "classifiers/model/additive_scorer.hpp"

namespace mash {

std::size_t Scorer::num_values() const {
  std::size_t count = 0;
  for (const auto& features : features_) count += features.size();
  return count;
}

const std::vector<std::string>& Model::class_names() const {
  return std::visit(
      [](const auto& kind) -> const auto& { return kind.class_names; }, kind_);
}

const ImageShape& Model::shape() const {
  return std::visit(
      [](const auto& kind) -> const auto& { return kind.shape; }, kind_);
}

const std::vector<std::string>& Model::column_names() const {
  return std::visit(
      [](const auto& kind) -> const auto& { return kind.column_names; }, kind_);
}

const std::vector<ModelFamily>& Model::families() const {
  return std::visit(
      [](const auto& kind) -> const auto& { return kind.families; }, kind_);
}

double Model::score_bound() const {
  return std::visit([](const auto& kind) { return mash::score_bound(kind); }, kind_);
}

std::unique_ptr<Scorer> Model::scorer() const {
  return std::visit([](const auto& kind) { return make_scorer(kind); }, kind_);
}

}  // namespace mash
