// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/probe.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "tests/support/world.hpp"

namespace mash {
namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
using Value = std::function<float(std::uint32_t example, std::uint32_t feature)>;

// Features of a probe picture: pictures of four bytes tell them apart.
float value_of(std::uint32_t example, std::uint32_t feature) {
  return feature == 7 ? 2.f : feature == 6 ? kNothing : float(example % 1009) + 10 * float(feature);
}

// The family "shades" of eight features, which may change.
class Probe : public ::testing::Test {
 protected:
  Probe() {
    auto host = std::make_unique<testing::FakeHost>();
    host_ = host.get();
    const HeuristicInfo info = host_->add({"shades", 8, value_of}).heuristic;
    const auto describe = [=](std::span<const std::filesystem::path>) {
      return Result(std::vector{DescribedPlugin(std::vector{info})});
    };
    catalogue = std::make_unique<Catalogue>(PluginAccess{describe, std::move(host)});
    EXPECT_TRUE(catalogue->add("shades.so").ok());
    train.num_examples = 1;
    train.pixels = {3, 7, 250, 9};
  }

  static ModelHead head() { return {{"a", "b"}, {4, 1, 1}, {}, {{"shades", "shades", "1.0.0", {}, 8}}}; }
  // Stumps at the middle of the features 0 to 3, and one at a constant.
  static Model sum() {
    StrongClassifier model{head(), {}, {}};
    for (const std::uint32_t feature : {0u, 1u, 2u, 3u})
      model.hypotheses.push_back({1, {{0, feature, 500.f + 10 * float(feature)}}, {1, -1}, {}});
    model.hypotheses.push_back({1, {{0, 7, 1.f}}, {1, -1}, {}});
    return model;
  }
  static Model of_values() {
    LinearModel model;
    static_cast<ModelHead&>(model) = head();
    model.intercepts = {0, 0};
    model.largest_score = 1;
    for (const std::uint32_t feature : {0u, 1u, 6u}) model.inputs.push_back({0, feature, {}, 0});
    model.coefficients.assign(6, 1);
    return model;
  }
  Model trained(Model model) {
    add_training_facts(train, *catalogue, model);
    return model;
  }
  void change(Value value) { host_->add({"shades", 8, std::move(value)}); }
  std::vector<ChangedFamily> changed(const Model& model) {
    auto families = changed_families(model, *catalogue);
    EXPECT_TRUE(families.ok());
    return families.ok() ? *families : std::vector<ChangedFamily>();
  }

  testing::FakeHost* host_ = nullptr;
  std::unique_ptr<Catalogue> catalogue;
  Split train;
};

TEST_F(Probe, HasTheFeaturesThatTheModelUses) {
  const Model model = trained(sum());
  const auto& probe = model.head().probe;
  ASSERT_TRUE(probe);
  ASSERT_EQ(probe->values.size(), 1u);
  EXPECT_EQ(probe->values[0]->size(), 5 * kNumProbePictures);
  EXPECT_EQ((*probe->values[0])[4], 2.f);
  EXPECT_EQ(model.head().pixel_range, (PixelRange{3, 250}));
  EXPECT_EQ(model, trained(sum())) << "equal models";
}

// Other values, and whether a heuristic with them has changed.
TEST_F(Probe, TellsAChangeFromARounding) {
  struct Instance {
    const char* what;
    Value value;
    bool sum_changes, values_change;
  };
  const auto always = [](const auto& change) {
    return [=](std::uint32_t n, std::uint32_t i) { return change(value_of(n, i)); };
  };
  const Instance instances[]{
      {"the same", value_of, false, false},
      {"rounded", always([](float x) { return x * (1 + 1e-6f); }), false, false},
      {"beyond the tolerance", always([](float x) { return x * 1.01f; }), true, true},
      {"mirrored", always([](float x) { return 1000 - x; }), true, true},
      {"far off", always([](float x) { return x + 1e6f; }), true, true},
      {"missing", always([](float) { return kNothing; }), true, true},
      {"no more missing", always([](float x) { return std::isnan(x) ? 1 : x; }), false, true},
      {"a feature that is not used", [](auto n, auto i) { return i == 5 ? 0 : value_of(n, i); }, false,
       false},
      {"a constant of the same code", [](auto n, auto i) { return i == 7 ? 3 : value_of(n, i); }, false,
       false},
      {"a constant of another code", [](auto n, auto i) { return i == 7 ? 0 : value_of(n, i); }, true, false},
  };
  const Model of_sum = trained(sum()), of_inputs = trained(of_values());
  for (const Instance& instance : instances) {
    change(instance.value);
    EXPECT_EQ(!changed(of_sum).empty(), instance.sum_changes) << instance.what;
    EXPECT_EQ(!changed(of_inputs).empty(), instance.values_change) << instance.what;
  }
}

TEST_F(Probe, CountsValuesAndCodes) {
  const Model model = trained(sum());
  change([](auto n, auto i) { return i == 7 ? 0.f : i == 0 ? 1e6f : value_of(n, i); });
  const auto families = changed(model);
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(families[0].name, "shades");
  EXPECT_EQ(families[0].num_values, 15u);
  EXPECT_EQ(families[0].num_other_values, 6u);
  EXPECT_GE(families[0].num_other_codes, 3u);
}

TEST_F(Probe, IsNotMadeOfWhatFailsAndNotMissed) {
  host_->before_image = [](std::uint32_t) -> Status { return input_error("refuses all pictures"); };
  const Model without = trained(sum());
  EXPECT_FALSE(without.head().probe->values[0]);
  EXPECT_TRUE(changed(without).empty());
  EXPECT_TRUE(changed(sum()).empty()) << "an earlier model has none";
  host_->before_image = [](std::uint32_t) -> Status { return Done{}; };
  const Model with = trained(sum());
  host_->before_image = [](std::uint32_t) -> Status { return input_error("refuses all pictures"); };
  const auto families = changed_families(with, *catalogue);
  ASSERT_FALSE(families.ok());
  EXPECT_EQ(families.error().message, "family shades: refuses all pictures");
}

TEST_F(Probe, OfAHeuristicThatIsNotFoundIsNotCompared) {
  Model model = trained(sum());
  StrongClassifier other = model.sum();
  other.families[0].heuristic = "you/gone";
  EXPECT_TRUE(changed(Model(other)).empty());
}

TEST_F(Probe, OfATableIsNothing) {
  StrongClassifier table;
  table.class_names = {"a", "b"};
  table.column_names = {"x"};
  table.families = {{"columns", "columns", "1.0.0", {}, 1}};
  table.hypotheses = {{1, {{0, 0, 1.f}}, {1, -1}, {}}};
  Model model(table);
  add_training_facts({}, *catalogue, model);
  EXPECT_EQ(model, Model(table));
  EXPECT_TRUE(changed(model).empty());
}

}  // namespace
}  // namespace mash
