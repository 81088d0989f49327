// SPDX-License-Identifier: Apache-2.0
// Features on demand that the user stops.
#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <thread>

#include "framework/base/stopped_within.hpp"
#include "framework/families/lazy_family.hpp"
#include "framework/isolation/plugin_access.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::World;

constexpr std::size_t kNumTrain = 700, kNumTest = 100, kNumBeforeStop = 70;

Dataset stopped_examples() {
  return testing::numbered_images(std::vector<std::uint16_t>(kNumTrain), std::vector<std::uint16_t>(kNumTest),
                                  2);
}

// Every way to ask for features that have to be computed.
const std::vector<std::function<void(const FeatureSet&)>> kQuestions{
    [](const FeatureSet& set) { set.column(Side::kTrain, 0); },
    [](const FeatureSet& set) { set.column(Side::kTest, 1); },
    [](const FeatureSet& set) {
      set.compute_together(Side::kTrain, std::vector<std::uint32_t>{0, 1});
    },
    [](const FeatureSet& set) { (void)set.num_cuts(1); },
    [](const FeatureSet& set) {
      std::vector<std::uint8_t> codes(90);
      std::vector<std::uint32_t> rows(90);
      for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = 2 * i;
      set.gather(std::vector<std::uint32_t>{0}, rows, codes.data(), codes.size());
    },
    [](const FeatureSet& set) {
      std::vector<float> values(kNumTest);
      set.values(Side::kTest, 0, values);
    }};

TEST(StoppedOnDemand, EndsBetweenTwoPictures) {
  for (const auto& ask : kQuestions) {
    World world(stopped_examples(), {{"a", 2, [](std::uint32_t n, std::uint32_t j) { return float(n + j); }}},
                2);
    world.store.limit = 0;
    const auto lazy = FeatureSet::open(world.specs, world.store, world.context());
    ASSERT_TRUE(lazy.ok());
    world.host.forget_images();
    world.host.before_image = [&](std::uint32_t) -> Status {
      if (world.host.num_images >= kNumBeforeStop) world.stop.raise();
      return world.stop.raised() ? Status(stopped_by_user()) : Done{};
    };
    EXPECT_THROW(ask(*lazy), StoppedWithin);
    EXPECT_LE(world.host.num_images, kNumBeforeStop + 2) << "one more on each thread";
    EXPECT_THROW(ask(*lazy), StoppedWithin) << "nothing of it was kept";
    EXPECT_EQ(lazy->families_with_faults()[0].num_faults, 0u) << "that is no fault of the heuristic";
  }
}

TEST(StoppedOnDemand, IsAnErrorForThoseWhoKnowErrors) {
  const auto stopped = unless_stopped([]() -> Result<int> { throw StoppedWithin(); });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
  EXPECT_EQ(*unless_stopped([]() -> Result<int> { return 3; }), 3);
  EXPECT_EQ(unless_stopped([]() -> Status { return failure("no disk"); }).error().kind, ErrorKind::kFailure);
}

// Its budget would end it after hours.
TEST(StoppedOnDemand, EndsACallOfAnotherProcess) {
  IsolationSettings patient;
  patient.isolation = Isolation::kProcess;
  patient.budget = patient.budget.times(10'000);
  Catalogue catalogue(access_to_plugins(patient, testing::quiet_work()));
  ASSERT_TRUE(catalogue.add(MASH_ENDLESS).ok());
  const Dataset dataset = stopped_examples();
  FamilyInfo info;
  info.spec.name = "endless";
  info.spec.heuristic = catalogue.heuristics()[0];
  info.dim = 1;
  for (const double call : {1., 2., 3., 4.}) {
    info.spec.values = {call};
    StopFlag stop;
    const LazyFamily family(info, {catalogue.host(), dataset, testing::quiet_work(stop)});
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop.raise();
    });
    const Stopwatch watch;
    EXPECT_THROW(family.column(Side::kTrain, 0), StoppedWithin) << call;
    EXPECT_LT(watch.seconds(), 5) << call;
    user.join();
  }
  EXPECT_TRUE(catalogue.host().take_incidents().empty()) << "that is no fault of the heuristic";
}

}  // namespace
}  // namespace mash
