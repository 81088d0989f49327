// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/row_products.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

// A row of codes or values, with numbers of its columns.
struct Columns {
  std::vector<std::uint8_t> codes;
  std::vector<float> values;
  std::vector<double> means, factors, sums;

  explicit Columns(std::size_t size) {
    RandomStream stream(size, "row products");
    for (std::size_t i = 0; i < size; ++i) {
      codes.push_back(std::uint8_t(stream.below(256)));
      values.push_back(float(stream.normal()));
      means.push_back(stream.normal());
      factors.push_back(stream.normal());
      sums.push_back(stream.normal());
    }
  }
};

TEST(RowProducts, AreThoseOfTheDefinition) {
  const std::vector<std::uint8_t> codes{3, 0, 255};
  const std::vector<double> means{1, 2, 250}, factors{10, 100, 1000};
  const NumberRow row{codes.data()};
  EXPECT_EQ(product(row, factors, row), 30 + 0 + 255'000);
  EXPECT_EQ(centred_square(row, means, factors.data()), 40 + 400 + 25000);
  std::vector<double> sums{1, 1, 1};
  add_scaled(row, factors, 2, sums.data());
  EXPECT_EQ(sums, (std::vector<double>{61, 1, 510'001}));
  EXPECT_EQ(add_then_multiply(row, factors, -1, sums.data(), row, row), 3 * 31 + 255.0 * 255'001);
  EXPECT_EQ(sums, (std::vector<double>{31, 1, 255'001}));
}

// Rows of all lengths up to two whole steps, so that all tails are there.
TEST(RowProducts, AreTheSameOnAllInstructionSets) {
  for (std::size_t size = 0; size <= 70; ++size) {
    const Columns columns(size);
    for (const NumberRow& row :
         {NumberRow{columns.codes.data()}, NumberRow{nullptr, columns.values.data()}}) {
      const auto all_of = [&] {
        std::vector<double> found = columns.sums;
        add_scaled(row, columns.factors, 0.3, found.data());
        found.push_back(product(row, columns.factors, row));
        found.push_back(centred_square(row, columns.means, columns.factors.data()));
        return found;
      };
      ASSERT_TRUE(choose_instruction_set("scalar"));
      const std::vector<double> expected = all_of();
      for (const char* name : instruction_sets()) {
        ASSERT_TRUE(choose_instruction_set(name));
        EXPECT_EQ(all_of(), expected) << name << ", " << size << " columns";
      }
      choose_instruction_set("");
    }
  }
}

// One after the other and in one walk.
TEST(RowProducts, AddThenMultiplyIsBothToTheBit) {
  for (std::size_t size = 0; size <= 70; ++size) {
    const Columns one(size), other(size + 100);
    for (const bool of_codes : {true, false}) {
      const NumberRow row = of_codes ? NumberRow{one.codes.data()} : NumberRow{nullptr, one.values.data()},
                      next =
                          of_codes ? NumberRow{other.codes.data()} : NumberRow{nullptr, other.values.data()};
      for (const char* name : instruction_sets()) {
        ASSERT_TRUE(choose_instruction_set(name));
        std::vector<double> sums = one.sums, at_once = one.sums;
        add_scaled(row, one.factors, 0.7, sums.data());
        EXPECT_EQ(add_then_multiply(row, one.factors, 0.7, at_once.data(), next, row),
                  product(next, sums, row))
            << name << ", " << size << " columns";
        EXPECT_EQ(at_once, sums);
      }
      choose_instruction_set("");
    }
  }
}

TEST(RowProducts, AddFourIsTheSumOfFourRowsOnAllInstructionSets) {
  constexpr std::array<double, 4> kSteps{2, -1, 0, 0.5};
  for (std::size_t size = 0; size <= 70; ++size) {
    const Columns columns[] = {Columns(size), Columns(size + 100), Columns(size + 200), Columns(size + 300)};
    for (const bool of_codes : {true, false}) {
      FourRows rows;
      for (std::size_t r = 0; r < 4; ++r)
        rows[r] =
            of_codes ? NumberRow{columns[r].codes.data()} : NumberRow{nullptr, columns[r].values.data()};
      std::vector<double> expected = columns[0].sums;
      for (std::size_t i = 0; i < size; ++i) {
        const auto x = [&](std::size_t r) {
          return of_codes ? double(columns[r].codes[i]) : double(columns[r].values[i]);
        };
        expected[i] += (2 * x(0) + -1 * x(1)) + (0 * x(2) + 0.5 * x(3));
      }
      for (const char* name : instruction_sets()) {
        ASSERT_TRUE(choose_instruction_set(name));
        std::vector<double> sums = columns[0].sums;
        add_four(rows, kSteps, size, sums.data());
        EXPECT_EQ(sums, expected) << name << ", " << size << " columns";
      }
      choose_instruction_set("");
    }
  }
}

}  // namespace
}  // namespace mash
