// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/margin_shares.hpp"

#include <numeric>

#include "tests/analysis/world_model.hpp"

namespace mash {
namespace {

using testing::model_of;
using testing::World;

// Two families of one feature; the test examples are 4 ... 7. "bit" is 1 of odd examples, "half" of 6 and 7.
World shares_world() {
  return World(testing::numbered_images({0, 1, 0, 1}, {0, 1, 0, 1}, 2),
               {{"bit", 1, [](std::uint32_t n, std::uint32_t) { return float(n % 2); }},
                {"half", 1, [](std::uint32_t n, std::uint32_t) { return float(n / 2 % 2); }}});
}

Cut cut(std::uint32_t family, const World& world) {
  return {family, 0, world.features().threshold(family, 1)};
}

TEST(MarginShares, WorkedByHand) {
  const World world = shares_world();
  // f_1 - f_0 of bit is +-2 * 1, of half +-2 * 0.5; sum of alpha 1.5. Bit is right on all, half on two.
  const StrongClassifier model =
      model_of(world, {{1.0, {cut(0, world)}, {-1, 1}, {}}, {0.5, {cut(1, world)}, {-1, 1}, {}}});
  const auto answers = CutAnswers::make(model, world.features());
  ASSERT_TRUE(answers.ok());
  const MarginShares shares = margin_shares(model, *answers, world.dataset.test.labels, world.workers);
  EXPECT_NEAR(shares.families[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(shares.families[1], 0, 1e-12);
  EXPECT_NEAR(shares.mean_margin, 2.0 / 3, 1e-12);
}

TEST(MarginShares, CutsOfAProductShareEqually) {
  const World world = shares_world();
  const StrongClassifier model = model_of(
      world, {{2.0, {cut(0, world), cut(1, world)}, {-1, 1}, {}}, {1.0, {cut(0, world)}, {-1, 1}, {}}});
  const auto answers = CutAnswers::make(model, world.features());
  const MarginShares shares = margin_shares(model, *answers, world.dataset.test.labels, world.workers);
  // Where half holds the product says what bit says, elsewhere the opposite: 0 on average.
  EXPECT_NEAR(shares.families[0], 1.0 / 3, 1e-12);
  EXPECT_NEAR(shares.families[1], 0, 1e-12);
  EXPECT_NEAR(shares.families[0] + shares.families[1], shares.mean_margin, 1e-12);
}

TEST(AlphaShares, CutsOfAHypothesisShareItsCoefficient) {
  const World world = shares_world();
  const StrongClassifier model = model_of(
      world, {{3.0, {cut(0, world), cut(1, world)}, {-1, 1}, {}}, {1.0, {cut(0, world)}, {-1, 1}, {}}});
  EXPECT_THAT(alpha_shares(model), ::testing::ElementsAre(2.5 / 4, 1.5 / 4));
  EXPECT_THAT(alpha_shares(model_of(world, {})), ::testing::ElementsAre(0, 0)) << "nothing to be shared";
}

TEST(PermutationImportance, OnlyWhatIsUsedMatters) {
  const World world = shares_world();
  const StrongClassifier model = model_of(world, {{1.0, {cut(0, world)}, {-1, 1}, {}}});
  const auto answers = CutAnswers::make(model, world.features());
  const std::vector<std::vector<std::size_t>> groups{{0}, {1}, {0, 1}};
  const auto importance = permutation_importance(model, *answers, groups, world.dataset.test.labels,
                                                 {.num_permutations = 200, .seed = 1}, world.workers);
  ASSERT_EQ(importance.size(), 3u);
  // A random permutation of four examples, two of each class, gives each a wrong value with 2/4.
  EXPECT_NEAR(importance[0].mean, 0.5, 4 * importance[0].standard_error);
  EXPECT_LT(importance[0].standard_error, 0.05);
  EXPECT_EQ(importance[1].mean, 0);
  EXPECT_EQ(importance[1].standard_error, 0);
  EXPECT_EQ(importance[2].mean, importance[0].mean);  // the same permutations
}

}  // namespace
}  // namespace mash
