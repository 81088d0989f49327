// SPDX-License-Identifier: Apache-2.0
// Columns of a file are offered as a heuristic that computes the same numbers would be.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "framework/operations/offers/summary.hpp"
#include "tests/support/npy_file.hpp"
#include "tests/support/offer_space.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::OfferSpace;
using testing::PlantedClasses;

constexpr std::uint32_t kColumns = 12;  // of a planted family

// A pool of two families, and a third one beside them that computes its numbers.
struct BesideComputed : OfferSpace {
  BesideComputed(const PlantedClasses& classes, const FakeFamily& family)
      : OfferSpace(classes.dataset(), with(classes.pool(), family)) {}

  static std::vector<FakeFamily> with(std::vector<FakeFamily> families, const FakeFamily& family) {
    families.push_back(family);
    return families;
  }
};

// The same with the numbers in a file.
struct BesideGiven : OfferSpace {
  BesideGiven(const PlantedClasses& classes, const FakeFamily& family)
      : OfferSpace(classes.dataset(), classes.pool()) {
    const auto num_rows = std::uint32_t(world.dataset.train.num_examples + world.dataset.test.num_examples);
    std::vector<float> values;
    for (std::uint32_t n = 0; n < num_rows; ++n)
      for (std::uint32_t j = 0; j < kColumns; ++j) values.push_back(family.value(n, j));
    const auto file = world.folder / "own.npy";
    std::ofstream(file, std::ios::binary)
        << testing::npy_file("<f4", fmt::format("({}, {})", num_rows, kColumns), values);
    world.specs.push_back(given_family("columns:own", file));
    if (const Status matched = match_columns(world.specs, world.dataset); !matched.ok())
      throw std::runtime_error(matched.error().message);
    open_anew();
  }
};

OfferTest offered_last(OfferSpace& offers) {
  auto test = run_offer_test(*offers.space, {"newcomer", {2}}, offers.settings, offers.world.work);
  if (!test.ok()) throw std::runtime_error(test.error().message);
  return *std::move(test);
}

TEST(ColumnsOffered, GainWhatAHeuristicOfTheSameNumbersGains) {
  const PlantedClasses classes(900, 60);
  const FakeFamily family = classes.family("zebra", 3, .9);
  BesideComputed computed(classes, family);
  BesideGiven given(classes, family);
  const OfferTest of_computed = offered_last(computed), of_given = offered_last(given);
  ASSERT_EQ(of_computed.looks.size(), of_given.looks.size());
  EXPECT_EQ(of_computed.losses.seed_gains(), of_given.losses.seed_gains());
  EXPECT_EQ(of_computed.looks.back().gain, of_given.looks.back().gain);
  EXPECT_EQ(of_computed.looks.back().interval.low, of_given.looks.back().interval.low);
  EXPECT_EQ(of_computed.wins, of_given.wins);
  EXPECT_EQ(of_computed.placebo_gains, of_given.placebo_gains);
  EXPECT_GT(of_given.num_wins, 0u);
}

TEST(ColumnsOffered, AreShownWithAnUnknownCost) {
  const PlantedClasses classes(900, 60);
  BesideGiven given(classes, classes.family("zebra", 3, .9));
  const OfferTest test = offered_last(given);
  const HeuristicOffer offer = offer_of(*given.space, {"columns:own", {2}}, test, 1);
  EXPECT_EQ(offer.heuristic, "columns:own");
  EXPECT_EQ(offer.plugin_sha256.size(), 64u);
  EXPECT_TRUE(std::isnan(offer.cost.microseconds_per_image));
  EXPECT_EQ(offer.cost.dim, kColumns);
  EXPECT_EQ(offer.pool_microseconds.size(), 2u) << "of the pool it is known";
  const HeuristicOffer other = offer_of(*given.space, {"one", {0}}, test, 1);
  EXPECT_EQ(other.pool_microseconds.size(), 1u) << "columns in the pool have none";
}

}  // namespace
}  // namespace mash
