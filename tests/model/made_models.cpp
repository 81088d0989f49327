// SPDX-License-Identifier: Apache-2.0
#include "tests/model/made_models.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "tests/support/places.hpp"

namespace mash::testing {
namespace {

Cut random_cut(const StrongClassifier& model, RandomStream& stream) {
  Cut cut;
  cut.family_idx = std::uint32_t(stream.below(2));
  cut.feature_idx = std::uint32_t(stream.below(model.families[cut.family_idx].dim));
  cut.threshold =
      stream.below(5) == 0 ? -std::numeric_limits<float>::infinity() : float(stream.normal()) * 1e-20f;
  return cut;
}

// A stump, a product or a tree.
Hypothesis random_hypothesis(const StrongClassifier& model, RandomStream& stream) {
  Hypothesis hypothesis;
  hypothesis.alpha = stream.uniform() * 1e-5;
  const bool is_tree = stream.below(2) == 1;
  for (std::size_t i = 0, num_cuts = 1 + stream.below(6); i < num_cuts; ++i) {
    hypothesis.cuts.push_back(random_cut(model, stream));
    if (!is_tree) continue;
    // Splits a leaf of the tree so far, or starts it.
    const auto cut = std::int32_t(i), leaf = std::int32_t(stream.below(i + 1));
    for (Branches& branches : hypothesis.branches)
      for (std::int32_t* next : {&branches.below, &branches.above})
        if (*next == -1 - leaf) *next = cut;
    hypothesis.branches.push_back({-1 - leaf, -2 - cut});
  }
  const std::size_t num_votes = model.num_classes() * (is_tree ? hypothesis.num_cells() : 1);
  const bool has_signs = stream.below(3) > 0;
  for (std::size_t i = 0; i < num_votes; ++i)
    hypothesis.votes.push_back(has_signs ? (stream.below(2) ? 1 : -1) : stream.normal());
  return hypothesis;
}

// Costs of the features that it needs.
ModelCosts random_costs(const StrongClassifier& model, RandomStream& stream) {
  ModelCosts costs{stream.below(2) == 0 ? "microseconds" : "", {}};
  for (const std::vector<std::uint32_t>& features : needed_features(model)) {
    costs.families.push_back({stream.uniform(0, 10), features, {}});
    for (std::size_t i = 0; i < features.size(); ++i) costs.families.back().costs.push_back(stream.uniform());
  }
  return costs;
}

// Rows of numbers that the inputs can have.
void add_random_rows(std::size_t count, const InputModel& model, RandomStream& stream, NumberRows& rows) {
  const bool are_codes = std::all_of(model.inputs.begin(), model.inputs.end(),
                                     [](const auto& input) { return input.is_code(); });
  rows.num_columns = model.inputs.size();
  for (std::size_t n = 0; n < count; ++n)
    for (const ModelInput& input : model.inputs)
      if (are_codes)
        rows.codes.push_back(std::uint8_t(stream.below(input.thresholds.size() + 1)));
      else
        rows.values.push_back(float(stream.normal()));
}

}  // namespace

std::string stored(std::string_view name) {
  return *read_file(std::filesystem::path(testing::source_folder()) / "tests/model/files" / name);
}

ModelHead head_of_stored() {
  return {{"cat", "dog"},
          {28, 14, 3, 1, ResizeMode::kFit},
          {},
          {{"hog(cell=4)", "hog", "1.0.0", {4, 0.1}, 100}, {"you/edges", "you/edges", "2.1.0", {}, 7}}};
}

ModelProbe random_probe(const std::vector<std::vector<std::uint32_t>>& needed, RandomStream& stream) {
  ModelProbe probe{stream.below(1000), {}};
  for (const auto& features : needed) {
    auto& values = probe.values.emplace_back();
    if (stream.below(4) == 0) continue;
    values.emplace();
    for (std::size_t i = 0; i < kNumProbePictures * features.size(); ++i)
      values->push_back(stream.below(5) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                             : float(stream.normal()) * 1e20f);
  }
  return probe;
}

StrongClassifier random_model(std::uint64_t seed) {
  RandomStream stream(seed, "test.model");
  StrongClassifier model;
  const std::size_t num_classes = 1 + stream.below(5);
  for (std::size_t l = 0; l < num_classes; ++l) model.class_names.push_back(fmt::format("class \"{}\" é", l));
  model.shape = {28, 14, 3, 1, ResizeMode(seed % 4)};
  model.families.push_back({"hog(cell=4)", "hog", "1.0.0", {4, 0.1, 1e-300}, 100});
  model.families.push_back({"you/edges", "you/edges", "2.1.0", {}, 7});
  for (std::size_t t = stream.below(20); t > 0; --t)
    model.hypotheses.push_back(random_hypothesis(model, stream));
  if (stream.below(2) == 0) model.costs = random_costs(model, stream);
  if (stream.below(2) == 0) model.pixel_range = {std::uint8_t(stream.below(9)), std::uint8_t(9 + seed % 200)};
  if (stream.below(2) == 0) model.probe = random_probe(needed_features(model), stream);
  if (stream.below(2) == 0) model.trained_on = {40, {0, 7 + stream.below(99), (std::uint64_t(1) << 48) - 1}};
  return model;
}

namespace {

// A random head, and inputs of some of its features.
void add_random_inputs(std::uint64_t seed, RandomStream& stream, InputModel& model) {
  static_cast<ModelHead&>(model) = random_model(seed);
  model.largest_score = stream.uniform(0, 9);
  for (std::uint32_t k = 0; k < 2; ++k)
    for (std::uint32_t j = 0; j < model.families[k].dim; ++j) {
      if (stream.below(3) > 0) continue;
      ModelInput& input = model.inputs.emplace_back();
      input.family_idx = k;
      input.feature_idx = j;
      if (stream.below(2) == 0)
        input.missing = float(stream.normal()) * 1e-20f;
      else
        for (std::uint64_t i = 0, count = 1 + stream.below(255); i < count; ++i)
          input.thresholds.push_back(float(i) * 0.1f - 3);
    }
  if (model.probe) model.probe = random_probe(needed_features(model), stream);
}

}  // namespace

LinearModel random_linear(std::uint64_t seed) {
  RandomStream stream(seed, "test.linear");
  LinearModel model;
  add_random_inputs(seed, stream, model);
  for (std::size_t k = 0; k < model.inputs.size() * model.num_classes(); ++k)
    model.coefficients.push_back(stream.normal() * 1e-7);
  for (std::size_t l = 0; l < model.num_classes(); ++l) model.intercepts.push_back(stream.normal());
  model.has_softmax = stream.below(2) == 1;
  return model;
}

GaussianModel random_gaussian(std::uint64_t seed) {
  RandomStream stream(seed, "test.gaussian");
  GaussianModel model;
  add_random_inputs(seed, stream, model);
  for (std::size_t k = 0; k < model.inputs.size() * model.num_classes(); ++k) {
    model.means.push_back(stream.normal());
    model.variances.push_back(stream.uniform(1e-20, 9));
  }
  for (std::size_t l = 0; l < model.num_classes(); ++l) model.priors.push_back(stream.uniform());
  return model;
}

KernelModel random_machines(std::uint64_t seed) {
  RandomStream stream(seed, "test.machines");
  KernelModel model;
  add_random_inputs(seed, stream, model);
  constexpr KernelKind kKinds[] = {KernelKind::kLinear, KernelKind::kPolynomial, KernelKind::kRbf};
  model.kernel.kind = kKinds[stream.below(3)];
  if (model.kernel.kind != KernelKind::kLinear) model.kernel.gamma = stream.uniform(0.1, 2);
  if (model.kernel.kind == KernelKind::kPolynomial) model.kernel.degree = std::uint32_t(1 + stream.below(9));
  const std::size_t num_classes = model.num_classes(), count = stream.below(5);
  for (std::size_t s = 0; s < count; ++s) model.classes.push_back(std::uint16_t(stream.below(num_classes)));
  for (std::size_t k = 0; k < count * (num_classes - 1); ++k) model.coefficients.push_back(stream.normal());
  for (std::size_t m = 0; m < num_classes * (num_classes - 1) / 2; ++m)
    model.biases.push_back(stream.normal());
  add_random_rows(count, model, stream, model.rows);
  return model;
}

NeighboursModel random_neighbours(std::uint64_t seed) {
  RandomStream stream(seed, "test.neighbours");
  NeighboursModel model;
  add_random_inputs(seed, stream, model);
  model.num_neighbours = std::uint32_t(1 + stream.below(9));
  model.power = stream.uniform(1, 100);
  const std::size_t count = 1 + stream.below(5);
  for (std::size_t n = 0; n < count; ++n) {
    model.classes.push_back(std::uint16_t(stream.below(model.num_classes())));
    model.example_weights.push_back(stream.uniform(0.1, 3));
  }
  add_random_rows(count, model, stream, model.rows);
  return model;
}

TreeModel random_tree(std::uint64_t seed) {
  RandomStream stream(seed, "test.tree");
  TreeModel model;
  add_random_inputs(seed, stream, model);
  model.steps.emplace_back();
  // A leaf becomes a question, with two leaves at the end.
  for (std::size_t i = model.inputs.empty() ? 0 : stream.below(6); i > 0; --i) {
    std::size_t leaf = stream.below(model.steps.size());
    while (!model.steps[leaf].is_leaf()) leaf = (leaf + 1) % model.steps.size();
    const auto below = std::uint32_t(model.steps.size());
    model.steps[leaf] = {std::uint32_t(stream.below(model.inputs.size())), float(stream.normal()), below,
                         below + 1};
    model.steps.resize(model.steps.size() + 2);
  }
  for (std::size_t k = 0; k < model.steps.size() * model.num_classes(); ++k)
    model.shares.push_back(stream.uniform());
  return model;
}

std::string error_of(const Model& model, const Damage& damage) {
  nlohmann::json document = nlohmann::json::parse(serialise(model));
  const nlohmann::json::json_pointer pointer(damage.pointer);
  if (*damage.value == 0)
    document[pointer.parent_pointer()].erase(pointer.back());
  else
    document[pointer] = nlohmann::json::parse(damage.value);
  const auto parsed = parse_model(document.dump());
  if (parsed.ok()) return "no error";
  EXPECT_EQ(parsed.error().kind, ErrorKind::kInput);
  return parsed.error().message;
}

}  // namespace mash::testing
