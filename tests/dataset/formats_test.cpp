// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/formats.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "tests/dataset/data_files.hpp"
#include "tests/dataset/watched_reading.hpp"
#include "tests/support/places.hpp"
#include "tests/support/quiet_work.hpp"

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

bool takes(const DatasetFormat& format, std::string_view key) {
  const auto known = known_keys(format);
  return std::ranges::find(known, key, &Settings::Known::key) != known.end();
}

bool reads_files(const DatasetFormat& format) { return takes(format, "path"); }

TEST(LoadDataset, FormatsHaveDifferentNamesAndTellTheirKeys) {
  std::set<std::string_view> names;
  for (const DatasetFormat& format : dataset_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_FALSE(format.summary.empty()) << format.name;
    EXPECT_TRUE(takes(format, "train") && takes(format, "title")) << format.name;
  }
  EXPECT_GE(names.size(), 10u);
}

// "path: flowers.csv, label: last" as settings, with `path` in place of the path of the example.
Settings example_settings(const DatasetFormat& format, const std::string& path) {
  Settings settings;
  for (std::string_view rest = format.example; !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 2));
    const std::string key(pair.substr(0, pair.find(": ")));
    settings.add(key, key == "path" ? path : std::string(pair.substr(key.size() + 2)), "example");
  }
  return settings;
}

TEST(Formats, HaveExamplesThatWork) {
  const TemporaryFolder folder;
  for (const DatasetFormat& format : dataset_formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_EQ(reads_files(format), format.example.find("path: ") != std::string_view::npos);
    const std::string path = folder.write(std::string(format.name), format.sample);
    const auto loaded = load_dataset(format.name, example_settings(format, path), 1, testing::quiet_work());
    if (reads_files(format) && format.sample.empty()) {
      expect_input_error(loaded, {path});
    } else {
      EXPECT_TRUE(loaded.ok()) << loaded.error().message;
    }
  }
}

TEST(Formats, AreReadOnTheGivenThreadAlone) {
  const TemporaryFolder folder;
  for (const DatasetFormat& format : dataset_formats()) {
    if (reads_files(format) && format.sample.empty()) continue;
    const std::string path = folder.write(std::string(format.name), format.sample);
    testing::expect_given_thread_alone(format.name, example_settings(format, path));
  }
}

TEST(Formats, AreNotReadWhenTheWorkIsStopped) {
  const TemporaryFolder folder;
  StopFlag stop;
  stop.raise();
  for (const DatasetFormat& format : dataset_formats()) {
    if (reads_files(format) && format.sample.empty()) continue;
    const std::string path = folder.write(std::string(format.name), format.sample);
    const auto loaded =
        load_dataset(format.name, example_settings(format, path), 1, testing::quiet_work(stop));
    ASSERT_FALSE(loaded.ok()) << format.name;
    EXPECT_EQ(loaded.error().kind, ErrorKind::kStopped) << format.name << ": " << loaded.error().message;
  }
}

// A row is not enough: the files that CONTRIBUTING.md names must be there.
TEST(Formats, HaveAllTheirFiles) {
  const std::filesystem::path source = testing::source_folder();
  // Readers without a sample whose bytes another target of tests/fuzz breaks.
  const std::map<std::string, std::string> targets{
      {"mnist", "idx"}, {"usps", "tables, as csv"}, {"folder", "none: OpenCV decodes the pictures"}};
  std::set<std::string> names;
  for (const DatasetFormat& format : dataset_formats()) {
    const std::string name(format.name);
    names.insert(name);
    const std::filesystem::path place =
        source / "framework/dataset" / (reads_files(format) ? "readers" : "generators") / name;
    for (const char* ending : {".hpp", ".cpp"})
      EXPECT_TRUE(std::filesystem::exists(place.string() + ending)) << "missing: " << place << ending;
    EXPECT_TRUE(std::filesystem::exists(source / "tests/dataset" / (name + "_test.cpp")))
        << "missing: tests/dataset/" << name << "_test.cpp";
    if (reads_files(format) && format.sample.empty() && !targets.contains(name)) {
      EXPECT_TRUE(std::filesystem::exists(source / "tests/fuzz" / (name + ".cpp")))
          << "missing: a sample in the row of framework/dataset/readers/formats.cpp, or tests/fuzz/" << name
          << ".cpp";
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(source / "framework/dataset/readers"))
    EXPECT_TRUE(entry.path().stem() == "formats" || names.contains(entry.path().stem()))
        << "missing: a row for " << entry.path() << " in framework/dataset/readers/formats.cpp";
}

// "path, train, test" as its parts.
std::set<std::string> parts_of(std::string_view list) {
  std::set<std::string> parts;
  for (; !list.empty(); list.remove_prefix(std::min(list.size(), list.find(", ")) + 2)) {
    parts.emplace(list.substr(0, list.find(", ")));
    if (list.find(", ") == std::string_view::npos) break;
  }
  return parts;
}

// Keys do not depend on the settings, nor on whether these are only checked: "...; known: path, train".
TEST(Formats, TellExactlyTheKeysThatAreRead) {
  const TemporaryFolder folder;
  for (const DatasetFormat& format : dataset_formats()) {
    Settings settings;
    if (reads_files(format)) settings.add("path", folder.path().string(), "test.yaml:1");
    settings.add("bogus", "1", "test.yaml:1");
    const auto dataset = load_dataset(format.name, settings, 1, testing::quiet_work());
    ASSERT_FALSE(dataset.ok()) << format.name;
    const std::string& message = dataset.error().message;
    const std::size_t known = message.find("known: ");
    ASSERT_NE(known, std::string::npos) << format.name << ": " << message;
    std::set<std::string> keys;
    for (const Settings::Known& key : known_keys(format)) keys.insert(key.key);
    EXPECT_EQ(keys, parts_of(std::string_view(message).substr(known + 7))) << format.name;
  }
}

TEST(Formats, AreNamedInTheReadme) {
  std::ifstream file(testing::source_folder() + "/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  for (const DatasetFormat& format : dataset_formats())
    EXPECT_NE(readme.find(fmt::format("`{}`", format.name)), std::string::npos)
        << "README.md does not name `" << format.name << "` where it says what `mash dataset list` shows";
}

// For anything at the path, a reader answers with an error of bad input that names it.
TEST(Formats, RefuseWhatIsNotTheirs) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "empty");
  for (const std::string& path :
       {(folder.path() / "empty").string(), folder.write("zeros", std::string(4000, '\0')),
        folder.write("nothing", "")})
    for (const DatasetFormat& format : dataset_formats()) {
      if (!reads_files(format)) continue;
      SCOPED_TRACE(format.name);
      expect_input_error(load(format.name, {{"path", path}}), {path});
    }
}

TEST(LoadDataset, EveryFormatRefusesUnknownKeysAndMissingPaths) {
  const TemporaryFolder folder;
  const std::string nowhere = (folder.path() / "nowhere").string();
  for (const DatasetFormat& format : dataset_formats()) {
    const std::string path = folder.path().string();
    if (reads_files(format)) {
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
