// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/feature_draw.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::chi_squared;
using testing::FakeFamily;
using testing::hashed_families;
using testing::World;

World world_of(std::vector<FakeFamily> families) {
  return {testing::numbered_images({0, 1}, {}, 2), std::move(families)};
}

// A feature by name: of which family, and its index there.
using Named = std::pair<std::string, std::uint32_t>;
std::set<Named> names(const FeatureSet& features, const std::vector<std::uint32_t>& chosen) {
  std::set<Named> named;
  for (const std::uint32_t f : chosen)
    named.insert({features.families()[features.family_of(f)].spec.name, features.index_in_family(f)});
  return named;
}

std::set<Named> without(std::set<Named> named, const std::string& family) {
  std::erase_if(named, [&](const Named& feature) { return feature.first == family; });
  return named;
}

RC_GTEST_PROP(FeatureOrder, GivesEveryFeatureOnce, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.draw");
  const auto first = std::uint32_t(stream.below(1000)), size = std::uint32_t(1 + stream.below(300));
  FeatureOrder order(first, size, stream);
  std::set<std::uint32_t> seen;
  for (std::uint32_t left = size; left > 0; --left) {
    RC_ASSERT(order.num_left() == left);
    seen.insert(order.next());
  }
  RC_ASSERT(order.num_left() == 0u);
  RC_ASSERT(seen.size() == size);
  RC_ASSERT(*seen.begin() == first && *seen.rbegin() == first + size - 1);
}

RC_GTEST_PROP(FeatureOrder, TakesDistinctFeaturesInOrder, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.draw");
  const auto size = std::uint32_t(1 + stream.below(300));
  const std::uint64_t count = 1 + stream.below(400);
  const auto taken = FeatureOrder(7, size, stream).take(count);
  RC_ASSERT(taken.size() == std::min<std::uint64_t>(count, size));
  RC_ASSERT(std::adjacent_find(taken.begin(), taken.end(), std::greater_equal()) == taken.end());
  RC_ASSERT(taken.front() >= 7 && taken.back() < 7 + size);
}

// Pairs of a family of four: each of the six as often.
TEST(FeatureOrder, EverySetIsAsLikely) {
  std::vector<std::uint64_t> counts(16);
  for (std::uint64_t i = 0; i < 6000; ++i) {
    const auto pair = FeatureOrder(0, 4, {i, "test.order"}).take(2);
    ++counts[4 * pair[0] + pair[1]];
  }
  std::erase(counts, 0u);
  ASSERT_EQ(counts.size(), 6u);
  EXPECT_LT(chi_squared(counts, std::vector<double>(6, 1000)), 20.5) << "5 degrees, 1 in 1000";
}

TEST(FeatureDraw, FromAllTakesEverySetAsOften) {
  const World world = world_of(hashed_families({1, 3, 2}));
  std::vector<std::uint64_t> counts(64);
  for (std::uint32_t round = 0; round < 20000; ++round) {
    std::size_t set = 0;
    for (const std::uint32_t f : FeatureDraw(world.features(), {1, round}, "test").from_all(3))
      set |= 1u << f;
    ++counts[set];
  }
  std::erase(counts, 0u);
  ASSERT_EQ(counts.size(), 20u) << "three of six";
  EXPECT_LT(chi_squared(counts, std::vector<double>(20, 1000)), 43.8) << "19 degrees, 1 in 1000";
}

TEST(FeatureDraw, FromAllOfManyFeaturesFollowsTheSizes) {
  const std::vector<std::uint32_t> sizes{3, 40, 157};
  const World world = world_of(hashed_families(sizes));
  std::vector<std::uint64_t> counts(3);
  for (std::uint32_t round = 0; round < 2000; ++round)
    for (const std::uint32_t f : FeatureDraw(world.features(), {2, round}, "test").from_all(20))
      ++counts[world.features().family_of(f)];
  // Without replacement counts vary less than the statistic's independent ones.
  EXPECT_LT(chi_squared(counts, {600, 8000, 31400}), 13.8);
}

// Another family, before, between or after them, takes places but changes nothing among the others.
TEST(FeatureDraw, AFamilyMoreChangesNothingAmongTheOthers) {
  const std::vector<FakeFamily> families = hashed_families({5, 60, 200});
  const World alone = world_of(families);
  for (std::size_t place = 0; place <= families.size(); ++place) {
    std::vector<FakeFamily> more = families;
    more.insert(more.begin() + std::ptrdiff_t(place), {"newcomer", 100, families[0].value});
    const World beside = world_of(more);
    for (std::uint32_t round = 1; round <= 20; ++round) {
      const FeatureDraw before(alone.features(), {3, round}, "test"),
          after(beside.features(), {3, round}, "test");
      for (std::uint32_t k = 0; k < 3; ++k) {
        const auto now = std::uint32_t(k + (k >= place));
        EXPECT_EQ(names(beside.features(), after.from_family(now, 4)),
                  names(alone.features(), before.from_family(k, 4)));
        EXPECT_EQ(after.family_priority(now, 7), before.family_priority(k, 7));
        EXPECT_EQ(after.feature_ties()(beside.features().first_feature(now) + 2),
                  before.feature_ties()(alone.features().first_feature(k) + 2));
      }
      // Places that the newcomer leaves go to the same features as without it.
      const auto others = without(names(beside.features(), after.from_all(64)), "newcomer");
      EXPECT_LT(others.size(), 64u);
      EXPECT_EQ(others, names(alone.features(), before.from_all(others.size())));
      std::vector<std::string> in_order, as_before;
      for (const std::uint32_t k : after.families())
        if (k != place) in_order.push_back(beside.features().families()[k].spec.name);
      for (const std::uint32_t k : before.families())
        as_before.push_back(alone.features().families()[k].spec.name);
      EXPECT_EQ(in_order, as_before);
    }
  }
}

TEST(FeatureDraw, OneOfEachTakesEveryFamilyFirst) {
  const World world = world_of(hashed_families({1, 3, 50, 50}));
  std::vector<std::uint64_t> second(4);  // who is drawn again
  for (std::uint32_t round = 0; round < 4000; ++round) {
    std::vector<std::uint64_t> counts(4);
    for (const std::uint32_t f : FeatureDraw(world.features(), {4, round}, "test").one_of_each(5))
      ++counts[world.features().family_of(f)];
    EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), 1u);
    for (std::size_t k = 0; k < 4; ++k) second[k] += counts[k] - 1;
  }
  EXPECT_EQ(second[0], 0u) << "used up";
  second.erase(second.begin());
  EXPECT_LT(chi_squared(second, std::vector<double>(3, 4000. / 3)), 13.8) << "2 degrees, 1 in 1000";
}

TEST(FeatureDraw, GivesAllWhereThereAreNoMore) {
  const World world = world_of(hashed_families({1, 3, 5}));
  const FeatureDraw draw(world.features(), {5, 1}, "test");
  for (const std::uint64_t count : {9u, 10u, 1000u}) {
    EXPECT_EQ(draw.from_all(count).size(), 9u);
    EXPECT_EQ(draw.one_of_each(count).size(), 9u);
    EXPECT_EQ(draw.from_family(2, count).size(), 5u);
  }
  EXPECT_THAT(draw.from_families(std::vector<std::uint64_t>{0, 2, 9}), ::testing::SizeIs(7));
}

TEST(FeatureDraw, SeedRoundPurposeAndNameDecide) {
  const World world = world_of(hashed_families({1000, 1000}));
  const auto draw = [&](const Round& round, std::string_view purpose) {
    return FeatureDraw(world.features(), round, purpose).from_family(0, 10);
  };
  const auto one = draw({1, 1}, "test");
  EXPECT_EQ(draw({1, 1}, "test"), one);
  EXPECT_NE(draw({2, 1}, "test"), one);
  EXPECT_NE(draw({1, 2}, "test"), one);
  EXPECT_NE(draw({1, 1}, "other"), one);
  auto second = FeatureDraw(world.features(), {1, 1}, "test").from_family(1, 10);
  for (std::uint32_t& feature : second) feature -= 1000;
  EXPECT_NE(second, one);
}

}  // namespace
}  // namespace mash
