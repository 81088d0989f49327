// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/pool_offers.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::World;

constexpr std::size_t kExamples = 900, kClasses = 4;

std::vector<std::uint16_t> labels() { return testing::random_labels(kExamples, kClasses, 11); }

// Twelve features, of which feature j tells whether the class is j % 4, beside noise.
FakeFamily planted(std::string id, std::uint64_t number, double strength) {
  return {std::move(id), 12, [=, labels = labels()](std::uint32_t n, std::uint32_t j) {
            const double noise = RandomStream(number, "test.planted", std::uint64_t(n) << 8 | j).normal();
            return float(strength * (labels[n] == j % kClasses) + noise);
          }};
}

struct Pool {
  explicit Pool(int num_threads)
      : world(testing::numbered_images(labels(), {}, kClasses),
              {planted("good", 3, 1.2), planted("little", 1, .5), planted("noise", 5, 0),
               planted("some", 2, .7)},
              num_threads) {
    auto records = Records::open(world.folder / "records.db");
    if (!records.ok()) throw std::runtime_error(records.error().message);
    std::vector<std::size_t> all(world.features().num_families());
    std::iota(all.begin(), all.end(), std::size_t(0));
    space.emplace(Workspace{Catalogue::scan({}), std::make_unique<const Dataset>(world.dataset),
                            world.features().subset(all), *std::move(records), world.folder.path()});
    settings.rounds.base_rounds = 40;
    settings.rounds.rounds = 20;
    settings.rounds.num_candidates = 8;
    settings.rounds.num_offered = 4;
    settings.most_seeds = 8;
  }

  std::vector<OfferTest> run() {
    auto tests = run_pool_offers(*space, settings, world.work);
    if (!tests.ok()) throw std::runtime_error(tests.error().message);
    return *std::move(tests);
  }

  World world;
  std::optional<Workspace> space;
  OfferTestSettings settings;
};

TEST(PoolOffers, FindWhatEachFamilyAdds) {
  Pool pool(2);
  const std::vector<OfferTest> tests = pool.run();
  ASSERT_EQ(tests.size(), 4u);
  const auto gain = [&](std::size_t k) { return tests[k].looks.back().gain; };
  EXPECT_EQ(decision_of(tests[0].looks.back().interval, 1), GainDecision::kAdds);
  EXPECT_GT(gain(0), gain(3));
  EXPECT_GT(gain(3), gain(2));
  EXPECT_NE(decision_of(tests[2].looks.back().interval, 1), GainDecision::kAdds) << "noise";
}

// As a test of the family by itself, whose pool never had it.
TEST(PoolOffers, AgreeWithTestsOfEachForItself) {
  Pool pool(2);
  const std::vector<OfferTest> tests = pool.run();
  for (const std::size_t k : {std::size_t(0), std::size_t(2), std::size_t(3)}) {
    const auto alone = run_offer_test(*pool.space, {"one", {k}}, pool.settings, pool.world.work);
    ASSERT_TRUE(alone.ok());
    const GainAtLook& one = alone->looks.back();
    const GainAtLook& all = tests[k].looks.back();
    EXPECT_NEAR(one.gain, all.gain, 3 * (one.variance.standard_error() + all.variance.standard_error()) + 1);
  }
}

TEST(PoolOffers, TheSameBitsForAnyNumberOfThreadsAndAfterAnInterruption) {
  Pool whole(3), parted(1);
  const std::vector<OfferTest> expected = whole.run();
  parted.settings.most_seeds = 4;
  parted.run();
  parted.settings.most_seeds = 8;
  const std::vector<OfferTest> tests = parted.run();
  for (std::size_t k = 0; k < tests.size(); ++k) {
    EXPECT_EQ(tests[k].looks, expected[k].looks);
    EXPECT_GE(tests[k].num_found, 4u);
    EXPECT_EQ(tests[k].wins, expected[k].wins);
  }
  for (const OfferTest& again : parted.run()) EXPECT_EQ(again.num_played, 0u);
}

TEST(PoolOffers, StopWhenTheyAreAskedTo) {
  Pool pool(2);
  pool.world.stop.raise();
  const auto tests = run_pool_offers(*pool.space, pool.settings, pool.world.work);
  ASSERT_FALSE(tests.ok());
  EXPECT_EQ(tests.error().kind, ErrorKind::kStopped);
}

TEST(PoolOffers, TimeEndsThemAfterTheFirstLook) {
  Pool pool(2);
  pool.settings.seconds = 0;
  for (const OfferTest& test : pool.run()) EXPECT_EQ(test.losses.num_seeds(), 4u);
}

}  // namespace
}  // namespace mash
