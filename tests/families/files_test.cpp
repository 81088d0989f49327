// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "framework/base/random.hpp"
#include "framework/families/family_file.hpp"
#include "framework/families/values_file.hpp"
#include "tests/support/resident_bytes.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::ScratchFolder;

const FamilyExtent kExtent{7, 70, 13};

// A file whose every code, threshold and summary is made of the numbers of its place.
void write_sample(const fs::path& path, std::string_view note = "a note") {
  auto file = FamilyFile::create(path, kExtent);
  ASSERT_TRUE(file.ok()) << file.error().message;
  for (std::uint32_t j = 0; j < kExtent.dim; ++j) {
    for (std::uint32_t n = 0; n < kExtent.num_train; ++n) {
      file->writable_train_column(j)[n] = std::uint8_t(10 * j + n);
      file->writable_train_row(n)[j] = std::uint8_t(10 * j + n);
    }
    for (std::uint32_t n = 0; n < kExtent.num_test; ++n)
      file->writable_test_column(j)[n] = std::uint8_t(100 + j + n);
    file->set_thresholds(j, Thresholds(std::vector<float>{float(j), float(j) + 0.5f}));
    file->writable_summary(j) = {1000 + j, 30 + j, j, 2, 2};
  }
  const Status sealed = file->seal(note);
  ASSERT_TRUE(sealed.ok()) << sealed.error().message;
}

void expect_sample(const FamilyFile& file) {
  EXPECT_EQ(file.note(), "a note");
  for (std::uint32_t j = 0; j < kExtent.dim; ++j) {
    ASSERT_EQ(file.train_column(j).size(), kExtent.num_train);
    ASSERT_EQ(file.test_column(j).size(), kExtent.num_test);
    for (std::uint32_t n = 0; n < kExtent.num_train; ++n) {
      ASSERT_EQ(file.train_column(j)[n], std::uint8_t(10 * j + n));
      ASSERT_EQ(file.train_row(n)[j], std::uint8_t(10 * j + n));
    }
    for (std::uint32_t n = 0; n < kExtent.num_test; ++n)
      ASSERT_EQ(file.test_column(j)[n], std::uint8_t(100 + j + n));
    ASSERT_THAT(file.thresholds(j), ::testing::ElementsAre(float(j), float(j) + 0.5f));
    ASSERT_EQ(file.summary(j).hash, 1000 + j);
    ASSERT_EQ(file.summary(j).mode_count, 30 + j);
    ASSERT_EQ(file.summary(j).num_missing, j);
  }
}

void replace_content(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

class FamilyFiles : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(write_sample(path)); }
  std::string content() const { return *read_file(path); }
  ScratchFolder folder;
  const fs::path path = folder / "codes.mash";
};

TEST_F(FamilyFiles, ComeBackAsTheyWereWritten) {
  const auto file = FamilyFile::open(path, kExtent);
  ASSERT_TRUE(file.ok()) << file.error().message;
  expect_sample(*file);
  EXPECT_EQ(file->num_bytes(), fs::file_size(path));
}

// Few examples have few distinct values, and so few thresholds, in any number of features.
TEST_F(FamilyFiles, ThresholdsTakeNoMoreThanExamplesCanHave) {
  const std::uint64_t one = family_file_size({100'000, 1, 0}), two = family_file_size({100'000, 2, 0}),
                      most = family_file_size({1000, 255, 0}), more = family_file_size({1000, 256, 0});
  EXPECT_LT(one, 100'000u * (64 + 1 + 24 + 8) + 8 * 4096u);
  EXPECT_NEAR(double(two - one), 100'000 * (4 + 1), 3 * 4096);  // a threshold and a code for each feature
  EXPECT_LT(more - most, 1000u + 4096u);
}

TEST_F(FamilyFiles, ColumnsBeginAtCacheLines) {
  const auto file = FamilyFile::open(path, kExtent);
  for (std::uint32_t j = 0; j < kExtent.dim; ++j)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file->train_column(j).data()) % 64, 0u);
}

TEST_F(FamilyFiles, AreRefusedUnderAnyOtherExtent) {
  for (const FamilyExtent& other :
       {FamilyExtent{8, 70, 13}, FamilyExtent{7, 71, 13}, FamilyExtent{7, 70, 14}, FamilyExtent{7, 69, 13}}) {
    const auto file = FamilyFile::open(path, other);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().kind, ErrorKind::kFailure);
    EXPECT_THAT(file.error().message, ::testing::HasSubstr(path.string()));
  }
}

TEST_F(FamilyFiles, MissingFileIsAnError) { EXPECT_FALSE(FamilyFile::open(folder / "none", kExtent).ok()); }

TEST_F(FamilyFiles, UnsealedFileIsRefused) {
  ASSERT_TRUE(FamilyFile::create(path, kExtent).ok());
  EXPECT_FALSE(FamilyFile::open(path, kExtent).ok());
}

TEST_F(FamilyFiles, TruncationAtAnyLengthIsSeen) {
  const std::string whole = content();
  RandomStream stream(1, "test.truncate");
  for (int trial = 0; trial < 100; ++trial) {
    replace_content(path, whole.substr(0, trial == 0 ? 0 : stream.below(whole.size())));
    EXPECT_FALSE(FamilyFile::open(path, kExtent).ok());
  }
  replace_content(path, whole + "x");
  EXPECT_FALSE(FamilyFile::open(path, kExtent).ok());
}

TEST_F(FamilyFiles, AChangedByteIsSeenOrOfNoMeaning) {
  const std::string whole = content();
  RandomStream stream(2, "test.flip");
  std::size_t num_refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string damaged = whole;
    // Half of the trials in the header, which is little of the file.
    const std::size_t at = stream.below(trial % 2 ? whole.size() : 64);
    damaged[at] = char(damaged[at] ^ char(1 + stream.below(255)));
    replace_content(path, damaged);
    const auto file = FamilyFile::open(path, kExtent);
    if (file.ok())
      ASSERT_NO_FATAL_FAILURE(expect_sample(*file));
    else
      ++num_refused;
  }
  EXPECT_GT(num_refused, 300u);
}

TEST_F(FamilyFiles, ForeignContentIsRefused) {
  replace_content(path, std::string(content().size(), 'x'));
  EXPECT_FALSE(FamilyFile::open(path, kExtent).ok());
}

TEST_F(FamilyFiles, ALongNoteIsCutToItsPage) {
  write_sample(path, std::string(10000, 'n'));
  const auto file = FamilyFile::open(path, kExtent);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->note(), std::string(file->note().size(), 'n'));
  EXPECT_GT(file->note().size(), 4000u);
  EXPECT_LE(file->note().size(), 4096u);
}

TEST(FamilyFileSize, IsAboutWhatIsWritten) {
  ScratchFolder folder;
  const FamilyExtent extent{300, 5000, 1000};
  const auto file = FamilyFile::create(folder / "f", extent);
  ASSERT_TRUE(file.ok());
  EXPECT_NEAR(double(family_file_size(extent)), double(file->num_bytes()), 0.02 * double(file->num_bytes()));
}

class ValuesFiles : public ::testing::Test {
 protected:
  ValuesFile open() { return *ValuesFile::open_or_create(path, kDim, kExamples); }
  void fill(ValuesFile& values, std::size_t tile_idx, float start) {
    float x = start;
    for (float& value : values.tile(tile_idx)) value = x++;
    write(values, tile_idx, examples_of(values, tile_idx));
  }
  // Writes what is there already.
  static void write(ValuesFile& values, std::size_t part_idx, const std::vector<std::uint32_t>& examples) {
    std::uint64_t sum = 0;
    for (const std::uint32_t example : examples)
      ASSERT_TRUE(
          values.write_row(example, std::vector(values.row(example).begin(), values.row(example).end()), sum)
              .ok());
    values.mark_done(part_idx, sum);
  }
  // Parts that are the tiles.
  static std::vector<std::uint32_t> examples_of(const ValuesFile& values, std::size_t tile_idx) {
    std::vector<std::uint32_t> examples(values.tile(tile_idx).size() / values.dim());
    std::iota(examples.begin(), examples.end(), std::uint32_t(tile_idx * ValuesFile::kTileExamples));
    return examples;
  }
  static bool is_done(const ValuesFile& values, std::size_t tile_idx) {
    return values.is_done(tile_idx, examples_of(values, tile_idx));
  }
  static constexpr std::uint32_t kDim = 3;
  static constexpr std::uint64_t kExamples = 2 * ValuesFile::kTileExamples + 10;
  ScratchFolder folder;
  const fs::path path = folder / "values.part";
};

TEST_F(ValuesFiles, BeginWithNoTileDone) {
  const ValuesFile values = open();
  ASSERT_EQ(values.num_tiles(), 3u);
  EXPECT_EQ(values.tile(0).size(), kDim * ValuesFile::kTileExamples);
  EXPECT_EQ(values.tile(2).size(), kDim * 10);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(is_done(values, i));
}

TEST_F(ValuesFiles, KeepTheTilesThatAreDone) {
  {
    ValuesFile values = open();
    fill(values, 0, 5);
    fill(values, 2, 7);
  }
  const ValuesFile values = open();
  EXPECT_TRUE(is_done(values, 0));
  EXPECT_FALSE(is_done(values, 1));
  EXPECT_TRUE(is_done(values, 2));
  EXPECT_THAT(values.row(0), ::testing::ElementsAre(5, 6, 7));
  EXPECT_THAT(values.row(2 * ValuesFile::kTileExamples + 1), ::testing::ElementsAre(10, 11, 12));
}

TEST_F(ValuesFiles, ATornTileIsNotDone) {
  {
    ValuesFile values = open();
    fill(values, 0, 5);
    fill(values, 1, 6);
    values.tile(1)[17] += 1;
  }
  const ValuesFile values = open();
  EXPECT_TRUE(is_done(values, 0));
  EXPECT_FALSE(is_done(values, 1));
}

TEST_F(ValuesFiles, ATileOfZerosCanBeDone) {
  ValuesFile values = open();
  EXPECT_FALSE(is_done(values, 0));
  write(values, 0, examples_of(values, 0));
  EXPECT_TRUE(is_done(values, 0));
}

TEST_F(ValuesFiles, ThoseInMemoryHaveAFileOnceTheyAreKept) {
  for (const ExampleOrder order : {ExampleOrder::kOfDataset, ExampleOrder::kSecret}) {
    fs::remove(path);
    auto values = ValuesFile::in_memory(path, kDim, kExamples, order);
    ASSERT_TRUE(values.ok());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(is_done(*values, i));
    fill(*values, 0, 5);
    fill(*values, 2, 7);
    values->forget(0);
    values->forget();
    EXPECT_TRUE(is_done(*values, 0));
    EXPECT_FALSE(is_done(*values, 1));
    EXPECT_THAT(values->row(0), ::testing::ElementsAre(5, 6, 7));
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(values->keep(2, examples_of(*values, 2)).ok());
    auto kept = ValuesFile::open_or_create(path, kDim, kExamples, order);
    ASSERT_TRUE(kept.ok());
    EXPECT_FALSE(is_done(*kept, 0)) << "done, but not kept";
    EXPECT_TRUE(is_done(*kept, 2));
    EXPECT_THAT(kept->row(2 * ValuesFile::kTileExamples + 1), ::testing::ElementsAre(10, 11, 12));
    EXPECT_EQ(kept->secret(), values->secret());
    EXPECT_EQ(kept->secret() == ValuesFile::kNoSecret, order == ExampleOrder::kOfDataset);
  }
}

TEST_F(ValuesFiles, ThoseInMemorySayThatTheDiskFails) {
  auto values =
      ValuesFile::in_memory(folder / "no" / "such" / "folder", kDim, kExamples, ExampleOrder::kSecret);
  ASSERT_TRUE(values.ok());
  fill(*values, 0, 5);
  const Status kept = values->keep(0, examples_of(*values, 0));
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.error().kind, ErrorKind::kFailure);
  EXPECT_THAT(kept.error().message, ::testing::HasSubstr("cannot be created"));
}

TEST_F(ValuesFiles, AForgottenTileLeavesMemoryAndKeepsItsValues) {
  constexpr std::uint32_t kWide = 1024;  // a tile is 1 MiB
  auto values = ValuesFile::open_or_create(path, kWide, 3 * ValuesFile::kTileExamples);
  ASSERT_TRUE(values.ok());
  for (std::size_t i = 0; i < 3; ++i) fill(*values, i, float(i));
  const std::size_t before = testing::resident_bytes(path);
  EXPECT_GE(before, 3u << 20);
  values->forget(1);
  EXPECT_EQ(testing::resident_bytes(path), before - (1u << 20));
  EXPECT_TRUE(is_done(*values, 1));
  EXPECT_EQ(values->row(ValuesFile::kTileExamples)[5], 6.f);
}

TEST_F(ValuesFiles, AnotherSizeStartsAnew) {
  {
    ValuesFile values = open();
    fill(values, 0, 5);
  }
  {
    const auto other = ValuesFile::open_or_create(path, kDim + 1, kExamples);
    ASSERT_TRUE(other.ok());
    EXPECT_FALSE(is_done(*other, 0));
  }
  EXPECT_FALSE(is_done(open(), 0));
}

TEST_F(ValuesFiles, ForeignContentOfTheSameSizeStartsAnew) {
  {
    ValuesFile values = open();
    fill(values, 0, 5);
  }
  replace_content(path, std::string(fs::file_size(path), 'x'));
  const ValuesFile values = open();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(is_done(values, i));
}

TEST_F(ValuesFiles, KeepTheSecretOfTheirOrderAsLongAsTheirParts) {
  const std::uint64_t secret = open().secret();
  EXPECT_EQ(open().secret(), secret);
  fs::remove(path);
  EXPECT_NE(open().secret(), secret);
}

TEST_F(ValuesFiles, InTheOrderOfTheDatasetHaveNoSecret) {
  {
    auto values = ValuesFile::open_or_create(path, kDim, kExamples, ExampleOrder::kOfDataset);
    ASSERT_TRUE(values.ok());
    EXPECT_EQ(values->secret(), ValuesFile::kNoSecret);
    std::uint64_t sum = 0;
    for (const std::uint32_t example : examples_of(*values, 1)) {
      values->tile(1)[(example - ValuesFile::kTileExamples) * kDim] = float(example);
      ASSERT_TRUE(values->write_row(example, values->row(example), sum).ok());
    }
    values->mark_done(1, sum);
  }
  EXPECT_TRUE(is_done(*ValuesFile::open_or_create(path, kDim, kExamples, ExampleOrder::kOfDataset), 1));
  const ValuesFile values = open();  // in secret order: from the start
  EXPECT_NE(values.secret(), ValuesFile::kNoSecret);
  EXPECT_FALSE(is_done(values, 1));
  const auto same = ValuesFile::open_or_create(path, kDim, kExamples, ExampleOrder::kOfDataset);
  EXPECT_EQ(same->secret(), values.secret()) << "what was begun in secret order is gone on with";
}

TEST_F(ValuesFiles, APartIsDoneWithItsExamplesAlone) {
  ValuesFile values = open();
  const std::vector<std::uint32_t> examples{500, 3, 77};
  std::uint64_t sum = 0;
  for (const std::uint32_t example : examples)
    ASSERT_TRUE(values.write_row(example, std::vector<float>{1, float(example), 2}, sum).ok());
  values.mark_done(1, sum);
  EXPECT_THAT(values.row(77), ::testing::ElementsAre(1, 77, 2));
  EXPECT_TRUE(values.is_done(1, examples));
  EXPECT_FALSE(values.is_done(1, std::vector<std::uint32_t>{3, 500, 77})) << "of another order";
  values.tile(0)[77 * kDim + 2] = 1;
  EXPECT_FALSE(values.is_done(1, examples));
}

TEST_F(ValuesFiles, OfAnotherVersionStartAnewAndSaySo) {
  {
    ValuesFile values = open();
    EXPECT_EQ(values.replaced_version(), 0u);
    fill(values, 0, 5);
  }
  std::string content = *read_file(path);
  content[8] = 1;  // the version
  replace_content(path, content);
  const ValuesFile values = open();
  EXPECT_EQ(values.replaced_version(), 1u);
  EXPECT_FALSE(is_done(values, 0));
  EXPECT_EQ(open().replaced_version(), 0u);
}

TEST_F(ValuesFiles, AFolderInTheWayIsAnErrorThatNamesIt) {
  fs::create_directories(path / "sub");
  const auto values = ValuesFile::open_or_create(path, kDim, kExamples);
  ASSERT_FALSE(values.ok());
  EXPECT_THAT(values.error().message, ::testing::HasSubstr(path.string()));
}

}  // namespace
}  // namespace mash
