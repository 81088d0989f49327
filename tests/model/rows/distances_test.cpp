// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/rows/distances.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

NumberRows random_rows(std::uint64_t seed, std::size_t count, std::size_t num_columns, bool are_codes) {
  RandomStream stream(seed, "row distances");
  std::vector<float> numbers;
  for (std::size_t k = 0; k < count * num_columns; ++k)
    numbers.push_back(are_codes ? float(stream.below(256)) : float(10 * stream.normal()));
  NumberRows rows{num_columns};
  add_rows(numbers, are_codes, rows);
  return rows;
}

double number_at(const NumberRows& rows, std::size_t n, std::size_t i) {
  const std::size_t place = n * rows.num_columns + i;
  return rows.are_codes() ? double(rows.codes[place]) : double(rows.values[place]);
}

std::vector<double> distances(const NumberRows& queries, const RowRange& asked, const NumberRows& rows,
                              const RowRange& range, double power) {
  std::vector<double> found(asked.count * range.count);
  power_distances(queries, asked, rows, range, power, found.data());
  return found;
}

TEST(RowDistances, AreThoseOfTheDefinition) {
  for (const bool are_codes : {true, false})
    for (const std::size_t width : {0u, 1u, 7u, 16u, 33u, 100u, 700u})
      for (const double power : {1.0, 2.0, 3.0, 1.5}) {
        const NumberRows queries = random_rows(1, 5, width, are_codes),
                         rows = random_rows(2, 11, width, are_codes);
        const RowRange asked{1, 3}, range{2, 9};
        const std::vector<double> found = distances(queries, asked, rows, range, power);
        for (std::size_t a = 0; a < asked.count; ++a)
          for (std::size_t b = 0; b < range.count; ++b) {
            double expected = 0;
            for (std::size_t i = 0; i < width; ++i)
              expected += std::pow(
                  std::abs(number_at(queries, asked.first + a, i) - number_at(rows, range.first + b, i)),
                  power);
            if (are_codes && power <= 2 && power != 1.5)
              EXPECT_EQ(found[a * range.count + b], expected);
            else
              EXPECT_NEAR(found[a * range.count + b], expected, 1e-5 * expected + 1e-12);
          }
      }
}

// Sums of codes over 200,001 columns are beyond 32 bits.
TEST(RowDistances, OfCodesAreExactForManyColumns) {
  constexpr std::size_t kColumns = 200'001;
  const NumberRows queries{kColumns, std::vector<std::uint8_t>(kColumns, 255)},
      rows{kColumns, std::vector<std::uint8_t>(kColumns, 0)};
  EXPECT_EQ(distances(queries, {0, 1}, rows, {0, 1}, 2)[0], 65025.0 * kColumns);
  EXPECT_EQ(distances(queries, {0, 1}, rows, {0, 1}, 1)[0], 255.0 * kColumns);
}

TEST(RowDistances, AreTheSameOnAllInstructionSets) {
  for (const bool are_codes : {true, false})
    for (const std::size_t width : {1u, 31u, 64u, 515u, 1100u})
      for (const double power : {1.0, 2.0}) {
        const NumberRows queries = random_rows(3, 2, width, are_codes),
                         rows = random_rows(4, 6, width, are_codes);
        ASSERT_TRUE(choose_instruction_set("scalar"));
        const std::vector<double> expected = distances(queries, {0, 2}, rows, {0, 6}, power);
        for (const char* name : instruction_sets()) {
          ASSERT_TRUE(choose_instruction_set(name));
          EXPECT_EQ(distances(queries, {0, 2}, rows, {0, 6}, power), expected) << name << " " << width;
        }
        ASSERT_TRUE(choose_instruction_set(""));
      }
}

}  // namespace
}  // namespace mash
