// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/random.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/image_planes.hpp"
#include "tests/support/places.hpp"

namespace mash::testing {

// Models that nobody trained: random hypotheses and inputs on features of heuristics, with thresholds that
// pictures fall on both sides of.
class ModelMaker {
 public:
  // heuristics: ids, with their default parameters; empty: all that come with this program. Throws where
  // there is no such heuristic.
  ModelMaker(const ImageShape& shape, const std::vector<std::string>& heuristics, std::uint64_t seed = 1)
      : shape_(shape),
        stream_(seed, "test.models"),
        catalogue_(Catalogue::scan(std::vector{std::filesystem::path(binary_folder()) / "heuristics"})) {
    head_.shape = shape;
    head_.class_names = {"a", "b \"quoted\"", "c\\?", "d"};
    std::vector<std::string> ids = heuristics;
    if (ids.empty())
      for (const HeuristicInfo& info : catalogue_.heuristics()) ids.push_back(info.id);
    for (const std::string& id : ids) add_family(id);
  }

  // The answers of `count` hypotheses; kind: "stumps", "products" or "trees".
  StrongClassifier sum(const std::string& kind, std::size_t count) {
    StrongClassifier model;
    static_cast<ModelHead&>(model) = head_;
    for (std::size_t t = 0; t < count; ++t) model.hypotheses.push_back(hypothesis(kind, t));
    return model;
  }

  LinearModel linear(bool has_codes, bool has_values, std::size_t inputs_per_family) {
    LinearModel model;
    add_inputs(has_codes, has_values, inputs_per_family, model);
    for (std::size_t l = 0; l < head_.num_classes(); ++l) model.intercepts.push_back(stream_.uniform(-1, 1));
    for (std::size_t i = 0; i < model.inputs.size() * head_.num_classes(); ++i)
      model.coefficients.push_back(stream_.uniform(-1, 1));
    return model;
  }

  // The last class has not been seen.
  GaussianModel gaussian(bool has_codes, bool has_values, std::size_t inputs_per_family) {
    GaussianModel model;
    add_inputs(has_codes, has_values, inputs_per_family, model);
    model.priors.assign(head_.num_classes(), 1.0 / double(head_.num_classes() - 1));
    model.priors.back() = 0;
    for (std::size_t k = 0; k < model.inputs.size() * head_.num_classes(); ++k) {
      model.means.push_back(stream_.uniform(-1, 3));
      model.variances.push_back(stream_.uniform(0.5, 2));
    }
    return model;
  }

  // A tree whose questions ask the inputs one after the other, as long as they do not hold.
  TreeModel tree(bool has_codes, bool has_values, std::size_t inputs_per_family) {
    TreeModel model;
    add_inputs(has_codes, has_values, inputs_per_family, model);
    for (std::uint32_t i = 0; i < model.inputs.size(); ++i) {
      const ModelInput& input = model.inputs[i];
      const float threshold = input.is_code() ? float(stream_.below(input.thresholds.size())) + 0.5f
                                              : threshold_of(input.family_idx, input.feature_idx);
      model.steps.push_back({i, threshold, 2 * i + 2, 2 * i + 1});
      model.steps.emplace_back();
    }
    model.steps.emplace_back();
    for (std::size_t k = 0; k < model.steps.size() * head_.num_classes(); ++k)
      model.shares.push_back(stream_.uniform(0, 1));
    return model;
  }

 private:
  // An input of codes, values or both by turns.
  void add_inputs(bool has_codes, bool has_values, std::size_t inputs_per_family, InputModel& model) {
    static_cast<ModelHead&>(model) = head_;
    for (std::uint32_t k = 0; k < head_.families.size(); ++k) {
      std::vector<std::uint32_t> features;
      for (std::size_t i = 0; i < inputs_per_family; ++i) features.push_back(random_feature(k));
      std::sort(features.begin(), features.end());
      features.erase(std::unique(features.begin(), features.end()), features.end());
      for (const std::uint32_t feature : features) {
        ModelInput input{k, feature, {}, 0.5f};
        if (has_codes && (!has_values || stream_.below(2) == 0))
          for (int i = 0; i < 5; ++i) input.thresholds.push_back(threshold_of(k, feature));
        std::sort(input.thresholds.begin(), input.thresholds.end());
        input.thresholds.erase(std::unique(input.thresholds.begin(), input.thresholds.end()),
                               input.thresholds.end());
        model.inputs.push_back(input);
      }
    }
    model.largest_score = 10;
  }

  static constexpr std::size_t kPictures = 4;  // whose values thresholds are near

  void add_family(const std::string& id) {
    const auto info = catalogue_.find(id);
    if (!info.ok()) throw std::runtime_error(info.error().message);
    auto parameters = parameter_values(**info, {});
    draw_seed(**info, 1, *parameters);
    auto instance = catalogue_.host().open(**info, *parameters);
    if (!instance.ok()) throw std::runtime_error(instance.error().message);
    const auto dim = (*instance)->dim({shape_.width, shape_.height});
    if (!dim.ok()) throw std::runtime_error(dim.error().message);
    head_.families.push_back({id, id, (*info)->version, *parameters, *dim});
    auto& values = values_.emplace_back(kPictures * *dim);
    for (std::size_t n = 0; n < kPictures; ++n) {
      std::vector<std::uint8_t> pixels(shape_.num_bytes());
      for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = std::uint8_t(n * i + stream_.below(1 + 60 * n));
      ImagePlanes planes(shape_);
      const Status status = (*instance)->extract(planes.show(pixels), planes.view(), {},
                                                 std::span(values).subspan(n * *dim, *dim));
      if (!status.ok()) throw std::runtime_error(status.error().message);
    }
  }

  std::uint32_t random_feature(std::uint32_t family) {
    return std::uint32_t(stream_.below(head_.families[family].dim));
  }

  float threshold_of(std::uint32_t family, std::uint32_t feature) {
    const float value = values_[family][stream_.below(kPictures) * head_.families[family].dim + feature];
    return std::isfinite(value) ? value * float(stream_.uniform(0.8, 1.2)) : 0.f;
  }

  Cut random_cut() {
    const auto family = std::uint32_t(stream_.below(head_.families.size()));
    const std::uint32_t feature = random_feature(family);
    return {family, feature, threshold_of(family, feature)};
  }

  Hypothesis hypothesis(const std::string& kind, std::size_t t) {
    const std::size_t num_classes = head_.num_classes();
    Hypothesis made{stream_.uniform(0.1, 1), {}, {}, {}};
    const std::size_t num_cuts = kind == "stumps" ? 1 : 3;
    for (std::size_t i = 0; i < num_cuts; ++i) made.cuts.push_back(random_cut());
    if (t == 0) made.cuts = {{0, 0, -std::numeric_limits<float>::infinity()}};  // a constant
    if (kind == "trees" && t > 0) made.branches = {{1, 2}, {-1, -2}, {-3, -4}};
    const std::size_t num_votes = num_classes * (made.is_tree() ? made.num_cells() : 1);
    for (std::size_t i = 0; i < num_votes; ++i)
      made.votes.push_back(stream_.below(2) == 0 ? 1 : stream_.uniform(-1, 1));
    return made;
  }

  ImageShape shape_;
  RandomStream stream_;
  Catalogue catalogue_;
  ModelHead head_;
  std::vector<std::vector<float>> values_;  // of each family: of each picture, of each feature
};

}  // namespace mash::testing
