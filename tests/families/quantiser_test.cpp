// SPDX-License-Identifier: Apache-2.0
#include "framework/families/quantiser.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Thresholds choose(std::vector<float> values) { return choose_thresholds(values); }

std::vector<float> cuts_of(std::vector<float> values) {
  const Thresholds thresholds = choose(std::move(values));
  return {thresholds.values().begin(), thresholds.values().end()};
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

// Any bit pattern: denormals, infinities, NaNs and zeros of both signs among them.
std::vector<float> floats_of(const std::vector<std::uint32_t>& bits) {
  std::vector<float> values{0.f, -0.f};
  for (const std::uint32_t pattern : bits) values.push_back(std::bit_cast<float>(pattern));
  return values;
}

TEST(Thresholds, CodeIsTheNumberOfThresholdsAtOrBelow) {
  const Thresholds thresholds(std::vector<float>{1, 2.5f, 7});
  EXPECT_EQ(thresholds.size(), 3u);
  EXPECT_EQ(thresholds.at(2), 2.5f);
  for (const auto& [x, code] : std::vector<std::pair<float, int>>{{-kInf, 0},
                                                                  {0.9f, 0},
                                                                  {1, 1},
                                                                  {2.4f, 1},
                                                                  {2.5f, 2},
                                                                  {6.9f, 2},
                                                                  {7, 3},
                                                                  {1e30f, 3},
                                                                  {kInf, 3},
                                                                  {kNan, 0}})
    EXPECT_EQ(thresholds.code(x), code) << x;
}

TEST(Thresholds, NoneGiveEverythingCodeZero) {
  const Thresholds thresholds;
  for (const float x : {-kInf, 0.f, kInf, kNan}) EXPECT_EQ(thresholds.code(x), 0) << x;
}

TEST(Thresholds, AllOfThemAreReached) {
  const Thresholds thresholds(counting(255));
  for (int i = 0; i < 255; ++i) EXPECT_EQ(thresholds.code(float(i)), i + 1);
  EXPECT_EQ(thresholds.code(-1), 0);
  EXPECT_EQ(thresholds.code(kInf), 255);
}

// On each instruction set, for every float.
RC_GTEST_PROP(Thresholds, ManyCodesAreThoseOneByOne,
              (std::vector<std::uint32_t> bits, std::vector<std::uint32_t> others)) {
  auto values = floats_of(bits), probes = floats_of(others);
  if (bits.size() % 2 == 1)  // all codes
    for (int i = 0; i < 1000; ++i) values.push_back(float(i));
  probes.insert(probes.end(), values.begin(), values.end());
  const Thresholds thresholds = choose(values);
  for (const char* target : instruction_sets()) {
    RC_ASSERT(choose_instruction_set(target));
    std::vector<std::uint8_t> codes(probes.size() + 1, 99);
    thresholds.find_codes(probes, codes.data());
    choose_instruction_set("");
    for (std::size_t n = 0; n < probes.size(); ++n) RC_ASSERT(codes[n] == thresholds.code(probes[n]));
    RC_ASSERT(codes.back() == 99);
  }
}

// For every float and every cut: x >= threshold(cut) just when code(x) >= cut.
RC_GTEST_PROP(Quantiser, CodesAndThresholdsSayTheSame,
              (std::vector<std::uint32_t> bits, std::vector<std::uint32_t> others)) {
  const auto values = floats_of(bits), probes = floats_of(others);
  const Thresholds thresholds = choose(values);
  RC_ASSERT(std::is_sorted(thresholds.values().begin(), thresholds.values().end(), std::less_equal<float>()));
  for (const auto& list : {values, probes})
    for (const float x : list)
      for (std::uint32_t cut = 1; cut <= thresholds.size(); ++cut)
        RC_ASSERT((x >= thresholds.at(cut)) == (thresholds.code(x) >= cut));
}

// Where there are codes enough, different values have different codes and the order is kept.
RC_GTEST_PROP(Quantiser, IsExactWithFewDistinctValues, (std::vector<std::uint32_t> bits)) {
  auto values = floats_of(bits);
  values.resize(std::min<std::size_t>(values.size(), 200));
  const Thresholds thresholds = choose(values);
  for (const float a : values)
    for (const float b : values) {
      if (std::isnan(a) && std::isnan(b)) continue;
      if (std::isnan(a) || a < b) RC_ASSERT(thresholds.code(a) < thresholds.code(b));
      if (a == b) RC_ASSERT(thresholds.code(a) == thresholds.code(b));
    }
}

RC_GTEST_PROP(Quantiser, OrderOfValuesDoesNotMatter, (std::vector<std::uint32_t> bits)) {
  auto values = floats_of(bits);
  const auto before = cuts_of(values);
  std::reverse(values.begin(), values.end());
  RC_ASSERT(cuts_of(values) == before);
}

TEST(Quantiser, CutsInTheMiddleBetweenDistinctValues) {
  EXPECT_THAT(cuts_of({3, 1, 1, 2, 3, 10}), ::testing::ElementsAre(1.5f, 2.5f, 6.5f));
}

TEST(Quantiser, ConstantEmptyAndMissingHaveNoCut) {
  EXPECT_THAT(cuts_of({}), ::testing::IsEmpty());
  EXPECT_THAT(cuts_of({5, 5, 5}), ::testing::IsEmpty());
  EXPECT_THAT(cuts_of({kNan, kNan}), ::testing::IsEmpty());
  EXPECT_THAT(cuts_of({0.f, -0.f}), ::testing::IsEmpty());
}

TEST(Quantiser, UsesAllCodesWithTwoHundredAndFiftySixValues) {
  const Thresholds thresholds = choose(counting(256));
  EXPECT_EQ(thresholds.size(), 255u);
  for (int i = 0; i < 256; ++i) EXPECT_EQ(thresholds.code(float(i)), i);
}

TEST(Quantiser, SharesCodesEvenlyBeyond) {
  for (const std::size_t num_distinct : {257, 300, 511, 1000, 4096}) {
    const Thresholds thresholds = choose(counting(num_distinct));
    EXPECT_EQ(thresholds.size(), 255u) << num_distinct;
    std::vector<std::size_t> counts(256);
    for (const float x : counting(num_distinct)) ++counts[thresholds.code(x)];
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    EXPECT_LE(*most - *least, 1u) << num_distinct;
  }
}

TEST(Quantiser, SortsLongColumnsOfBothSigns) {
  RandomStream stream(1, "test.long");
  std::vector<float> values{-0.f, 0.f, kInf, -kInf};
  for (int i = 0; i < 20000; ++i)
    values.push_back(float((stream.below(2) ? 1 : -1) * std::exp(20 * stream.normal())));
  std::vector<float> distinct = values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Thresholds thresholds = choose(values);
  ASSERT_EQ(thresholds.size(), 255u);
  for (std::size_t i = 1; i <= 255; ++i) {
    const std::size_t above = i * distinct.size() / 256;
    EXPECT_EQ(thresholds.at(std::uint32_t(i)), cut_between(distinct[above - 1], distinct[above]));
  }
}

TEST(Quantiser, QuantilesAreOfDistinctValuesAndNotOfExamples) {
  auto values = counting(1000);
  values.insert(values.end(), 100000, 500.f);
  EXPECT_EQ(cuts_of(values), cuts_of(counting(1000)));
}

TEST(Quantiser, MissingHasTheLowestCodeForItself) {
  auto values = counting(255);
  values.push_back(kNan);
  const Thresholds thresholds = choose(values);
  EXPECT_EQ(thresholds.size(), 255u);
  EXPECT_EQ(thresholds.at(1), 0);
  EXPECT_EQ(thresholds.code(kNan), 0);
  for (int i = 0; i < 255; ++i) EXPECT_EQ(thresholds.code(float(i)), i + 1);
}

TEST(Quantiser, MissingLeavesTwoHundredAndFiftyFourForTheRest) {
  auto values = counting(1000);
  values.push_back(kNan);
  const Thresholds thresholds = choose(values);
  EXPECT_EQ(thresholds.size(), 255u);
  EXPECT_EQ(thresholds.at(1), 0);
  std::vector<std::size_t> counts(256);
  for (const float x : counting(1000)) ++counts[thresholds.code(x)];
  EXPECT_EQ(counts[0], 0u);
  const auto [least, most] = std::minmax_element(counts.begin() + 1, counts.end());
  EXPECT_LE(*most - *least, 1u);
}

TEST(CutBetween, IsAboveTheLowerAndNotAboveTheUpper) {
  EXPECT_EQ(cut_between(1, 2), 1.5f);
  const float next = std::nextafter(1.f, 2.f);
  EXPECT_EQ(cut_between(1, next), next);
  EXPECT_EQ(cut_between(-kInf, 3), 3);
  EXPECT_EQ(cut_between(3, kInf), kInf);
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(cut_between(-largest, largest), largest) << "the difference overflows";
  const float denormal = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(cut_between(0, denormal), denormal);
}

RC_GTEST_PROP(CutBetween, SeparatesAnyTwoValues, (std::uint32_t a_bits, std::uint32_t b_bits)) {
  const float a = std::bit_cast<float>(a_bits), b = std::bit_cast<float>(b_bits);
  RC_PRE(!std::isnan(a) && !std::isnan(b) && a != b);
  const float lo = std::min(a, b), hi = std::max(a, b), cut = cut_between(lo, hi);
  RC_ASSERT(lo < cut && cut <= hi);
}

TEST(Thresholds, ThatAreNoIncreasingNumbersBreakARequirement) {
  for (const std::vector<float>& values : std::vector<std::vector<float>>{
           {2, 1}, {1, 1}, {kNan}, {1, kNan}, std::vector<float>(Thresholds::kMax + 1)})
    EXPECT_THROW(Thresholds{values}, std::logic_error);
}

}  // namespace
}  // namespace mash
