// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/base/file.hpp"
#include "tests/support/gzip.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tar.hpp"
#include "tests/support/zip.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::gzip;
using ::testing::HasSubstr;
using testing::tar;
using testing::tar_entry;

class Archives : public ::testing::Test {
 protected:
  Archives() { fs::create_directories(into_); }

  Status unpack(const std::string& content, std::uint64_t max_bytes = 1 << 20) const {
    const fs::path file = folder_ / "archive";
    EXPECT_TRUE(write_file_atomically(file, content).ok());
    return unpack_archive(file, into_, stop_, max_bytes);
  }
  void expect_refused(const std::string& entries, const std::string& name) const {
    const Status status = unpack(tar(entries));
    ASSERT_FALSE(status.ok()) << name;
    EXPECT_EQ(status.error().kind, ErrorKind::kInput) << name;
    EXPECT_THAT(status.error().message, AllOf(HasSubstr("archive"), HasSubstr(name)));
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_THAT(entry.path().filename().string(), ::testing::AnyOf("archive", "into")) << name;
  }

  testing::ScratchFolder folder_;
  fs::path into_ = folder_ / "into";
  StopFlag stop_;
};

TEST_F(Archives, BecomeFilesAndFolders) {
  const std::string content = tar(tar_entry("pets/", "", '5') + tar_entry("pets/cat/1.pgm", "meow") +
                                  tar_entry("./pets/dog.txt", std::string(1500, 'w')));
  for (const std::string& packed : {content, gzip(content)}) {
    fs::remove_all(into_);
    fs::create_directories(into_);
    const Status status = unpack(packed);
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(*read_file(into_ / "pets/cat/1.pgm"), "meow");
    EXPECT_EQ(*read_file(into_ / "pets/dog.txt"), std::string(1500, 'w'));
  }
}

// In any locale; this is one of no language.
TEST_F(Archives, HaveNamesInUtf8) {
  const Status status = unpack(testing::zip_of("na\xc3\xafve/\xc3\xa9.txt", "hello"));
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(*read_file(into_ / "na\xc3\xafve/\xc3\xa9.txt"), "hello");
}

TEST_F(Archives, LeaveOutWhatSystemsLeaveBehind) {
  const Status status = unpack(tar(tar_entry("__MACOSX/", "", '5') + tar_entry("__MACOSX/pets/._1.png", "x") +
                                   tar_entry("pets/.DS_Store", "x") + tar_entry("pets/._1.png", "x") +
                                   tar_entry("pets/@eaDir/1.png", "x") + tar_entry("pets/.labels", "x") +
                                   tar_entry("pets/1.png", "x") + tar_entry("pets/Thumbs.db", "x")));
  ASSERT_TRUE(status.ok()) << status.error().message;
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(into_))
    found.push_back(fs::relative(entry.path(), into_).string());
  EXPECT_THAT(found, ::testing::UnorderedElementsAre("pets", "pets/.labels", "pets/1.png"));
}

TEST_F(Archives, LeadNowhereElse) {
  for (const std::string name : {"../evil", "a/../../evil", "./../evil", ".."})
    expect_refused(tar_entry(name, "x"), name);
  const std::string absolute = (folder_ / "evil").string();
  expect_refused(tar_entry(absolute, "x"), absolute);
  EXPECT_TRUE(unpack(tar(tar_entry("a/../b", "x"))).ok()) << "stays inside";
  EXPECT_TRUE(fs::exists(into_ / "b"));
}

TEST_F(Archives, HoldNoLinksAndNoDevices) {
  expect_refused(tar_entry("door", "", '2', "..") + tar_entry("door/evil", "x"), "'door'");
  expect_refused(tar_entry("copy", "", '1', "/etc/passwd"), "'copy'");
  expect_refused(tar_entry("device", "", '3'), "'device'");
  expect_refused(tar_entry("pipe", "", '6'), "'pipe'");
}

TEST_F(Archives, ThatAreDamagedAreRefused) {
  const std::string whole = tar(tar_entry("a", std::string(5000, 'a')));
  EXPECT_FALSE(unpack(whole.substr(0, 3000)).ok());
  EXPECT_FALSE(unpack("no archive at all, but a text that is longer than a few bytes").ok());
  const std::string packed = gzip(whole);
  EXPECT_FALSE(unpack(packed.substr(0, packed.size() / 2)).ok());
}

TEST_F(Archives, UnpackToNoMoreThanWasSaid) {
  const std::string bomb = gzip(tar(tar_entry("a", std::string(500'000, 'a'))));
  const Status status = unpack(bomb, 400'000);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("400000"));
  EXPECT_TRUE(unpack(bomb, 500'000).ok());
}

TEST_F(Archives, AreKnownByTheirNames) {
  for (const char* name : {"a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.zip"})
    EXPECT_TRUE(is_archive_name(name)) << name;
  for (const char* name : {"a", "a.gz", "tar", "a.csv", "a.tar.txt"})
    EXPECT_FALSE(is_archive_name(name)) << name;
}

}  // namespace
}  // namespace mash
