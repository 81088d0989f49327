// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/known_examples.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace mash {
namespace {

Model of_images() { return StrongClassifier{{{"a", "b"}, {2, 1, 1}, {}, {}}, {}, {}}; }
Model of_tables() { return StrongClassifier{{{"a", "b"}, {}, {"x", "y"}, {}}, {}, {}}; }

// Pictures of two pixels, which tell their number.
Split numbered_split(std::size_t begin, std::size_t end) {
  Split side;
  side.num_examples = end - begin;
  for (std::size_t n = begin; n < end; ++n) {
    side.pixels.push_back(std::uint8_t(n / 256));
    side.pixels.push_back(std::uint8_t(n % 256));
  }
  return side;
}

Model trained(Model model, const Split& train) {
  model.set_trained_on(known_examples(model, train));
  return model;
}

TEST(KnownExamples, CountTheExamplesThatTheModelWasTrainedOn) {
  const Model model = trained(of_images(), numbered_split(0, 600));
  ASSERT_TRUE(model.head().trained_on->has_all());
  EXPECT_EQ(model.head().trained_on->num_examples, 600u);
  EXPECT_TRUE(std::ranges::is_sorted(model.head().trained_on->digests));
  const SeenExamples some = seen_examples(model, numbered_split(550, 650));
  EXPECT_EQ(some.num_seen, 50u);
  EXPECT_EQ(some.num_told, 100u);
  EXPECT_EQ(seen_examples(model, numbered_split(600, 700)).num_seen, 0u);
  EXPECT_EQ(seen_examples(of_images(), numbered_split(0, 9)).num_told, 0u) << "nobody knows";
}

TEST(KnownExamples, OfManyTellTheShareByAPart) {
  const Model model = trained(of_images(), numbered_split(0, 20'000));
  ASSERT_FALSE(model.head().trained_on->has_all());
  EXPECT_EQ(model.head().trained_on->digests.size(), kMostDigests);
  const SeenExamples all = seen_examples(model, numbered_split(0, 10'000));
  EXPECT_GT(all.num_told, 400u);
  EXPECT_EQ(all.num_seen, all.num_told);
  const SeenExamples half = seen_examples(model, numbered_split(15'000, 25'000));
  EXPECT_NEAR(double(half.num_seen) / double(half.num_told), .5, .1);
  EXPECT_EQ(seen_examples(model, numbered_split(20'000, 30'000)).num_seen, 0u);
}

TEST(KnownExamples, DoNotDependOnTheOrderAndHoldEqualOnesOnce) {
  Split twice = numbered_split(0, 3);
  Split mirrored;
  mirrored.num_examples = 4;
  for (const int n : {2, 1, 0, 1}) {
    mirrored.pixels.push_back(0);
    mirrored.pixels.push_back(std::uint8_t(n));
  }
  EXPECT_EQ(known_examples(of_images(), mirrored).digests, known_examples(of_images(), twice).digests);
}

TEST(KnownExamples, AreRowsOfTablesToo) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Split train;
  train.num_examples = 2;
  train.values = {1, nan, 0, 3};
  const Model model = trained(of_tables(), train);
  Split test;
  test.num_examples = 3;
  test.values = {1, -nan, -0.f, 3, 3, 0};
  EXPECT_EQ(seen_examples(model, test).num_seen, 2u) << "missing values are equal, and so are zeros";
}

}  // namespace
}  // namespace mash
