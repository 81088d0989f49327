// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/value_rows.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kRowDim = 3;
const std::vector<ContentKey> kKeys{{7, 1}, {2, 9}, {2, 3}};

class ValueRowsFile : public ::testing::Test {
 protected:
  Status write() {
    return ValueRows::write(path, kRowDim, 12.5, kKeys, [&](std::size_t i) { return std::span(rows[i]); });
  }
  std::string open_error() const {
    const auto opened = ValueRows::open(path, kRowDim);
    return opened.ok() ? "" : opened.error().message;
  }

  testing::ScratchFolder folder;
  std::filesystem::path path = folder / "1.rows";
  std::vector<std::vector<float>> rows{
      {1, 2, 3}, {-0.0f, std::numeric_limits<float>::quiet_NaN(), 1e-30f}, {4, 5, 6}};
};

TEST_F(ValueRowsFile, GivesBackEachRowByItsKey) {
  ASSERT_TRUE(write().ok());
  const auto opened = ValueRows::open(path, kRowDim);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ(opened->num_rows(), 3u);
  EXPECT_EQ(opened->microseconds_per_image(), 12.5);
  EXPECT_EQ(std::filesystem::file_size(path), value_rows_bytes(kRowDim, 3));
  std::vector<float> row(kRowDim);
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    ASSERT_TRUE(opened->copy(kKeys[i], row)) << i;
    EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(row)), std::as_bytes(std::span(rows[i])))) << i;
  }
  for (const ContentKey other : {ContentKey{2, 4}, {0, 0}, {8, 0}}) {
    EXPECT_FALSE(opened->has(other));
    EXPECT_FALSE(opened->copy(other, row));
  }
}

TEST_F(ValueRowsFile, OfAnotherNumberOfFeaturesIsRefused) {
  ASSERT_TRUE(write().ok());
  EXPECT_FALSE(ValueRows::open(path, kRowDim + 1).ok());
}

// A byte of the index refuses the file; one of a row, that row alone.
TEST_F(ValueRowsFile, DamageIsSeen) {
  ASSERT_TRUE(write().ok());
  const std::string whole = *read_file(path);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string content = whole;
    content[at] = char(content[at] ^ 1);
    ASSERT_TRUE(write_file_atomically(path, content).ok());
    const auto opened = ValueRows::open(path, kRowDim);
    if (!opened.ok()) continue;
    std::vector<float> row(kRowDim);
    int num_right = 0;
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
      if (!opened->copy(kKeys[i], row)) continue;
      ++num_right;
      EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(row)), std::as_bytes(std::span(rows[i])))) << at;
    }
    const bool is_cost = at >= 24 && at < 32;  // of which no value depends
    EXPECT_EQ(num_right, is_cost ? 3 : 2) << at;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_TRUE(write_file_atomically(path, whole.substr(0, size)).ok());
    EXPECT_NE(open_error(), "") << size;
  }
}

TEST_F(ValueRowsFile, AHalfWrittenOneIsNeverSeenAndMakesRoom) {
  ASSERT_TRUE(write_file_atomically(path.string() + ".part", "half").ok());
  EXPECT_NE(open_error(), "") << "there is none";
  ASSERT_TRUE(write().ok());
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
  EXPECT_EQ(open_error(), "");
}

}  // namespace
}  // namespace mash
