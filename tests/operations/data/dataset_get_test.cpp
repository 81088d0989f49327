// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/dataset_get.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "framework/base/file.hpp"
#include "framework/base/file_lock.hpp"
#include "framework/base/hash.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/imported.hpp"
#include "framework/dataset/published.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/data/dataset_import.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/tar.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::http_answer;
using testing::ScriptedServer;
using testing::tar;
using testing::tar_entry;

// The user's folders are in a folder of the test's own.
class DataFolder : public ::testing::Test {
 protected:
  DataFolder() {
    if (const char* folder = std::getenv("MASH_DATA")) before_ = folder;
    ::setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
    ::unsetenv("MASH_DATA");
  }
  ~DataFolder() override {
    ::unsetenv("XDG_DATA_HOME");
    if (before_) ::setenv("MASH_DATA", before_->c_str(), 1);
  }

  static std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::optional<std::string> before_;  // $MASH_DATA
  testing::ScratchFolder folder_;
  fs::path data_ = folder_ / "mash/datasets";
};

class GetDataset : public DataFolder {
 protected:
  static FileToGet file(const ScriptedServer& server, const std::string& name, const std::string& content) {
    return {name, {{server.url() + "/" + name}, sha256(content), content.size()}};
  }
  Result<GotDataset> get(const std::vector<FileToGet>& files) {
    const Workers workers(1);
    return get_dataset({"toy", files}, {2, 0.001, {2, 2}}, {workers, no_progress(), no_remarks(), stop_});
  }
  StopFlag stop_;
};

TEST_F(GetDataset, PutsTheFolderInItsPlaceWhenAllIsThere) {
  ScriptedServer server({http_answer(200, "one"), http_answer(200, "second")});
  const auto got = get({file(server, "a.gz", "one"), file(server, "b.gz", "second")});
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->folder, data_ / "toy");
  EXPECT_EQ(got->num_received, 9u);
  EXPECT_THAT(got->files, ElementsAre("a.gz", "b.gz"));
  EXPECT_EQ(*read_file(data_ / "toy/b.gz"), "second");
  EXPECT_THAT(names_in(data_), ElementsAre("toy")) << "nothing is left of the work";
}

TEST_F(GetDataset, GoesOnWithTheFileThatWasMissing) {
  {
    ScriptedServer server({http_answer(200, "one"), http_answer(404, "")});
    const auto got = get({file(server, "a.gz", "one"), file(server, "b.gz", "second")});
    ASSERT_FALSE(got.ok());
    EXPECT_THAT(got.error().message, AllOf(HasSubstr("data set toy"), HasSubstr("b.gz"), HasSubstr("404")));
    EXPECT_FALSE(fs::exists(data_ / "toy"));
  }
  ScriptedServer server({http_answer(200, "second")});
  ASSERT_TRUE(get({file(server, "a.gz", "one"), file(server, "b.gz", "second")}).ok());
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(server.requests()[0].target(), "/b.gz");
}

TEST_F(GetDataset, UnpacksArchivesWithoutTheFolderAroundAll) {
  const std::string archive = tar(tar_entry("toy-1.0/", "", '5') + tar_entry("toy-1.0/cats/1", "meow") +
                                  tar_entry("toy-1.0/dogs/1", "wuff"));
  ScriptedServer server({http_answer(200, archive)});
  const auto got = get({file(server, "toy.tar", archive)});
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_THAT(got->files, ElementsAre("cats", "dogs"));
  EXPECT_EQ(*read_file(data_ / "toy/cats/1"), "meow");
  EXPECT_THAT(names_in(data_), ElementsAre("toy"));
}

TEST_F(GetDataset, LetsNoArchiveOutOfItsFolder) {
  const std::string archive = tar(tar_entry("good", "x") + tar_entry("../../evil", "x"));
  ScriptedServer server({http_answer(200, archive)});
  const auto got = get({file(server, "toy.tar", archive)});
  ASSERT_FALSE(got.ok());
  EXPECT_THAT(got.error().message, HasSubstr("../../evil"));
  EXPECT_FALSE(fs::exists(data_ / "toy"));
  EXPECT_FALSE(fs::exists(folder_ / "mash/evil"));
  EXPECT_FALSE(fs::exists(data_ / "evil"));
}

TEST_F(GetDataset, LeavesWhatIsThere) {
  ScriptedServer server({http_answer(200, "one")});
  ASSERT_TRUE(get({file(server, "a.gz", "one")}).ok());
  const auto again = get({file(server, "a.gz", "one")});
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->was_there);
  EXPECT_EQ(server.requests().size(), 1u);
  const auto other = get({file(server, "a.gz", "two")});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind, ErrorKind::kInput);
  EXPECT_THAT(other.error().message, AllOf(HasSubstr("is there already"), HasSubstr("a.gz is another file")));
  const auto more = get({file(server, "a.gz", "one"), file(server, "b.gz", "two")});
  EXPECT_THAT(more.error().message, HasSubstr("lacks b.gz"));
}

TEST_F(GetDataset, TakesFilesOfAnyName) {
  ScriptedServer server({http_answer(200, "one"), http_answer(200, "two"), http_answer(200, "three")});
  const auto got =
      get({file(server, "lock", "one"), file(server, "whole", "two"), file(server, "files", "three")});
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_THAT(got->files, ElementsAre("files", "lock", "whole"));
}

TEST_F(GetDataset, SaysThatAFileIsEmpty) {
  ScriptedServer server({http_answer(200, "")});
  const auto got = get({{"a.gz", {{server.url() + "/a.gz"}, sha256("one"), {}}}});
  ASSERT_FALSE(got.ok());
  EXPECT_THAT(got.error().message, HasSubstr("empty file"));
}

TEST_F(GetDataset, IsDoneByOneProcessAtATime) {
  fs::create_directories(data_ / ".get-toy");
  const auto lock = FileLock::try_lock(data_ / ".get-toy/lock", FileLock::Kind::kExclusive);
  ScriptedServer server({});
  const auto got = get({file(server, "a.gz", "one")});
  ASSERT_FALSE(got.ok());
  EXPECT_THAT(got.error().message, HasSubstr("another process"));
}

TEST(PublishedToGet, IsAskedForAtThePublishersOrAtMirrors) {
  const DatasetToGet mnist = *published_to_get("mnist", {});
  ASSERT_EQ(mnist.files.size(), 4u);
  EXPECT_EQ(mnist.files[1].remote.num_bytes, 28881u);
  EXPECT_GE(mnist.files[1].remote.addresses.size(), 1u);
  const DatasetToGet mirrored =
      *published_to_get("usps", {"http://127.0.0.1:8000/data/", "https://example.org"});
  EXPECT_THAT(mirrored.files[0].remote.addresses, ElementsAre("http://127.0.0.1:8000/data/usps/zip.train.gz",
                                                              "https://example.org/usps/zip.train.gz"));
  EXPECT_THAT(published_to_get("mnits", {}).error().message,
              AllOf(HasSubstr("mnits"), HasSubstr("mnist, usps")));
  EXPECT_THAT(published_to_get("cifar10", {}).error().message, HasSubstr("not offered"));
  EXPECT_THAT(published_to_get("mnist", {"ftp://x"}).error().message, HasSubstr("ftp://x"));
}

TEST(PublishedToGet, HasFilesThatTheFormatReads) {
  for (const PublishedDataset& published : published_datasets()) {
    EXPECT_TRUE(std::any_of(dataset_formats().begin(), dataset_formats().end(),
                            [&](const DatasetFormat& format) { return format.name == published.name; }));
    for (const PublishedFile& file : published.files) EXPECT_EQ(file.sha256.size(), 64u) << file.name;
  }
}

// The table against files in their published form, where they are at hand.
TEST(PublishedToGet, HasTheChecksumsOfThePublishedFiles) {
  const char* root = std::getenv("MASH_DATA");
  if (root == nullptr) GTEST_SKIP() << "MASH_DATA is not set";
  for (const PublishedDataset& published : published_datasets())
    for (const PublishedFile& file : published.files) {
      const fs::path path = fs::path(root) / published.name / file.name;
      ASSERT_TRUE(fs::exists(path)) << path;
      EXPECT_EQ(fs::file_size(path), file.num_bytes) << path;
      EXPECT_EQ(*sha256_of_file(path), file.sha256) << path;
    }
}

TEST(AddressToGet, TakesTheAddressOfAFileANameAndAChecksum) {
  const std::string sum(64, 'A');
  const auto dataset = address_to_get("https://example.org/sets/pets.tar.gz", "pets", sum);
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  EXPECT_EQ(dataset->files.at(0).name, "pets.tar.gz");
  EXPECT_EQ(dataset->files.at(0).remote.sha256, std::string(64, 'a'));
  for (const char* address :
       {"https://example.org", "https://example.org/sets/", "file:///etc/passwd", "https://example.org/..",
        "https://example.org/.hidden", "https://example.org/a.zip?download=1", "ftp://example.org/a.zip"})
    EXPECT_FALSE(address_to_get(address, "pets", sum).ok()) << address;
  for (const char* name : {"", "../pets", ".pets", "a/b", "pets and more"})
    EXPECT_FALSE(address_to_get("https://example.org/pets.tar.gz", name, sum).ok()) << name;
  for (const std::string& wrong : {std::string(), std::string(63, 'a'), std::string(64, 'g')})
    EXPECT_FALSE(address_to_get("https://example.org/pets.tar.gz", "pets", wrong).ok()) << wrong;
}

class ImportDataset : public DataFolder {
 protected:
  ImportDataset() {
    EXPECT_TRUE(write_file_atomically(table_, "x,y,class\n1,2,a\n3,4,b\n5,6,a\n7,8,b\n").ok());
    settings_.path = table_;
    settings_.name = "points";
  }
  Result<ImportResult> import() {
    const Workers workers(1);
    return import_dataset(settings_, {workers, no_progress(), no_remarks(), stop_});
  }

  fs::path table_ = folder_ / "own/table.csv";
  ImportSettings settings_;
  StopFlag stop_;
};

TEST_F(ImportDataset, GivesDataANameFromThenOn) {
  settings_.settings.add("train", "3", "test");
  const auto result = import();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->imported.format, "csv");
  EXPECT_THAT(imported_names(), ElementsAre("points"));
  const auto dataset = load_dataset("points", {}, 1, testing::quiet_work());
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  EXPECT_EQ(dataset->name, "points");
  EXPECT_EQ(dataset->train.num_examples, 3u);
  EXPECT_EQ(dataset->fingerprint, result->dataset.fingerprint);
  Settings other;
  other.add("train", "2", "test");
  EXPECT_EQ(load_dataset("points", other, 1, testing::quiet_work())->train.num_examples, 2u)
      << "what is said there goes before";
}

TEST_F(ImportDataset, CopiesTheFilesWhereThatIsWanted) {
  settings_.copies = true;
  const auto result = import();
  ASSERT_TRUE(result.ok()) << result.error().message;
  fs::remove_all(table_.parent_path());
  EXPECT_TRUE(load_dataset("points", {}, 1, testing::quiet_work()).ok());
  EXPECT_THAT(names_in(data_), ElementsAre("points", "points.json"));
  fs::rename(data_, folder_ / "elsewhere");
  ::setenv("MASH_DATA", (folder_ / "elsewhere").c_str(), 1);
  EXPECT_TRUE(load_dataset("points", {}, 1, testing::quiet_work()).ok())
      << "and may be moved with its description";
  ::unsetenv("MASH_DATA");
}

TEST_F(ImportDataset, LeavesNothingWhereItCannotBeRead) {
  ASSERT_TRUE(write_file_atomically(table_, "x,y,class\n1,2\n").ok());
  settings_.copies = true;
  EXPECT_FALSE(import().ok());
  EXPECT_FALSE(fs::exists(data_));
}

TEST_F(ImportDataset, GoesOnAfterItWasKilledBeforeItsDescription) {
  settings_.copies = true;
  fs::create_directories(data_ / "points");
  ASSERT_TRUE(write_file_atomically(data_ / "points/.mash-import-unfinished", "").ok());
  ASSERT_TRUE(write_file_atomically(data_ / "points/half.csv", "x").ok());
  const auto result = import();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_THAT(names_in(data_ / "points"), ElementsAre("table.csv"));
}

TEST_F(ImportDataset, CopiesNoFolderIntoItself) {
  settings_.copies = true;
  for (const fs::path& path : {folder_.path(), data_, fs::path("/"), fs::path()}) {
    fs::create_directories(data_);
    settings_.path = path;
    settings_.format = "folder";
    EXPECT_FALSE(import().ok()) << path;
    EXPECT_TRUE(names_in(data_).empty()) << path;
  }
}

TEST_F(ImportDataset, RefusesNamesThatAreTakenOrNone) {
  ASSERT_TRUE(import().ok());
  EXPECT_THAT(import().error().message, HasSubstr("is taken"));
  for (const char* name : {"mnist", "csv", "../x", ".x", "a/b", ""}) {
    settings_.name = name;
    EXPECT_FALSE(import().ok()) << name;
  }
}

TEST_F(ImportDataset, TellsTheFormatByTheFiles) {
  const auto made = [&](const std::string& file) {
    EXPECT_TRUE(write_file_atomically(folder_ / file, "x").ok());
    return *guess_format((folder_ / file).parent_path());
  };
  EXPECT_EQ(made("1/train-images-idx3-ubyte.gz"), "mnist");
  EXPECT_EQ(made("2/data_batch_1.bin"), "cifar10");
  EXPECT_EQ(made("3/zip.train.gz"), "usps");
  EXPECT_EQ(made("5/train_X.bin"), "stl10");
  EXPECT_EQ(made("4/cats/1.png"), "folder");
  EXPECT_EQ(*guess_format(table_), "csv");
  EXPECT_FALSE(guess_format(folder_ / "nothing").ok());
  ASSERT_TRUE(write_file_atomically(folder_ / "odd.xyz", "x").ok());
  EXPECT_THAT(guess_format(folder_ / "odd.xyz").error().message,
              AllOf(HasSubstr("odd.xyz"), HasSubstr("libsvm")));
}

TEST_F(ImportDataset, ADamagedDescriptionIsNamed) {
  for (const char* text :
       {"", "[]", "{\"format\": 3}", "{\"format\": \"csv\", \"settings\": {\"path\": 1}}"}) {
    ASSERT_TRUE(write_file_atomically(data_ / "odd.json", text).ok());
    const auto dataset = load_dataset("odd", {}, 1, testing::quiet_work());
    ASSERT_FALSE(dataset.ok());
    EXPECT_EQ(dataset.error().kind, ErrorKind::kInput);
    EXPECT_THAT(dataset.error().message, HasSubstr("odd.json")) << text;
  }
  ASSERT_TRUE(write_file_atomically(data_ / "odd.json", "{\"format\": \"odd\"}").ok());
  EXPECT_THAT(load_dataset("odd", {}, 1, testing::quiet_work()).error().message, HasSubstr("data format"));
}

TEST_F(DataFolder, MissingDataNamesTheCommandThatGetsThem) {
  EXPECT_THAT(load_dataset("mnist", {}, 1, testing::quiet_work()).error().message,
              HasSubstr("mash dataset get mnist"));
  EXPECT_THAT(load_dataset("cifar10", {}, 1, testing::quiet_work()).error().message,
              ::testing::Not(HasSubstr("dataset get")));
}

}  // namespace
}  // namespace mash
