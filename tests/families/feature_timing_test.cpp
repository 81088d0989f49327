// SPDX-License-Identifier: Apache-2.0
#include "framework/families/feature_timing.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeHost;
using ::testing::HasSubstr;

struct TimedFamilies : ::testing::Test {
  TimedFamilies() {
    specs.push_back(host.add({"quick", 40, [](std::uint32_t, std::uint32_t) { return 1.f; }}));
    specs.push_back(host.add({"slow", 2, [](std::uint32_t, std::uint32_t) {
                                std::this_thread::sleep_for(std::chrono::microseconds(500));
                                return 2.f;
                              }}));
  }
  Result<std::vector<Result<FeatureTiming>>> time(const Dataset& dataset) {
    return time_features(specs, {host, dataset, {workers, no_progress(), no_remarks(), stop}}, 0.01);
  }
  FakeHost host;
  std::vector<FamilySpec> specs;
  Dataset dataset = testing::numbered_images(std::vector<std::uint16_t>(30), {}, 2);
  Workers workers{2};
  StopFlag stop;
};

TEST_F(TimedFamilies, AFeatureTakesAtLeastAsLongAsItSleeps) {
  const auto timings = time(dataset);
  ASSERT_TRUE(timings.ok()) << timings.error().message;
  ASSERT_EQ(timings->size(), 2u);
  EXPECT_GE((*timings)[1]->feature, 500);
  for (const auto& timing : *timings) EXPECT_GE(timing->setup, 0);
}

TEST_F(TimedFamilies, AreShownPicturesOfTheTrainingSideOneFeatureAtATime) {
  ASSERT_TRUE(time(dataset).ok());
  EXPECT_LE(host.num_distinct_images(), dataset.train.num_examples);
  EXPECT_EQ(host.num_images, host.num_values) << "this host extracts anew for each piece";
}

TEST_F(TimedFamilies, ColumnsCostNothing) {
  const auto timings = time(testing::table({1, 2}, {0, 1}, 2));
  ASSERT_TRUE(timings.ok());
  EXPECT_EQ((*timings)[0]->feature, 0);
}

TEST_F(TimedFamilies, OneThatFailsHasItsErrorAndTheOthersTheirTimes) {
  specs.push_back(host.add({"film", 2, [](std::uint32_t, std::uint32_t) { return 1.f; }}));
  std::atomic<int> calls{0};
  host.before_image = [&](std::uint32_t) -> Status {
    return ++calls == 1 ? Status(input_error("cannot")) : Status(Done{});  // the first family's first picture
  };
  const auto timings = time(dataset);
  ASSERT_TRUE(timings.ok());
  ASSERT_FALSE((*timings)[0].ok());
  EXPECT_THAT((*timings)[0].error().message, HasSubstr("cannot"));
  EXPECT_TRUE((*timings)[1].ok() && (*timings)[2].ok());
}

TEST_F(TimedFamilies, NeedATrainingPictureAndStopWhenAsked) {
  EXPECT_FALSE(time(testing::numbered_images({}, std::vector<std::uint16_t>(3), 2)).ok());
  stop.raise();
  const auto timings = time(dataset);
  ASSERT_FALSE(timings.ok());
  EXPECT_EQ(timings.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace mash
