// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/model.hpp"

#include "classifiers/model/additive_scorer.hpp"
#include "classifiers/model/input_scorer.hpp"
#include "framework/base/require.hpp"

namespace mash {

std::size_t Scorer::num_values() const {
  std::size_t count = 0;
  for (const auto& features : features_) count += features.size();
  return count;
}

const ModelHead& Model::head() const {
  return visit([](const ModelHead& head) -> const ModelHead& { return head; });
}

void Model::set_probe(ModelProbe probe) {
  std::visit([&](ModelHead& head) { head.probe = std::move(probe); }, kind_);
}

void Model::set_pixel_range(PixelRange range) {
  std::visit([&](ModelHead& head) { head.pixel_range = range; }, kind_);
}

void Model::set_trained_on(KnownExamples examples) {
  std::visit([&](ModelHead& head) { head.trained_on = std::move(examples); }, kind_);
}

std::string_view Model::kind() const {
  return visit([](const auto& model) { return model.kKind; });
}

double Model::score_bound() const {
  return visit([](const auto& model) { return mash::score_bound(model); });
}

std::unique_ptr<Scorer> Model::scorer() const {
  return visit([](const auto& model) { return make_scorer(model); });
}

std::vector<std::vector<std::uint32_t>> Model::needed_features() const {
  return visit([](const auto& model) { return mash::needed_features(model); });
}

bool Model::has_votes() const { return as<NeighboursModel>() == nullptr && as<KernelModel>() == nullptr; }

bool Model::has_softmax() const {
  if (const auto* linear = as<LinearModel>()) return linear->has_softmax;
  return has_votes() && as<TreeModel>() == nullptr;
}

const StrongClassifier& Model::sum() const {
  require(is_sum(), "Model::sum: a sum of hypotheses");
  return std::get<StrongClassifier>(kind_);
}

Result<const StrongClassifier*> sum_of(const Model& model, std::string_view name) {
  if (model.is_sum()) return &model.sum();
  return input_error("{}: is no sum of hypotheses, which can be evaluated one after the other", name);
}

}  // namespace mash
