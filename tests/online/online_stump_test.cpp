// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/online_stump.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                kInfinity = std::numeric_limits<float>::infinity();

struct Shown {
  float x;
  int sign;
  double weight;
};

std::vector<Shown> random_examples(std::uint64_t seed, std::size_t count) {
  RandomStream stream(seed, "test.stump");
  std::vector<Shown> examples(count);
  for (Shown& shown : examples) {
    shown.sign = stream.uniform() < 0.4 ? 1 : -1;
    shown.x = float(stream.normal() + 0.5 * shown.sign);
    shown.weight = stream.uniform(0, 3);
  }
  return examples;
}

void show(OnlineStump& stump, const std::vector<Shown>& examples) {
  for (const Shown& shown : examples) stump.learn(shown.x, shown.sign, shown.weight);
}

// By the definition: an example counts its weight times 0.99 for every later one of its sign.
double remembered_mean(const std::vector<Shown>& examples, int sign) {
  double sum = 0, weights = 0, memory = 1;
  for (std::size_t i = examples.size(); i-- > 0;) {
    if (examples[i].sign != sign) continue;
    sum += memory * examples[i].weight * double(examples[i].x);
    weights += memory * examples[i].weight;
    memory *= 0.99;
  }
  return sum / weights;
}

std::vector<double> numbers_of(const OnlineStump& stump) {
  StateWriter writer;
  stump.write(writer);
  return writer.take();
}

TEST(OnlineStump, WorkedNumbers) {
  OnlineStump stump(7);
  stump.learn(3, 1, 1);
  stump.learn(1, -1, 1);
  EXPECT_EQ(stump.now(), (FeatureStump{7, 2, 1}));
  stump.learn(5, 1, 1);  // the mean of + is (0.99 * 3 + 5) / 1.99 = 4.005025
  EXPECT_NEAR(stump.now().threshold, 2.502513, 1e-6);
  stump.learn(-20, 1, 10);  // (0.99 * 1.99 * 4.005025 - 200) / 11.9701 = -16.049131
  EXPECT_NEAR(stump.now().threshold, -7.524565, 2e-6);
  EXPECT_EQ(stump.now().polarity, -1);
}

RC_GTEST_PROP(OnlineStump, ThresholdIsTheMidpointOfTheRememberedMeans, (std::uint64_t seed)) {
  auto examples = random_examples(seed, 40);
  examples[0].sign = 1;
  examples[1].sign = -1;
  OnlineStump stump(0);
  show(stump, examples);
  const double positive = remembered_mean(examples, 1), negative = remembered_mean(examples, -1);
  RC_ASSERT(std::abs(double(stump.now().threshold) - (positive + negative) / 2) < 1e-6);
  RC_ASSERT(stump.now().polarity == (positive >= negative ? 1 : -1));
}

TEST(OnlineStump, AnswersTheOnlySignItHasSeen) {
  OnlineStump stump(0);
  for (const float x : {-5.0f, 5.0f, kNan}) EXPECT_EQ(stump.now().answer(x), 1);
  stump.learn(2, -1, 1);
  for (const float x : {-5.0f, 5.0f, kNan, -kInfinity}) EXPECT_EQ(stump.now().answer(x), -1);
}

TEST(OnlineStump, NanIsBelowTheThresholdAndTeachesNothing) {
  OnlineStump stump(0);
  stump.learn(3, 1, 1);
  stump.learn(1, -1, 1);
  const auto before = numbers_of(stump);
  for (const float x : {kNan, kInfinity, -kInfinity}) stump.learn(x, 1, 1);
  stump.learn(100, 1, 0);
  EXPECT_EQ(numbers_of(stump), before);
  EXPECT_EQ(stump.now().answer(kNan), -1);
  EXPECT_EQ(stump.now().answer(2), 1) << "at the threshold is above it";
  EXPECT_EQ(stump.now().answer(kInfinity), 1);
  EXPECT_EQ(stump.now().answer(-kInfinity), -1);
}

TEST(OnlineStump, ConstantFeatureIsAllAbove) {
  OnlineStump stump(0);
  for (int i = 0; i < 100; ++i) stump.learn(0.1f, i % 3 == 0 ? 1 : -1, 0.7);
  EXPECT_EQ(stump.now(), (FeatureStump{0, 0.1f, 1}));
}

TEST(OnlineStump, OnlyRatiosOfWeightsMatter) {
  auto examples = random_examples(3, 100);
  OnlineStump stump(0), lighter(0);
  show(stump, examples);
  for (Shown& shown : examples) shown.weight *= 0x1p-900;
  show(lighter, examples);
  EXPECT_EQ(stump.now(), lighter.now());
}

TEST(OnlineStump, StartIsForgottenAsExamplesAre) {
  const FeatureStump start{2, 10, -1};
  OnlineStump stump(start), blank(2);
  EXPECT_EQ(stump.now(), start);
  double share = 1;
  for (int i = 1; i <= 3000; ++i) {
    const int sign = i % 2 == 0 ? 1 : -1;
    const auto x = float(sign) + float(i % 7) / 10;
    stump.learn(x, sign, 1);
    blank.learn(x, sign, 1);
    share *= 0.99;
    if (i < 2) continue;
    ASSERT_NEAR(stump.now().threshold, share * 10 + (1 - share) * double(blank.now().threshold), 1e-5) << i;
    ASSERT_EQ(stump.now().polarity, i <= 68 ? -1 : 1) << i;
    ASSERT_EQ(stump.has_start(), i <= 2061) << i;
  }
  EXPECT_EQ(stump.now(), blank.now());
}

TEST(OnlineStump, StartStaysUntilBothSignsAreSeen) {
  const FeatureStump start{2, 10, -1};
  OnlineStump stump(start);
  for (int i = 0; i < 300; ++i) stump.learn(4, 1, 1);
  EXPECT_EQ(stump.now(), start);
  stump.learn(2, -1, 1);
  EXPECT_EQ(stump.now().polarity, 1);
  EXPECT_NEAR(stump.now().threshold, 3, 0.5);
}

TEST(OnlineStump, ConstantStartIsLeftForTheMidpoint) {
  OnlineStump stump(FeatureStump{0, -kInfinity, -1});
  for (int i = 1; i <= 68; ++i) stump.learn(i % 2 == 0 ? 3.0f : 1.0f, i % 2 == 0 ? 1 : -1, 1);
  EXPECT_EQ(stump.now(), (FeatureStump{0, -kInfinity, -1}));
  stump.learn(1, -1, 1);
  EXPECT_EQ(stump.now(), (FeatureStump{0, 2, 1}));
  for (int i = 0; i < 100'000; ++i) stump.learn(1, -1, 1);
  EXPECT_EQ(stump.now(), (FeatureStump{0, 2, 1}));
}

TEST(OnlineStump, StateRestoresItToTheBit) {
  for (OnlineStump stump : {OnlineStump(5), OnlineStump(FeatureStump{5, 0.3f, -1})}) {
    show(stump, random_examples(4, 30));
    const auto numbers = numbers_of(stump);
    OnlineStump other(0);
    StateReader reader(numbers);
    other.read(reader);
    reader.finish();
    EXPECT_EQ(numbers_of(other), numbers);
    show(stump, random_examples(5, 30));
    show(other, random_examples(5, 30));
    EXPECT_EQ(numbers_of(other), numbers_of(stump));
    EXPECT_EQ(other.now(), stump.now());
  }
}

TEST(OnlineStump, StateOfAnotherLengthIsRefused) {
  auto numbers = numbers_of(OnlineStump(5));
  OnlineStump stump(0);
  StateReader longer(numbers);
  EXPECT_THROW(longer.finish(), std::logic_error);
  numbers.pop_back();
  StateReader shorter(numbers);
  EXPECT_THROW(stump.read(shorter), std::logic_error);
}

TEST(OnlineStump, WantsASignAndAWeight) {
  OnlineStump stump(0);
  EXPECT_THROW(stump.learn(1, 0, 1), std::logic_error);
  EXPECT_THROW(stump.learn(1, 1, -1), std::logic_error);
  EXPECT_THROW(stump.learn(1, 1, std::nan("")), std::logic_error);
}

}  // namespace
}  // namespace mash
