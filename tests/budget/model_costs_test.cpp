// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/model_costs.hpp"

#include <gmock/gmock.h>

#include "tests/budget/small_models.hpp"

namespace mash {
namespace {

using testing::make_costs;
using testing::model_on;
using testing::stump;

// Families of four and two features; hypotheses ask for the second and fourth of one, and for one of the
// other.
struct CostsInModels : ::testing::Test {
  std::vector<FamilyCosts> families{{"a", {1, 2, 4, 8}, 0.5}, {"b", {16, 32}, 3}};
  FeatureCosts costs = *FeatureCosts::make(families, kMicroseconds);
  StrongClassifier model = [this] {
    StrongClassifier made = model_on(families, 2);
    made.hypotheses = {stump(0, 3), stump(1, 0), stump(0, 1), stump(0, 3)};
    return made;
  }();
};

TEST_F(CostsInModels, AreThoseOfTheFeaturesThatItNeeds) {
  model.hypotheses.push_back({1, {{1, 1, -std::numeric_limits<float>::infinity()}}, {1, 1}, {}});
  const auto with = with_costs(model, costs);
  ASSERT_TRUE(with.ok());
  ASSERT_TRUE(with->costs);
  EXPECT_EQ(with->costs->unit, "microseconds");
  EXPECT_EQ(with->costs->families[0], (ModelFamilyCosts{0.5, {1, 3}, {2, 8}}));
  EXPECT_EQ(with->costs->families[1], (ModelFamilyCosts{3, {0}, {16}}))
      << "a cut that always holds asks nothing";
}

TEST_F(CostsInModels, GiveTheSamePricesBack) {
  const auto with = with_costs(model, costs);
  const FeatureCosts attached = attached_costs(*with);
  EXPECT_EQ(attached.unit(), "microseconds");
  for (const Hypothesis& hypothesis : model.hypotheses)
    EXPECT_EQ(attached.price(attached.needs(hypothesis)).total(),
              costs.price(costs.needs(hypothesis)).total());
}

TEST_F(CostsInModels, AreOneEachWhereTheModelSaysNothing) {
  const FeatureCosts attached = attached_costs(model);
  EXPECT_EQ(attached.unit(), "features");
  EXPECT_EQ(attached.feature(5), 1);
  EXPECT_EQ(attached.setup(1), 0);
}

TEST_F(CostsInModels, OfOtherFamiliesAreRefused) {
  const auto with = with_costs(model, make_costs({{"a", {1, 2, 4}, 0.5}, {"b", {16, 32}, 3}}));
  ASSERT_FALSE(with.ok());
  EXPECT_EQ(with.error().kind, ErrorKind::kInput);
}

// 8 + 2 of the one family with its set-up, 16 + 3 of the other.
TEST_F(CostsInModels, AddUpToThePriceOfTheWholeModel) {
  EXPECT_EQ(*total_price(model, costs), 10.5 + 19);
  EXPECT_FALSE(total_price(model, make_costs({{"a", {1}, 0}})).ok());
}

}  // namespace
}  // namespace mash
