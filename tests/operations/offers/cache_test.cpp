// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/cache.hpp"

#include <gmock/gmock.h>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

const JudgedScores kControl{.1f, 1e-30f, -2.5f}, kTreated{.5f, 0, 7};

StrongClassifier some_model() {
  StrongClassifier model;
  model.class_names = {"a", "b", "c"};
  model.shape = {4, 1, 1};
  model.families.push_back({"f", "f", "1.0.0", {}, 3});
  model.hypotheses.push_back({.5, {{0, 1, 2.25f}}, {1, -1, 1}, {}});
  return model;
}

TEST(OfferCache, GivesBackWhatWasKept) {
  const testing::ScratchFolder folder;
  const OfferCache cache(folder.path(), "pool", "newcomer");
  EXPECT_FALSE(cache.find_pool(7));
  EXPECT_FALSE(cache.find_newcomer(7));
  ASSERT_TRUE(
      cache
          .keep(7, PoolSeed{serialise(Model(some_model())), .25, 2.5, kControl, {{32, .5}, {8, -.125}}, true})
          .ok());
  ASSERT_TRUE(cache.keep(7, NewcomerSeed{{3, 0, 3}, kTreated}).ok());
  const auto pool = cache.find_pool(7);
  ASSERT_TRUE(pool);
  const auto base = base_of(*pool);
  ASSERT_TRUE(base.ok());
  EXPECT_EQ(*base, some_model());
  EXPECT_FALSE(base_of(PoolSeed{"half a mod", 0, 1, {}, {}}).ok());
  EXPECT_EQ(pool->base_loss, .25);
  EXPECT_EQ(pool->base_scale, 2.5);
  EXPECT_EQ(pool->control, kControl);
  EXPECT_THAT(pool->placebo_gains, ::testing::ElementsAre(std::pair(8u, -.125), std::pair(32u, .5)));
  const auto newcomer = cache.find_newcomer(7);
  ASSERT_TRUE(newcomer);
  EXPECT_THAT(newcomer->won, ::testing::ElementsAre(3, 0, 3));
  EXPECT_EQ(newcomer->treated, kTreated);
  EXPECT_TRUE(pool->has_met_faults);
  EXPECT_FALSE(newcomer->has_met_faults);
  EXPECT_FALSE(cache.find_pool(8)) << "another seed";
  EXPECT_FALSE(OfferCache(folder.path(), "other", "newcomer").find_pool(7)) << "another pool";
}

TEST(OfferCache, TakesNoDamagedFile) {
  const testing::ScratchFolder folder;
  const OfferCache cache(folder.path(), "pool", "newcomer");
  ASSERT_TRUE(cache.keep(1, NewcomerSeed{{3, 0, 3}, kTreated}).ok());
  const std::string whole = *read_file(folder / "newcomer-1");
  for (std::size_t i = 0; i < whole.size(); i += 7) {
    std::string damaged = whole;
    damaged[i] = char(damaged[i] ^ 1);
    ASSERT_TRUE(write_file_atomically(folder / "newcomer-1", damaged).ok());
    EXPECT_FALSE(cache.find_newcomer(1)) << i;
    ASSERT_TRUE(write_file_atomically(folder / "newcomer-1", whole.substr(0, i)).ok());
    EXPECT_FALSE(cache.find_newcomer(1)) << i;
  }
}

TEST(OfferCache, TakesNoFileOfAnotherFormat) {
  const testing::ScratchFolder folder;
  const OfferCache cache(folder.path(), "pool", "newcomer");
  ASSERT_TRUE(cache.keep(1, NewcomerSeed{{3, 0, 3}, kTreated}).ok());
  const std::string whole = *read_file(folder / "newcomer-1");
  ASSERT_TRUE(write_file_atomically(folder / "newcomer-1", whole.substr(whole.find('\n') + 1)).ok());
  EXPECT_FALSE(cache.find_newcomer(1));
}

}  // namespace
}  // namespace mash
