// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "classifiers/scan/kernels/histogram.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

// Rows in any order, some twice; their products are at most `largest`, many of them halfway between integers.
struct Drawn {
  Drawn(std::size_t num_classes, std::size_t num_rows, int largest) : num_classes(num_classes) {
    RandomStream stream(1, "rounding", num_classes * 1000 + num_rows);
    weights.resize(num_rows * num_classes);
    for (double& weight : weights) weight = (double(stream.below(2 * kSteps + 1)) - kSteps) / kSteps;
    for (std::size_t r = 0; r < num_rows; ++r) {
      rows.push_back(std::uint32_t(stream.below(num_rows)));
      factors.push_back(r % 3 == 0 ? kSteps / 2 : -stream.uniform() * largest);
    }
    noise.resize(num_rows * num_classes);
    stream.uniform(noise);
  }

  RowsToRound view() const { return {weights, num_classes, rows, factors, rows.size()}; }

  static constexpr int kSteps = 64;
  std::size_t num_classes;
  std::vector<double> weights, factors, noise;
  std::vector<std::uint32_t> rows;
};

// Output of one of the functions: the integers, then the sums, which it adds to what is there.
template <class Integer, class Function>
std::vector<std::int32_t> written(const RowsToRound& rows, const Function& function) {
  std::vector<Integer> integers(rows.rows.size() * Strips(rows.num_classes).num_all_lanes(), 99);
  LaneSums sums(Strips(rows.num_classes).num_all_lanes());
  std::fill(sums.totals.begin(), sums.totals.end(), 7);
  function(integers.data(), sums);
  std::vector<std::int32_t> all(integers.begin(), integers.end());
  all.insert(all.end(), sums.totals.begin(), sums.totals.end());
  all.insert(all.end(), sums.magnitudes.begin(), sums.magnitudes.end());
  return all;
}

class Rounding : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Rounding, OnEachInstructionSetIsAsInPlainLoops) {
  for (const std::size_t num_rows : {1, 2, 16, 17, 61}) {
    const Drawn wide(GetParam(), num_rows, std::numeric_limits<std::int16_t>::max());
    const Drawn narrow(GetParam(), num_rows, std::numeric_limits<std::int8_t>::max());
    const RowsToRound rows = wide.view(), few = narrow.view();
    const std::span<const double> noise = narrow.noise;
    const auto nearest = written<std::int16_t>(
        rows, [&](auto* out, LaneSums& sums) { round_rows_reference(rows, out, sums); });
    const auto random = written<std::int8_t>(
        few, [&](auto* out, LaneSums& sums) { round_rows_reference(few, noise, out, sums); });
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      EXPECT_EQ(nearest,
                written<std::int16_t>(rows, [&](auto* out, LaneSums& sums) { round_rows(rows, out, sums); }))
          << target << ", rows " << num_rows;
      EXPECT_EQ(random, written<std::int8_t>(
                            few, [&](auto* out, LaneSums& sums) { round_rows(few, noise, out, sums); }))
          << target << ", rows " << num_rows;
    }
    choose_instruction_set("");
  }
}
INSTANTIATE_TEST_SUITE_P(Classes, Rounding, ::testing::Values(1, 2, 4, 5, 7, 8, 9, 10, 16, 17, 26, 101));

TEST(Rounding, LeavesTheOtherRowsOfItsStripsAlone) {
  constexpr std::size_t kClasses = 26, kRows = 5, kStripRows = 12, kFirst = 4;
  const Drawn drawn(kClasses, kRows, 100);
  RowsToRound rows = drawn.view();
  const Strips strips(kClasses);
  std::vector<std::int16_t> alone(kRows * strips.num_all_lanes());
  LaneSums sums(strips.num_all_lanes());
  round_rows_reference(rows, alone.data(), sums);
  rows.num_strip_rows = kStripRows;
  for (const bool reference : {false, true}) {
    std::vector<std::int16_t> among(kStripRows * strips.num_all_lanes(), 99);
    std::int16_t* first = &among[strips.at(0, kFirst, kStripRows)];
    reference ? round_rows_reference(rows, first, sums) : round_rows(rows, first, sums);
    for (std::size_t strip = 0; strip < strips.num_strips; ++strip)
      for (std::size_t r = 0; r < kStripRows; ++r)
        for (std::size_t lane = 0; lane < strips.num_lanes; ++lane) {
          const bool ours = r >= kFirst && r < kFirst + kRows;
          ASSERT_EQ(among[strips.at(strip, r, kStripRows) + lane],
                    ours ? alone[strips.at(strip, r - kFirst, kRows) + lane] : 99)
              << "strip " << strip << ", row " << r << ", lane " << lane;
        }
  }
}

TEST(RoundingReference, TiesGoToEvenAndNoiseRoundsUp) {
  const std::vector<double> weights{0.5, 1.5, -2.5, 0.25};
  const std::uint32_t row = 0;
  const double factor = 1;
  const RowsToRound rows{weights, 4, {&row, 1}, {&factor, 1}, 1};
  EXPECT_EQ(
      (std::vector<std::int32_t>{0, 2, -2, 0, 7, 9, 5, 7, 0, 2, 2, 0}),
      written<std::int16_t>(rows, [&](auto* out, LaneSums& sums) { round_rows_reference(rows, out, sums); }));
  const std::vector<double> noise{0.5, 0.4, 0.6, 0.7};
  EXPECT_EQ((std::vector<std::int32_t>{1, 1, -2, 0, 8, 8, 5, 7, 1, 1, 2, 0}),
            written<std::int8_t>(
                rows, [&](auto* out, LaneSums& sums) { round_rows_reference(rows, noise, out, sums); }));
}

}  // namespace
}  // namespace mash
