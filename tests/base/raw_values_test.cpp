// SPDX-License-Identifier: Apache-2.0
#include "framework/base/raw_values.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>

namespace mash {
namespace {

using ::testing::ElementsAre;

TEST(RawValues, AreThoseOfTheirBytes) {
  const std::array<std::uint16_t, 3> values{7, 256, 65535};
  EXPECT_THAT(values_from_bytes<std::uint16_t>(values.data(), sizeof values), ElementsAre(7, 256, 65535));
  EXPECT_THAT(values_from_bytes<std::uint16_t>(values.data(), 5), ElementsAre(7, 256)) << "whole ones";
}

TEST(RawValues, NeedNoAlignment) {
  std::array<char, 1 + 2 * sizeof(double)> bytes{};
  const std::array<double, 2> values{1.5, -2};
  std::memcpy(bytes.data() + 1, values.data(), sizeof values);
  std::array<double, 2> filled{};
  fill_from_bytes(std::span<double>(filled), bytes.data() + 1);
  EXPECT_EQ(filled, values);
}

// The sanitizer of undefined behaviour finds null pointers that are handed on.
TEST(RawValues, MayBeNone) {
  EXPECT_TRUE(values_from_bytes<float>(nullptr, 0).empty());
  EXPECT_TRUE(values_from_bytes<float>("abc", 3).empty());
  fill_from_bytes(std::span<float>(), nullptr);
}

}  // namespace
}  // namespace mash
