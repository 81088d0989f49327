// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/dataset.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::load;
using testing::TemporaryFolder;

// Sets an environment variable for the length of a test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(LoadDataset, ListsTheKnownNames) {
  expect_input_error(load("mnits", {}),
                     {"unknown data set 'mnits'", "digits", "mnist", "cifar10", "folder", "csv"});
}

TEST(LoadDataset, FormatsHaveDifferentNamesAndTellTheirKeys) {
  std::set<std::string_view> names;
  for (const DatasetFormat& format : dataset_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_FALSE(format.summary.empty()) << format.name;
    EXPECT_THAT(std::string(format.keys), ::testing::HasSubstr("train, test")) << format.name;
  }
  EXPECT_EQ(names.size(), 10u);
}

TEST(LoadDataset, EveryFormatRefusesUnknownKeysAndMissingPaths) {
  const TemporaryFolder folder;
  const std::string nowhere = (folder.path() / "nowhere").string();
  for (const DatasetFormat& format : dataset_formats()) {
    const std::string path = folder.path().string();
    if (format.keys.starts_with("path")) {  // not a generator
      expect_input_error(load(format.name, {{"path", nowhere}}),
                         {"test.yaml:1: path", "no such file", nowhere});
      expect_input_error(load(format.name, {{"path", path}, {"trian", "1"}}),
                         {"test.yaml:1", "unknown key 'trian'", "known:", "path", "train"});
    }
    expect_input_error(load(format.name, {{"path", path}, {"test", "none"}}),
                       {"test.yaml:1", "test", "'none'"});
  }
}

TEST(LoadDataset, LooksBelowMashData) {
  const TemporaryFolder folder;
  const Environment data("MASH_DATA", folder.path().string());
  folder.write("sub/t.csv", "1,a\n2,b\n3,b\n");
  EXPECT_TRUE(load("csv", {{"path", "sub/t.csv"}, {"train", "2"}}).ok());
  expect_input_error(load("mnist", {}), {"mnist", "not found", (folder.path() / "mnist").string(), "'path'"});
  std::filesystem::create_directory(folder.path() / "mnist");
  expect_input_error(load("mnist", {}), {(folder.path() / "mnist/train-images-idx3-ubyte").string()});
}

TEST(LoadDataset, LooksInTheUsersDataFolder) {
  const TemporaryFolder folder;
  const Environment data("MASH_DATA", "");
  const Environment home("XDG_DATA_HOME", folder.path().string());
  folder.write("mash/datasets/t.csv", "1,a\n2,b\n3,b\n");
  EXPECT_TRUE(load("csv", {{"path", "t.csv"}, {"train", "2"}}).ok());
}

TEST(Fingerprint, ChangesWithExactlyTheExamples) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "1,a\n2,b\n3,b\n4,a\n");
  const auto fingerprint = [](testing::Pairs pairs, std::uint64_t seed = 1) {
    const auto dataset = load("csv", pairs, seed);
    return dataset.ok() ? dataset->fingerprint : dataset.error().message;
  };
  const std::string base = fingerprint({{"path", path}, {"train", "2"}});
  EXPECT_EQ(base.size(), 64u);
  EXPECT_EQ(base, fingerprint({{"path", path}, {"train", "2"}}, 2));
  EXPECT_EQ(base, fingerprint({{"path", path}, {"train", "0.5"}, {"label", "c1"}, {"train", "2"}}));
  EXPECT_EQ(base, fingerprint({{"path", folder.write("copy.csv", "1,a\n2,b\n3,b\n4,a\n")}, {"train", "2"}}));
  EXPECT_NE(base, fingerprint({{"path", path}, {"train", "3"}}));
  EXPECT_NE(base, fingerprint({{"path", path}, {"train", "2"}, {"test", "1"}}));
  EXPECT_NE(base, fingerprint({{"path", folder.write("value.csv", "1,a\n2,b\n3,b\n5,a\n")}, {"train", "2"}}));
  EXPECT_NE(base, fingerprint({{"path", folder.write("label.csv", "1,a\n2,b\n3,b\n4,b\n")}, {"train", "2"}}));
  EXPECT_NE(base, fingerprint({{"path", folder.write("name.csv", "1,a\n2,c\n3,c\n4,a\n")}, {"train", "2"}}));
  EXPECT_NE(base,
            fingerprint({{"path", folder.write("head.csv", "x,y\n1,a\n2,b\n3,b\n4,a\n")}, {"train", "2"}}));
}

TEST(Fingerprint, OfDigitsChangesWithTheSeed) {
  const testing::Pairs few{{"train", "20"}, {"test", "10"}};
  const auto a = load("digits", few, 1), b = load("digits", few, 1), c = load("digits", few, 2);
  EXPECT_EQ(a->fingerprint, b->fingerprint);
  EXPECT_NE(a->fingerprint, c->fingerprint);
}

}  // namespace
}  // namespace mash
