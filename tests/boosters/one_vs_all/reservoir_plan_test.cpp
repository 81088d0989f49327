// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/reservoir_plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "classifiers/boosters/one_vs_all/held_codes.hpp"
#include "classifiers/losses/logistic.hpp"
#include "tests/support/endless_images.hpp"

namespace mash {
namespace {

using testing::EndlessWorld;
using testing::learnable_table;
using testing::World;

constexpr std::size_t kSize = 20, kFresh = 15;

// Examples of sixty rounds of each problem, and the most examples that the plan knew at a time.
struct Walked {
  std::set<std::uint32_t> seen;
  std::size_t most_known = 0;
};

Walked walk(World& world, const FeatureSet& features, std::size_t num_classes, bool looks_at_all) {
  Settings settings;
  const std::shared_ptr<const Retention> keep = *retention_strategies()[0].make(settings);
  const BinaryProblems problems(world.dataset.train, num_classes);
  Observer nobody;
  const TrainingContext context{.dataset = world.dataset,
                                .features = features,
                                .work = world.work,
                                .observer = nobody,
                                .checkpoint = {},
                                .run_key = {}};
  const auto plan = make_reservoir_plan({keep, kSize, kFresh, false},
                                        {problems, logistic_loss(), context, 1, looks_at_all});
  Walked walked;
  for (std::uint32_t r = 0; r < 60 * problems.size(); ++r) {
    const RoundExamples examples = plan->next(r % problems.size(), {1, r + 1});
    EXPECT_EQ(examples.examples.size(), kSize);
    walked.seen.insert(examples.examples.begin(), examples.examples.end());
    walked.most_known = std::max(walked.most_known, plan->num_known());
  }
  EXPECT_GE(walked.most_known, kSize);
  EXPECT_LE(walked.most_known, problems.size() * kSize + kFresh);
  return walked;
}

// It knows r + q examples, or a reservoir for each class and q, however long the stream is.
TEST(ReservoirPlan, KnowsNoMoreThanItsReservoirsAndWhatIsFresh) {
  for (const std::size_t num_classes : {2u, 4u})
    for (const bool looks_at_all : {false, true}) {
      World world(learnable_table(3000, 6, num_classes, 5));
      const Walked walked = walk(world, world.features(), num_classes, looks_at_all);
      EXPECT_GT(walked.seen.size(), 5 * (kSize + kFresh)) << "others have come";
    }
}

TEST(ReservoirPlan, KnowsNoMoreOfAStreamWithoutEnd) {
  for (const std::size_t num_classes : {2u, 4u})
    for (const bool looks_at_all : {false, true}) {
      EndlessWorld endless(64, num_classes);
      const Walked walked = walk(endless.world, *endless.features, num_classes, looks_at_all);
      EXPECT_GT(*walked.seen.rbegin(), 59 * kFresh) << "they went by";
    }
}

TEST(HeldCodes, KeepTheCodesOfWhatIsHeldAlone) {
  World world(learnable_table(300, 6, 2, 5));
  HeldCodes all(world.features(), true), none(world.features(), false);
  for (const std::vector<std::uint32_t>& held :
       std::vector<std::vector<std::uint32_t>>{{3, 7, 250}, {7}, {1, 7, 8, 9}, {}}) {
    all.hold(held);
    none.hold(held);
    EXPECT_EQ(all.num_bytes(), held.size() * 6);
    EXPECT_EQ(none.num_bytes(), 0u);
  }
}

}  // namespace
}  // namespace mash
