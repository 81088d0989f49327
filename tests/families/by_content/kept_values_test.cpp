// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/kept_values.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

std::vector<ContentKey> numbered_keys(std::uint64_t first, std::uint64_t count) {
  std::vector<ContentKey> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back({first + i, 1});
  return keys;
}

class ValuesKept : public ::testing::Test {
 protected:
  KeptValues open() {
    auto kept = KeptValues::open(place, 2, stop);
    if (!kept.ok()) throw std::runtime_error(kept.error().message);
    return *std::move(kept);
  }
  // The values of a key are its number and 0.
  void add(KeptValues& kept, const std::vector<ContentKey>& keys) {
    std::vector<float> row(2);
    const Status added = kept.add(
        keys, 3,
        [&](std::size_t i) {
          row[0] = float(keys[i].high);
          return std::span<const float>(row);
        },
        stop);
    EXPECT_TRUE(added.ok()) << added.error().message;
  }
  std::size_t num_files() const {
    return std::size_t(std::ranges::count_if(fs::directory_iterator(place), [](const auto& entry) {
      return entry.path().extension() == ".rows";
    }));
  }

  testing::ScratchFolder folder;
  fs::path place = folder / "by_content/mine-1";
  StopFlag stop;
};

TEST_F(ValuesKept, GrowByWhatIsNotThere) {
  KeptValues kept = open();
  EXPECT_EQ(kept.num_missing(numbered_keys(0, 5)), 5u);
  add(kept, numbered_keys(0, 5));
  add(kept, numbered_keys(3, 5));
  EXPECT_EQ(num_files(), 2u);
  add(kept, numbered_keys(1, 6));
  EXPECT_EQ(num_files(), 2u) << "all of these were there";
  const KeptValues again = open();
  EXPECT_EQ(again.num_missing(numbered_keys(0, 10)), 2u);
  EXPECT_EQ(again.microseconds_per_image(), 3);
  EXPECT_EQ(kept_bytes(place), value_rows_bytes(2, 5) + value_rows_bytes(2, 3));
  std::vector<float> row(2);
  for (std::uint64_t i = 0; i < 8; ++i) {
    ASSERT_TRUE(again.copy({i, 1}, row));
    EXPECT_EQ(row[0], float(i));
  }
}

TEST_F(ValuesKept, OfEqualPicturesAreKeptOnce) {
  KeptValues kept = open();
  std::vector<ContentKey> keys = numbered_keys(0, 3);
  keys.push_back(keys[1]);
  add(kept, keys);
  EXPECT_EQ(kept_bytes(place), value_rows_bytes(2, 3));
}

// A file that is damaged as a whole is passed over, and the row that is damaged is written again.
TEST_F(ValuesKept, AreWrittenAgainWhereTheyAreDamaged) {
  KeptValues kept = open();
  add(kept, numbered_keys(0, 3));
  std::string content = *read_file(place / "1.rows");
  content.back() = char(content.back() ^ 1);
  ASSERT_TRUE(write_file_atomically(place / "1.rows", content).ok());
  std::ofstream(place / "2.rows") << "no rows";
  KeptValues damaged = open();
  std::vector<float> row(2);
  EXPECT_FALSE(damaged.copy({2, 1}, row));
  add(damaged, numbered_keys(0, 3));
  EXPECT_TRUE(fs::exists(place / "3.rows"));
  EXPECT_TRUE(open().copy({2, 1}, row));
  EXPECT_EQ(row[0], 2);
}

TEST_F(ValuesKept, ALookMakesNothing) {
  const KeptValues looked = KeptValues::look(place, 2);
  EXPECT_EQ(looked.num_missing(numbered_keys(0, 2)), 2u);
  EXPECT_FALSE(fs::exists(place));
}

TEST(ValuesFolder, IsAnotherForAllThatValuesFollowFrom) {
  const ValueOrigin origin{"mine/edges", "sha", "cell=4", {4, 7}, {28, 28, 1, 1}, Content::kPicture};
  std::vector<ValueOrigin> others(7, origin);
  others[0].heuristic = "mine/corners";
  others[1].plugin_sha256 = "another";
  others[2].settings = "cell=5";
  others[3].values = {4, 8};
  others[4].shape.width = 32;
  others[5].shape.num_channels = 3;
  others[6].content = Content::kFilm;
  std::set<fs::path> folders{values_folder("s", origin)};
  for (const ValueOrigin& other : others)
    EXPECT_TRUE(folders.insert(values_folder("s", other)).second) << values_folder("s", other);
  EXPECT_THAT(values_folder("s", origin).string(), ::testing::StartsWith("s/by_content/mine_edges-"));
}

}  // namespace
}  // namespace mash
