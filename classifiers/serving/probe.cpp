// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/probe.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "classifiers/serving/family_pools.hpp"
#include "classifiers/serving/known_examples.hpp"
#include "classifiers/serving/probe_pictures.hpp"
#include "framework/families/tile_walk.hpp"

namespace mash {
namespace {

constexpr double kTolerance = 1e-4;   // of the range of a feature
constexpr double kMostOthers = 0.25;  // of the values, where their codes are the same
constexpr std::size_t kLargestPicture = std::size_t(1) << 27;  // bytes; of larger ones there is no probe
using Features = std::vector<std::uint32_t>;

bool has_probe(const ImageShape& shape) { return shape.width > 0 && shape.num_bytes() <= kLargestPicture; }

// A row for each of these features on each picture.
Result<std::vector<float>> values_on(const Split& pictures, const ImageShape& shape,
                                     const ModelFamily& family, const Features& features,
                                     Catalogue& catalogue) {
  MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(family, catalogue));
  MASH_ASSIGN(const auto instance, catalogue.host().open(*info, family.values, shape.num_cameras));
  MASH_ASSIGN(const std::uint32_t dim, instance->dim({shape.width, shape.height}));
  MASH_TRY(check_dim(family, dim));
  std::vector<float> values(pictures.num_examples * features.size());
  TileWalk walk(shape, pictures_of(pictures, 0, pictures.num_examples), info->looks_back,
                tile_capacity(shape, info->looks_back));
  while (walk.next()) {
    const auto rows =
        std::span(values).subspan(walk.first() * features.size(), walk.size() * features.size());
    MASH_TRY(instance->extract(walk.tile(), features, rows).status);
  }
  return values;
}

using ThresholdLists = std::vector<std::vector<std::vector<float>>>;  // of each family, of each feature used

// The place of each feature among those of its family.
std::size_t place_of(std::uint32_t feature, const Features& features) {
  return std::size_t(std::ranges::lower_bound(features, feature) - features.begin());
}

void collect(const StrongClassifier& model, const std::vector<Features>& needed, ThresholdLists& thresholds) {
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts)
      if (!cut.always_holds())
        thresholds[cut.family_idx][place_of(cut.feature_idx, needed[cut.family_idx])].push_back(
            cut.threshold);
}
void collect(const InputModel& model, const std::vector<Features>& needed, ThresholdLists& thresholds) {
  for (const ModelInput& input : model.inputs)
    thresholds[input.family_idx][place_of(input.feature_idx, needed[input.family_idx])] = input.thresholds;
}

ThresholdLists thresholds_of(const Model& model, const std::vector<Features>& needed) {
  ThresholdLists thresholds;
  for (const Features& features : needed) thresholds.emplace_back(features.size());
  model.visit([&](const auto& of_kind) { collect(of_kind, needed, thresholds); });
  return thresholds;
}

// A missing value is below all thresholds.
std::size_t code_of(float value, std::span<const float> thresholds) {
  return std::size_t(std::ranges::count_if(thresholds, [&](float threshold) { return value >= threshold; }));
}

// The range that the thresholds of a feature and its values on the probe pictures span.
class Range {
 public:
  void add(float value) {
    if (!std::isfinite(value)) return;
    low_ = std::min(low_, double(value));
    high_ = std::max(high_, double(value));
  }
  double width() const { return std::max(0.0, high_ - low_); }

 private:
  double low_ = INFINITY, high_ = -INFINITY;
};

bool is_same_value(float found, float expected, const Range& range) {
  if (std::isnan(found) || std::isnan(expected)) return std::isnan(found) && std::isnan(expected);
  return std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(expected) ||
         std::abs(double(found) - double(expected)) <= kTolerance * range.width();
}

// expected, found: of each picture, of each feature.
ChangedFamily compared(const std::string& name, std::span<const float> expected, std::span<const float> found,
                       const std::vector<std::vector<float>>& thresholds) {
  ChangedFamily family{name, expected.size(), 0, 0};
  const std::size_t num_features = thresholds.size();
  for (std::size_t i = 0; i < num_features; ++i) {
    Range range;
    for (const float threshold : thresholds[i]) range.add(threshold);
    for (std::size_t n = i; n < expected.size(); n += num_features) range.add(expected[n]);
    for (std::size_t n = i; n < expected.size(); n += num_features) {
      if (is_same_value(found[n], expected[n], range)) continue;
      ++family.num_other_values;
      family.num_other_codes += code_of(found[n], thresholds[i]) != code_of(expected[n], thresholds[i]);
    }
  }
  return family;
}

bool has_changed(const ChangedFamily& family) {
  return family.num_other_codes > 0 ||
         double(family.num_other_values) > kMostOthers * double(family.num_values);
}

// Whether its features come from a heuristic on images, and the model uses some.
bool is_computed(const ModelFamily& family, const Features& needed) {
  return family.heuristic != kColumnsFamily && !needed.empty();
}

}  // namespace

void add_training_facts(const Split& train, Catalogue& catalogue, Model& model) {
  if (train.num_examples > 0) model.set_trained_on(known_examples(model, train));
  if (!train.pixels.empty()) {
    const auto [darkest, brightest] = std::ranges::minmax(train.pixels);
    model.set_pixel_range({darkest, brightest});
  }
  if (!has_probe(model.shape())) return;
  ModelProbe probe;
  const Split pictures = probe_pictures(model.shape(), probe.seed);
  const auto needed = model.needed_features();
  for (std::size_t k = 0; k < needed.size(); ++k) {
    auto& values = probe.values.emplace_back();
    if (needed[k].empty()) {
      values.emplace();
      continue;
    }
    auto computed = values_on(pictures, model.shape(), model.families()[k], needed[k], catalogue);
    if (computed.ok()) values = *std::move(computed);
  }
  model.set_probe(std::move(probe));
}

Result<std::vector<ChangedFamily>> changed_families(const Model& model, Catalogue& catalogue) {
  std::vector<ChangedFamily> changed;
  const auto& probe = model.head().probe;
  if (!probe || !has_probe(model.shape())) return changed;
  const Split pictures = probe_pictures(model.shape(), probe->seed);
  const auto needed = model.needed_features();
  const ThresholdLists thresholds = thresholds_of(model, needed);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    const ModelFamily& family = model.families()[k];
    if (!is_computed(family, needed[k]) || !probe->values[k] || !find_heuristic(family, catalogue).ok())
      continue;
    const auto found = values_on(pictures, model.shape(), family, needed[k], catalogue);
    if (!found.ok()) return found.error().at("family " + family.name);
    ChangedFamily compared_family = compared(family.name, *probe->values[k], *found, thresholds[k]);
    if (has_changed(compared_family)) changed.push_back(std::move(compared_family));
  }
  return changed;
}

}  // namespace mash
