// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/npz_writer.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <map>
#include <stdexcept>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// The entries of a ZIP by name.
std::map<std::string, std::string> entries(const fs::path& path) {
  std::map<std::string, std::string> found;
  archive* file = archive_read_new();
  archive_read_support_format_zip(file);
  if (archive_read_open_filename(file, path.c_str(), 4096) != ARCHIVE_OK) throw std::runtime_error("no ZIP");
  for (archive_entry* entry = nullptr; archive_read_next_header(file, &entry) == ARCHIVE_OK;) {
    std::string bytes(std::size_t(archive_entry_size(entry)), '\0');
    EXPECT_EQ(archive_read_data(file, bytes.data(), bytes.size()), la_ssize_t(bytes.size()));
    found[archive_entry_pathname(entry)] = bytes;
  }
  archive_read_free(file);
  return found;
}

// Header and data of a .npy file.
std::pair<std::string, std::string> parts(const std::string& npy) {
  EXPECT_EQ(npy.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t size = std::size_t(static_cast<unsigned char>(npy[8])) + 256u * std::size_t(npy[9]);
  EXPECT_EQ((10 + size) % 64, 0u);
  EXPECT_EQ(npy[9 + size], '\n');
  return {npy.substr(10, npy.find('}') - 9), npy.substr(10 + size)};
}

template <class Value>
std::string bytes_of(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

TEST(NpzWriter, WritesArraysInPieces) {
  const testing::ScratchFolder folder;
  auto file = NpzWriter::open(folder / "new" / "a.npz");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const std::vector<float> values{1, 2.5f, -3, 4, 5, 6};
  ASSERT_TRUE(file->begin("hog(cell=4)", "<f4", std::array<std::size_t, 2>{3, 2}).ok());
  for (const float& value : values) ASSERT_TRUE(file->write(std::as_bytes(std::span(&value, 1))).ok());
  ASSERT_TRUE(file->add("t/n", std::vector<std::int64_t>{-1, 1}).ok());
  ASSERT_TRUE(file->add("t/x", std::vector<double>{0.1}).ok());
  ASSERT_TRUE(file->add("s", std::vector<std::optional<std::string>>{"a", "é→", std::nullopt}).ok());
  EXPECT_FALSE(fs::exists(folder / "new" / "a.npz")) << "is not whole yet";
  ASSERT_TRUE(file->close().ok());

  const auto found = entries(folder / "new" / "a.npz");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(parts(found.at("hog(cell=4).npy")),
            std::pair(std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2, ), }"),
                      bytes_of(values)));
  EXPECT_EQ(parts(found.at("t/n.npy")).second, bytes_of(std::vector<std::int64_t>{-1, 1}));
  EXPECT_EQ(parts(found.at("t/x.npy")).first, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, ), }");
  EXPECT_EQ(parts(found.at("s.npy")),
            std::pair(std::string("{'descr': '<U2', 'fortran_order': False, 'shape': (3, ), }"),
                      bytes_of(std::vector<char32_t>{U'a', 0, U'é', U'→', 0, 0})));
  EXPECT_FALSE(fs::exists(folder / "new" / "a.npz.part"));
}

TEST(NpzWriter, ThatIsGivenUpLeavesNoFile) {
  const testing::ScratchFolder folder;
  {
    auto file = NpzWriter::open(folder / "a.npz");
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->begin("x", "<f4", std::array<std::size_t, 1>{2}).ok());
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(NpzWriter, HoldsItsCallerToTheShape) {
  const testing::ScratchFolder folder;
  auto file = NpzWriter::open(folder / "a.npz");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->begin("x", "<f4", std::array<std::size_t, 1>{1}).ok());
  EXPECT_THROW((void)file->close(), std::logic_error);
  EXPECT_THROW((void)file->begin("y", "<f4", std::array<std::size_t, 1>{1}), std::logic_error);
  EXPECT_THROW((void)file->write(std::as_bytes(std::span("too long"))), std::logic_error);
}

TEST(NpzWriter, SaysWhereItCannotWrite) {
  const auto file = NpzWriter::open("/proc/nowhere/a.npz");
  ASSERT_FALSE(file.ok());
  EXPECT_THAT(file.error().message, ::testing::HasSubstr("/proc/nowhere/a.npz: cannot be written"));
}

}  // namespace
}  // namespace mash
