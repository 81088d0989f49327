// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "framework/base/rank_intervals.hpp"
#include "framework/operations/offer_test.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::World;

constexpr std::size_t kNumTrain = 700, kNumTest = 300, kNumClasses = 4, kNumVariants = 100;
constexpr std::size_t kPoolSize = 2;

// Of the training side, then of the test side.
std::vector<std::uint16_t> labels() { return testing::random_labels(kNumTrain + kNumTest, kNumClasses, 23); }

// Twelve features, of which feature j tells whether the class is j % 4, beside noise.
FakeFamily planted(std::string id, std::uint64_t number, double strength) {
  return {std::move(id), 12, [=, labels = labels()](std::uint32_t n, std::uint32_t j) {
            const double noise = RandomStream(number, "test.planted", std::uint64_t(n) << 8 | j).normal();
            return float(strength * (labels[n] == j % kNumClasses) + noise);
          }};
}

// A pool of two families, and variants of a heuristic that know nothing of the classes.
std::vector<FakeFamily> families() {
  std::vector<FakeFamily> families{planted("one", 1, .7), planted("two", 2, .5)};
  for (std::uint64_t v = 0; v < kNumVariants; ++v)
    families.push_back(planted(fmt::format("variant-{}", v), 100 + v, 0));
  return families;
}

class ManyTries : public ::testing::Test {
 protected:
  ManyTries() : world_(dataset(), families(), 2) {
    auto records = Records::open(world_.folder / "records.db");
    if (!records.ok()) throw std::runtime_error(records.error().message);
    space_.emplace(Workspace{Catalogue::scan({}), std::make_unique<const Dataset>(world_.dataset),
                             world_.features().subset(std::vector<std::size_t>{0}), *std::move(records),
                             world_.folder.path()});
  }

  static Dataset dataset() {
    const auto all = labels();
    return testing::numbered_images({all.begin(), all.begin() + kNumTrain},
                                    {all.begin() + kNumTrain, all.end()}, kNumClasses);
  }

  // The last look at a variant beside the pool.
  GainAtLook offer(std::size_t variant, Judges judges, std::size_t num_seeds) {
    space_->features = world_.features().subset(std::vector<std::size_t>{0, 1, kPoolSize + variant});
    OfferTestSettings settings;
    settings.rounds.base_rounds = 40;
    settings.rounds.rounds = 20;
    settings.rounds.num_candidates = 8;
    settings.rounds.num_offered = 4;
    settings.most_seeds = num_seeds;
    settings.relevant = 0;  // go on to the last seed
    settings.judges = judges;
    const auto test = run_offer_test(*space_, {"variant", {kPoolSize}}, settings, world_.work);
    if (!test.ok()) throw std::runtime_error(test.error().message);
    return test->looks.back();
  }

  World world_;
  std::optional<Workspace> space_;
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
    board.push_back({look.gain, look.variance.standard_error(), look.look.num_seeds});
  }
  EXPECT_EQ(measured_rank_intervals(board)[0].high, 6) << "it is surely better than none of them";
}

}  // namespace
}  // namespace mash
