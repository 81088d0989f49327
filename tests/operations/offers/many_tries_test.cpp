// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "framework/base/rank_intervals.hpp"
#include "tests/support/offer_space.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::OfferSpace;
using testing::PlantedClasses;

constexpr std::size_t kNumVariants = 100, kPoolSize = 2;

class ManyTries : public ::testing::Test {
 protected:
  ManyTries() : offers_(classes().dataset(), families()) {}

  static PlantedClasses classes() { return PlantedClasses(700, 300, 23); }
  // A pool of two families, and variants of a heuristic that know nothing of the classes.
  static std::vector<FakeFamily> families() {
    std::vector<FakeFamily> families = classes().pool();
    for (std::uint64_t v = 0; v < kNumVariants; ++v)
      families.push_back(classes().family(fmt::format("variant-{}", v), 100 + v, 0));
    return families;
  }

  // The last look at a variant beside the pool.
  GainAtLook offer(std::size_t variant, Judges judges, std::size_t num_seeds) {
    offers_.space->features =
        offers_.world.features().subset(std::vector<std::size_t>{0, 1, kPoolSize + variant});
    OfferTestSettings settings = offers_.settings;
    settings.most_seeds = num_seeds;
    settings.relevant = 0;  // go on to the last seed
    settings.judges = judges;
    const auto test = run_offer_test(*offers_.space, {"variant", {kPoolSize}}, settings, offers_.world.work);
    if (!test.ok()) throw std::runtime_error(test.error().message);
    return test->looks.back();
  }

 private:
  OfferSpace offers_;
};

// A contributor tries a hundred variants that are noise on the held-out part, and hands in the best of them:
// what it seemed to gain there is luck, and the test side, which no try has looked at, is not fitted by it.
TEST_F(ManyTries, TheBestOfAHundredDoesNotRiseOnTheTestSide) {
  std::vector<double> gains;
  for (std::size_t variant = 0; variant < kNumVariants; ++variant)
    gains.push_back(offer(variant, Judges::kHeldOut, 4).gain);
  const auto best = std::size_t(std::ranges::max_element(gains) - gains.begin());
  const GainAtLook on_test = offer(best, Judges::kTest, 16);
  EXPECT_LT(on_test.interval.low, 0) << "nothing is gained for certain";
  EXPECT_LT(on_test.gain, gains[best]) << "and less than it seemed to gain where it was chosen";

  // On the leaderboard it shares its rank with variants that nobody chose.
  std::vector<MeasuredScore> board;
  std::vector<std::size_t> variants{best};
  for (std::size_t variant = 0; variants.size() < 6; ++variant)
    if (variant != best) variants.push_back(variant);
  for (const std::size_t variant : variants) {
    const GainAtLook look = offer(variant, Judges::kTest, 16);
    board.push_back({look.gain, look.error.standard_error(), look.look.num_seeds});
  }
  EXPECT_EQ(measured_rank_intervals(board)[0].high, 6) << "it is surely better than none of them";
}

}  // namespace
}  // namespace mash
