// SPDX-License-Identifier: Apache-2.0
#include "framework/families/store_content.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/families/stored_family.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using ::testing::ElementsAre;
using testing::FakeHost;
using ::testing::IsEmpty;
using testing::ScratchFolder;
using ::testing::UnorderedElementsAre;

class StoreContents : public ::testing::Test {
 protected:
  std::unique_ptr<StoredFamily> obtain(const std::string& heuristic, const std::string& dataset_name,
                                       std::uint32_t dim = 8) {
    const FamilySpec spec = host.add({heuristic, dim, [](std::uint32_t example, std::uint32_t feature) {
                                        return float(example % (feature + 2));
                                      }});
    Dataset dataset =
        testing::numbered_images(std::vector<std::uint16_t>(60), std::vector<std::uint16_t>(20), 2);
    dataset.name = dataset_name;
    dataset.fingerprint = dataset_name;
    const Workers workers(1);
    const StopFlag stop;
    FamilyInfo info;
    info.spec = spec;
    info.spec.heuristic.plugin_sha256 = "plugin of " + heuristic;
    info.dim = dim;
    auto family = StoredFamily::obtain(info, {store, ~std::uint64_t(0), false, false},
                                       {host, dataset, {workers, no_progress(), no_remarks(), stop}});
    EXPECT_TRUE(family.ok());
    return *std::move(family);
  }

  // As if it had last been used that many hours ago.
  void use_ago(const std::string& heuristic, int num_hours) const {
    const auto content = read_store(store);
    for (const StoredEntry& entry : content->families)
      if (entry.label.heuristic == heuristic)
        for (const char* file : {"use", "codes.stamp", "codes.mash"}) {
          const timespec then{std::time(nullptr) - num_hours * 3600, 0};
          const timespec times[2] = {then, then};
          ASSERT_EQ(::utimensat(AT_FDCWD, (entry.folder / file).c_str(), times, 0), 0);
        }
  }

  PruneOutcome prune(const PruneRequest& request) const {
    const auto outcome = prune_store(store, request, std::chrono::system_clock::now());
    EXPECT_TRUE(outcome.ok());
    return *outcome;
  }

  static std::vector<std::string> names(const std::vector<StoredEntry>& entries) {
    std::vector<std::string> names;
    for (const StoredEntry& entry : entries)
      names.push_back(entry.label.heuristic + " " + entry.label.dataset);
    return names;
  }
  std::vector<std::string> names() const { return names(read_store(store)->families); }

  ScratchFolder folder;
  fs::path store = folder / "store";
  FakeHost host;
};

TEST_F(StoreContents, TellWhatWasMadeOfWhatAndWhoUsesIt) {
  const auto family = obtain("edges", "digits");
  obtain("corners", "letters");
  fs::create_directories(store / "checkpoints");
  std::ofstream(store / "checkpoints/a") << "12345";
  const StoreContent content = *read_store(store);
  EXPECT_THAT(names(content.families), UnorderedElementsAre("edges digits", "corners letters"));
  for (const StoredEntry& entry : content.families) {
    EXPECT_EQ(entry.label.version, "1.0.0");
    EXPECT_TRUE(entry.is_whole);
    EXPECT_EQ(entry.is_in_use, entry.label.heuristic == "edges");
    EXPECT_GT(entry.num_bytes, fs::file_size(entry.folder / "codes.mash"));
    EXPECT_GE(entry.used, entry.made);
  }
  ASSERT_EQ(content.others.size(), 1u);
  EXPECT_EQ(content.others[0].name, "checkpoints");
  EXPECT_EQ(content.others[0].num_bytes, 5u);
  EXPECT_EQ(content.total_bytes(), content.family_bytes() + 5);
  EXPECT_EQ(store_size(store), content.total_bytes());
}

TEST_F(StoreContents, AreOnlyLookedAt) {
  obtain("edges", "digits");
  const fs::path family = read_store(store)->families[0].folder;
  fs::remove(family / "use");  // as an earlier version left it
  fs::remove(family / "about.json");
  const StoreContent content = *read_store(store);
  EXPECT_THAT(names(content.families), ElementsAre("edges "));
  EXPECT_FALSE(content.families[0].is_in_use);
  EXPECT_FALSE(fs::exists(family / "use"));
  EXPECT_FALSE(read_store(folder / "nothing").ok());
}

TEST_F(StoreContents, GoByDataSet) {
  obtain("edges", "digits");
  obtain("edges", "letters");
  EXPECT_THAT(names(prune({.dataset = "digits"}).removed), ElementsAre("edges digits"));
  EXPECT_THAT(names(), ElementsAre("edges letters"));
}

TEST_F(StoreContents, OfStoppedExtractionsGoAlone) {
  obtain("whole", "digits");
  obtain("stopped", "digits");
  const auto going_on = obtain("going-on", "digits");
  const StoreContent whole = *read_store(store);
  for (const StoredEntry& entry : whole.families)
    if (entry.label.heuristic != "whole")
      fs::rename(entry.folder / "codes.mash", entry.folder / "values.part");
  const std::vector<StoredEntry> unfinished = read_store(store)->unfinished();
  EXPECT_THAT(names(unfinished), ElementsAre("stopped digits"));
  EXPECT_GT(unfinished[0].num_bytes, 1000u);
  const PruneOutcome outcome = prune({.only_unfinished = true});
  EXPECT_THAT(names(outcome.removed), ElementsAre("stopped digits"));
  EXPECT_THAT(names(outcome.in_use), ElementsAre("going-on digits"));
  EXPECT_THAT(names(), UnorderedElementsAre("whole digits", "going-on digits"));
}

TEST_F(StoreContents, GoByTheirLastUse) {
  for (const char* name : {"a", "b", "c"}) obtain(name, "digits");
  use_ago("a", 30);
  use_ago("b", 10);
  EXPECT_THAT(names(prune({.older_than = hours(31)}).removed), IsEmpty());
  EXPECT_THAT(names(prune({.older_than = hours(10)}).removed), ElementsAre("a digits", "b digits"));
  EXPECT_THAT(names(), ElementsAre("c digits"));
}

TEST_F(StoreContents, ThatWereUsedLongestAgoMakeRoom) {
  for (const char* name : {"a", "b", "c"}) obtain(name, "digits");
  use_ago("b", 30);
  use_ago("a", 20);
  use_ago("c", 10);
  const StoreContent content = *read_store(store);
  const std::uint64_t one = content.families[0].num_bytes;
  EXPECT_THAT(names(prune({.most_bytes = content.family_bytes()}).removed), IsEmpty());
  const PruneOutcome outcome = prune({.most_bytes = content.family_bytes() - one - 1});
  EXPECT_THAT(names(outcome.removed), ElementsAre("b digits", "a digits")) << "one alone is not enough";
  EXPECT_EQ(outcome.removed_bytes() + outcome.left_bytes, content.family_bytes());
  EXPECT_THAT(names(), ElementsAre("c digits"));
}

TEST_F(StoreContents, ConditionsHoldTogether) {
  obtain("a", "digits");
  obtain("b", "letters");
  use_ago("a", 5);
  use_ago("b", 30);
  const PruneRequest request{.dataset = "digits", .older_than = hours(4), .most_bytes = 0};
  EXPECT_THAT(names(prune(request).removed), ElementsAre("a digits"));
  EXPECT_THAT(names(), ElementsAre("b letters"));
}

TEST_F(StoreContents, ThoseOfAPluginCanBeRemoved) {
  obtain("a", "digits");
  obtain("a", "letters");
  obtain("b", "digits");
  EXPECT_THAT(names(prune({.plugin_sha256 = "plugin of a"}).removed),
              ::testing::UnorderedElementsAre("a digits", "a letters"));
  EXPECT_THAT(names(), ElementsAre("b digits"));
}

TEST_F(StoreContents, ADryRunRemovesNothing) {
  obtain("a", "digits");
  const auto used = obtain("b", "digits");
  const PruneOutcome outcome = prune({.dry_run = true});
  EXPECT_THAT(names(outcome.removed), ElementsAre("a digits"));
  EXPECT_THAT(names(outcome.in_use), ElementsAre("b digits"));
  EXPECT_EQ(names().size(), 2u);
}

TEST_F(StoreContents, ThatAnotherProcessUsesStay) {
  obtain("a", "digits");
  obtain("b", "digits");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto family = obtain("a", "digits");
    if (::write(ready[1], "r", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char done = 0;
  ASSERT_EQ(::read(ready[0], &done, 1), 1);
  const PruneOutcome outcome = prune({});
  EXPECT_THAT(names(outcome.removed), ElementsAre("b digits"));
  EXPECT_THAT(names(outcome.in_use), ElementsAre("a digits"));
  EXPECT_THAT(names(), ElementsAre("a digits"));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_THAT(names(prune({}).removed), ElementsAre("a digits")) << "a killed process uses nothing";
  EXPECT_THAT(names(), IsEmpty());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(StoreContents, OfAKilledPruneGoWithTheNext) {
  obtain("a", "digits");
  obtain("b", "digits");
  const fs::path aside = store / ".pruned-1-a";
  fs::rename(read_store(store)->families[0].folder, aside);
  EXPECT_EQ(names().size(), 1u) << "what is half removed is no family";
  prune({.dataset = "letters"});
  EXPECT_FALSE(fs::exists(aside));
}

TEST_F(StoreContents, AreRemovedByTwoPrunesAtOnce) {
  for (int i = 0; i < 40; ++i) obtain(fmt::format("h{}", i), "digits");
  const pid_t other = ::fork();
  if (other == 0) ::_exit(prune_store(store, {}, std::chrono::system_clock::now()).ok() ? 0 : 1);
  const auto outcome = prune_store(store, {}, std::chrono::system_clock::now());
  EXPECT_TRUE(outcome.ok()) << outcome.error().message;
  int status = -1;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(names().empty());
}

TEST_F(StoreContents, OfAKilledPruneGoThoughNothingIsLeftInThem) {
  fs::create_directories(store / ".pruned-1-a");
  prune({.dataset = "letters"});
  EXPECT_FALSE(fs::exists(store / ".pruned-1-a"));
}

// Families are asked for while they are pruned: a reader that has one has it whole.
TEST_F(StoreContents, AreComputedAgainWhereTheyWerePruned) {
  const pid_t pruner = ::fork();
  if (pruner == 0) {
    for (;;) [[maybe_unused]] const auto outcome = prune_store(store, {}, std::chrono::system_clock::now());
  }
  for (int i = 0; i < 60; ++i) {
    const auto family = obtain("a", "digits");
    ASSERT_NE(family, nullptr);
    for (std::uint32_t j = 0; j < 8; ++j) ASSERT_EQ(family->column(Side::kTrain, j).codes.size(), 60u);
    ASSERT_TRUE(
        fs::exists(store / fs::path(read_store(store)->families.at(0).folder).filename() / "codes.mash"));
  }
  ::kill(pruner, SIGKILL);
  ::waitpid(pruner, nullptr, 0);
}

}  // namespace
}  // namespace mash
