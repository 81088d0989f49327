// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/source.hpp"

#include <gtest/gtest.h>

#include "framework/base/hash.hpp"
#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::gzip;
using testing::TemporaryFolder;

TEST(Source, RecordsThePublishedBytes) {
  const TemporaryFolder folder;
  const std::string packed = gzip("hello");
  const auto source = read_source(folder.write("a.gz", packed));
  ASSERT_LOADS(source);
  EXPECT_EQ(source->bytes, "hello");
  EXPECT_EQ(source->file.num_bytes, packed.size());
  EXPECT_EQ(source->file.sha256, sha256(packed));
}

TEST(Source, HashesAPlainFile) {
  const TemporaryFolder folder;
  const auto source = read_source(folder.write("abc", "abc"));
  ASSERT_LOADS(source);
  EXPECT_EQ(source->file.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2
}

TEST(Source, JoinsTheMembersOfAGzipFile) {
  const TemporaryFolder folder;
  const auto source = read_source(folder.write("a.gz", gzip("left ") + gzip("right")));
  ASSERT_LOADS(source);
  EXPECT_EQ(source->bytes, "left right");
}

TEST(Source, UnpacksMoreThanOnePiece) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 700000; ++i) text += std::to_string(i * 7919L % 1000003);
  const auto source = read_source(folder.write("a.gz", gzip(text)));
  ASSERT_LOADS(source);
  EXPECT_EQ(source->bytes, text);
}

TEST(Source, RefusesEveryTruncationOfAGzipFile) {
  const TemporaryFolder folder;
  const std::string packed = gzip("a text that is long enough to be worth packing, packing, packing");
  for (std::size_t size = 1; size < packed.size(); ++size)
    expect_input_error(read_source(folder.write("cut.gz", packed.substr(0, size))),
                       {"cut.gz", fmt::format("byte {}", size), "truncated"});
}

TEST(Source, RefusesACorruptGzipFile) {
  const TemporaryFolder folder;
  std::string packed = gzip("a text that is long enough to be worth packing");
  packed[packed.size() - 6] = char(packed[packed.size() - 6] ^ 1);  // in the checksum
  expect_input_error(read_source(folder.write("bad.gz", packed)), {"bad.gz", "byte ", "corrupt gzip"});
  expect_input_error(read_source(folder.write("plain.gz", "no gzip at all")), {"plain.gz", "corrupt gzip"});
  expect_input_error(read_source(folder.write("tail.gz", gzip("x") + "junk behind it")),
                     {"tail.gz", "corrupt gzip"});
}

TEST(Source, RefusesWhatUnpacksToTooMuch) {
  const TemporaryFolder folder;
  const std::string path = folder.write("bomb.gz", gzip(std::string(10'000'000, 'x')));
  expect_input_error(read_source(path, 5'000'000), {"bomb.gz", "5000000"});
  expect_input_error(read_source(folder.write("long", "12345"), 4), {"long", "found 5 bytes", "at most 4"});
}

TEST(Source, RefusesMissingEmptyAndOddFiles) {
  const TemporaryFolder folder;
  expect_input_error(read_source(folder.path() / "nothing"), {"nothing", "no such file"});
  expect_input_error(read_source(folder.path()), {folder.path().string(), "not a regular file"});
  expect_input_error(read_source("/dev/zero"), {"/dev/zero", "not a regular file"});
  expect_input_error(read_source(folder.write("empty", "")), {"empty", "is empty"});
  expect_input_error(read_source(folder.write("empty.gz", gzip(""))), {"empty.gz", "empty once unpacked"});
}

TEST(Source, ListsAFolderInNameOrder) {
  const TemporaryFolder folder;
  for (const char* name : {"b", "a", "C", ".hidden"}) folder.write(name, "x");
  const auto entries = list_folder(folder.path());
  ASSERT_LOADS(entries);
  EXPECT_THAT(*entries,
              ::testing::ElementsAre(folder.path() / "C", folder.path() / "a", folder.path() / "b"));
  expect_input_error(list_folder(folder.path() / "a"), {"cannot be listed"});
}

TEST(Source, ListsChecksumsAsSha256sumReadsThem) {
  const TemporaryFolder folder;
  std::vector<SourceFile> files;
  for (const char* name : {"plain", "with\nline", "with\\slash"}) {
    const auto read = read_source(folder.write(name, name));
    ASSERT_LOADS(read);
    files.push_back(read->file);
  }
  const std::string list = folder.write("list", checksum_list(files));
  EXPECT_EQ(std::system(("sha256sum --check --strict --quiet " + list).c_str()), 0);
}

}  // namespace
}  // namespace mash
