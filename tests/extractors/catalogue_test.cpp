// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/catalogue.hpp"

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string reason_of(const Catalogue& catalogue, const std::string& stem) {
  for (const RefusedPlugin& refused : catalogue.refused())
    if (refused.file.stem() == stem) return refused.reason;
  return "not refused";
}

TEST(Catalogue, ListsEachFaultyPluginWithItsReasonAndGoesOn) {
  const Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  const std::pair<const char*, const char*> reasons[] = {
      {"wrong_abi_version", "wrong ABI version: found 7, expected 1"},
      {"wrong_struct_size", "wrong struct size: found host_size"},
      {"wrong_descriptor_size", "wrong struct size: found a descriptor"},
      {"no_heuristics", "found 0 heuristics"},
      {"no_entry_symbol", "no symbol 'mash_plugin'"},
      {"entry_is_function", "mash_plugin is not data"},
      {"entry_made_at_load", "filled in by code that runs at load time"},
      {"null_function", "heuristic 'null-function': function compute is null"},
      {"unique_symbol", "UNIQUE binding"},
      {"undefined_symbol", "undefined symbol"},
      {"duplicate_b", "duplicate id: heuristic 'duplicate' is already defined by"},
      {"counter_a2", "duplicate id: heuristic 'counter-a'"}};
  for (const auto& [name, reason] : reasons)
    EXPECT_THAT(reason_of(catalogue, name), HasSubstr(reason)) << name;
  EXPECT_TRUE(catalogue.find("test/modern").ok());
  EXPECT_TRUE(catalogue.find("duplicate").ok());
}

TEST(Catalogue, CopiesWhatAHeuristicSaysAboutItself) {
  const Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  const auto found = catalogue.find("test/modern");
  ASSERT_TRUE(found.ok());
  const HeuristicInfo& info = **found;
  EXPECT_EQ(info.version, "1.2.3");
  EXPECT_EQ(info.author, "somebody");
  EXPECT_EQ(info.license, "Apache-2.0");
  EXPECT_FALSE(info.serial);
  EXPECT_EQ(info.plugin, test_plugin("modern"));
  EXPECT_EQ(info.plugin_sha256.size(), 64u);
  ASSERT_EQ(info.parameters.size(), 3u);
  EXPECT_EQ(info.parameters[0].maximum, 10);
  EXPECT_THAT(info.parameters[2].choices, ElementsAre("plus", "minus"));
  EXPECT_TRUE((*catalogue.find("serial"))->serial);
}

TEST(Catalogue, ListsHeuristicsById) {
  const Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  std::vector<std::string> ids;
  for (const HeuristicInfo& info : catalogue.heuristics()) ids.push_back(info.id);
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_GT(ids.size(), 8u);
}

TEST(Catalogue, TakesTheFirstFolderFirst) {
  const TemporaryFolder first;
  std::filesystem::copy_file(test_plugin("duplicate_b"), first.path() / "z.so");
  const Catalogue catalogue =
      Catalogue::scan(std::vector<std::filesystem::path>{first.path(), MASH_TEST_PLUGIN_DIR});
  EXPECT_EQ((*catalogue.find("duplicate"))->version, "2.0.0");
  EXPECT_THAT(reason_of(catalogue, "duplicate_a"), HasSubstr((first.path() / "z.so").string()));
}

TEST(Catalogue, IgnoresOtherFilesAndSurvivesStrangeOnes) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "README.md", "text").ok());
  ASSERT_TRUE(write_file_atomically(folder.path() / "text.so", "text").ok());
  ASSERT_TRUE(
      write_file_atomically(folder.path() / "cut.so", read_file(test_plugin("modern"))->substr(0, 2000))
          .ok());
  std::filesystem::create_directory(folder.path() / "folder.so");
  std::filesystem::create_symlink("nowhere", folder.path() / "dangling.so");
  const Catalogue catalogue = scan_folder(folder.path());
  EXPECT_TRUE(catalogue.heuristics().empty());
  EXPECT_EQ(catalogue.refused().size(), 4u);
  EXPECT_THAT(reason_of(catalogue, "text"), HasSubstr("not a library"));
  EXPECT_THAT(reason_of(catalogue, "cut"), HasSubstr("truncated ELF file"));
  EXPECT_EQ(reason_of(catalogue, "folder"), "not a regular file");
  EXPECT_EQ(reason_of(catalogue, "dangling"), "no such file");
}

TEST(Catalogue, ListsAFolderThatIsNotThere) {
  const Catalogue catalogue = scan_folder("/nonexistent/heuristics");
  ASSERT_EQ(catalogue.refused().size(), 1u);
  EXPECT_THAT(catalogue.refused()[0].reason, HasSubstr("cannot be searched"));
}

TEST(Catalogue, APluginThatTheUserNamesIsAnErrorWhenRefused) {
  Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  const Status status = catalogue.add(test_plugin("wrong_abi_version"));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kInput);
  EXPECT_THAT(status.error().message,
              AllOf(StartsWith(test_plugin("wrong_abi_version").string()), HasSubstr("found 7")));
  EXPECT_THAT(message_of(catalogue.add(test_plugin("modern"))), HasSubstr("duplicate id"));
}

TEST(Catalogue, AddsAPluginThatTheUserNames) {
  Catalogue catalogue = Catalogue::scan({});
  ASSERT_EQ(message_of(catalogue.add(test_plugin("modern"))), "");
  EXPECT_EQ(catalogue.heuristics().size(), 1u);
}

// As those who try and check a project name it.
TEST(Catalogue, TakesThePluginOfAProjectThatIsNamedByItsFolder) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "CMakeLists.txt", "project(edges)").ok());
  const std::vector<std::string> named{folder.path().string()};
  const auto reason = [&] {
    const auto catalogue = Catalogue::open(named, in_this_process());
    for (const RefusedPlugin& refused : catalogue->refused())
      if (refused.file == folder.path()) return refused.reason;
    return std::string();
  };
  EXPECT_THAT(reason(), HasSubstr("not built; mash heuristic build builds it"));
  fs::create_directory(folder.path() / "build");
  fs::copy_file(test_plugin("modern"), folder.path() / "build/modern.so");
  EXPECT_EQ(reason(), "");
  EXPECT_TRUE(Catalogue::open(named, in_this_process())->find("test/modern").ok());
}

TEST(Catalogue, UnknownIdsTellWhichFoldersCannotBeSearched) {
  EXPECT_THAT(message_of(scan_folder("/nonexistent/heuristics").find("mine")),
              HasSubstr("$MASH_HEURISTICS say; /nonexistent/heuristics cannot be searched: "));
}

TEST(Catalogue, UnknownIdsListTheKnownOnesOrTellWhyTheFileWasRefused) {
  Catalogue catalogue = Catalogue::scan({});
  ASSERT_TRUE(catalogue.add(test_plugin("modern")).ok());
  EXPECT_EQ(message_of(catalogue.find("modem")),
            "unknown heuristic 'modem'; known: test/modern; others are looked for where --heuristics and "
            "$MASH_HEURISTICS say");
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "edges.so", "text").ok());
  EXPECT_THAT(message_of(scan_folder(folder.path()).find("edges")),
              AllOf(HasSubstr("edges.so was refused"), HasSubstr("not a library")));
}

TEST(Catalogue, ExtractsThroughTheHost) {
  Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  const auto instance = catalogue.host().open(**catalogue.find("test/modern"), std::vector<double>{1, 2, 0});
  ASSERT_EQ(message_of(instance), "");
  const TestImage image(3, 2, 1, {10, 20, 30, 40, 50, 60});
  EXPECT_EQ(*(*instance)->dim({3, 2}), 6u);
  std::vector<float> all(6);
  ASSERT_EQ(message_of((*instance)->extract(image.abi(), image.whole(), {}, all)), "");
  EXPECT_THAT(all, ElementsAre(21, 41, 61, 81, 101, 121));
  std::vector<float> some(3);
  const std::vector<std::uint32_t> indices = {3, 0, 3};
  const mash_view_t right = {1, 0, 2, 2};
  ASSERT_EQ(message_of((*instance)->extract(image.abi(), right, indices, some)), "");
  EXPECT_THAT(some, ElementsAre(121, 41, 121));
}

TEST(Catalogue, AnInstanceOutlivesItsCatalogue) {
  std::unique_ptr<HeuristicInstance> instance;
  {
    Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
    Catalogue moved = std::move(catalogue);
    instance = *moved.host().open(**moved.find("test/modern"), std::vector<double>{1, 2, 1});
  }
  EXPECT_EQ(*instance->dim({5, 5}), 25u);
}

TEST(Catalogue, AnInstanceGoesOnAfterAFailedImage) {
  Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  const auto instance = catalogue.host().open(**catalogue.find("test/modern"), std::vector<double>{0, 1, 0});
  const TestImage bad(1, 1, 1, {255}), good(1, 1, 1, {7});
  std::vector<float> out(1);
  EXPECT_THAT(message_of((*instance)->extract(bad.abi(), bad.whole(), {}, out)),
              AllOf(HasSubstr("'test/modern': compute"), HasSubstr("not a std::exception")));
  ASSERT_TRUE((*instance)->extract(good.abi(), good.whole(), {}, out).ok());
  EXPECT_EQ(out[0], 7);
}

TEST(Catalogue, ExtractsATileImageByImage) {
  Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  const auto instance = catalogue.host().open(**catalogue.find("test/modern"), std::vector<double>{1, 2, 0});
  const TestImage first(3, 1, 1, {10, 20, 30}), second(3, 1, 1, {40, 50, 60});
  const mash_image_t images[] = {first.abi(), second.abi()};
  std::vector<float> all(6), last(2);
  const mash_view_t whole = first.whole();
  const TileResult result = (*instance)->extract({images, {&whole, 1}}, {}, all);
  ASSERT_EQ(message_of(result.status), "");
  EXPECT_EQ(result.num_done, 2u);
  EXPECT_THAT(all, ElementsAre(21, 41, 61, 81, 101, 121));
  const std::uint32_t index = 2;
  ASSERT_TRUE((*instance)->extract({images, {&whole, 1}}, {&index, 1}, last).status.ok());
  EXPECT_THAT(last, ElementsAre(61, 121));
}

TEST(Catalogue, TellsWhichImageOfATileFailed) {
  Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  const auto instance = catalogue.host().open(**catalogue.find("test/modern"), std::vector<double>{0, 1, 0});
  const TestImage bad(1, 1, 1, {255}), good(1, 1, 1, {7});
  const mash_image_t images[] = {good.abi(), bad.abi(), good.abi()};
  std::vector<float> out(3);
  const mash_view_t whole = good.whole();
  const TileResult result = (*instance)->extract({images, {&whole, 1}}, {}, out);
  EXPECT_EQ(result.num_done, 1u);
  EXPECT_THAT(message_of(result.status), HasSubstr("not a std::exception"));
  EXPECT_EQ(out[0], 7);
  const TileResult rest =
      (*instance)->extract({std::span(images).subspan(2), {&whole, 1}}, {}, std::span(out).subspan(2));
  EXPECT_EQ(rest.num_done, 1u);
  EXPECT_EQ(out[2], 7);
}

// The describer of plugins decides what is in a catalogue; the catalogue itself loads nothing.
TEST(Catalogue, BelievesWhoDescribesPlugins) {
  std::vector<std::string> asked;
  const auto describe = [&](std::span<const std::filesystem::path> files) {
    std::vector<DescribedPlugin> described;
    for (const std::filesystem::path& file : files) {
      asked.push_back(file.filename());
      HeuristicInfo info;
      info.id = file.stem();
      info.plugin = file;
      info.plugin_sha256 = sha256(*read_file(file));
      if (info.id == "bad")
        described.emplace_back(input_error("its worker crashed"));
      else
        described.emplace_back(std::vector{info});
    }
    return described;
  };
  const TemporaryFolder folder;
  for (const char* name : {"bad.so", "good.so"})
    ASSERT_TRUE(write_file_atomically(folder.path() / name, "no ELF file at all").ok());
  PluginAccess access = in_this_process();
  access.describe = describe;
  const std::vector<std::filesystem::path> folders{folder.path()};
  Catalogue catalogue = Catalogue::scan(folders, std::move(access));
  EXPECT_THAT(asked, ElementsAre("bad.so", "good.so"));
  EXPECT_EQ(reason_of(catalogue, "bad"), "its worker crashed");
  ASSERT_TRUE(catalogue.find("good").ok());
  EXPECT_THAT(message_of(catalogue.host().open(**catalogue.find("good"), {})),
              AllOf(HasSubstr("good.so"), HasSubstr("not a library")))
      << "loaded by the host, when opened";
}

TEST(Catalogue, IsNoneWhereLookingAtPluginsIsStopped) {
  const auto stopped = [] {
    PluginAccess access = in_this_process();
    access.describe = [](std::span<const std::filesystem::path>) { return stopped_by_user(); };
    return access;
  };
  for (const std::string& named : {std::string(test_plugin("modern")), std::string(MASH_TEST_PLUGIN_DIR)}) {
    const auto opened = Catalogue::open({&named, 1}, stopped());
    ASSERT_FALSE(opened.ok()) << named;
    EXPECT_EQ(opened.error().kind, ErrorKind::kStopped) << named << ": " << opened.error().message;
  }
}

TEST(Catalogue, LoadsAPluginWhenItsHeuristicIsOpened) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "counter.so";
  std::filesystem::copy_file(test_plugin("counter_a"), file);
  Catalogue catalogue = scan_folder(folder.path());
  const HeuristicInfo& info = **catalogue.find("counter-a");
  ASSERT_TRUE(write_file_atomically(file, *read_file(test_plugin("counter_a2"))).ok());
  EXPECT_THAT(message_of(catalogue.host().open(info, {})),
              AllOf(HasSubstr("'counter-a'"), HasSubstr("counter.so has changed")));
  ASSERT_TRUE(write_file_atomically(file, *read_file(test_plugin("counter_a"))).ok());
  ASSERT_EQ(message_of(catalogue.host().open(info, {})), "");
  std::filesystem::remove(file);
  EXPECT_EQ(message_of(catalogue.host().open(info, {})), "") << "loaded once";
}

TEST(Catalogue, OpensOnlyWhatThePluginHas) {
  Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  HeuristicInfo info = **catalogue.find("test/modern");
  info.id = "elsewhere";
  EXPECT_THAT(message_of(catalogue.host().open(info, {})),
              AllOf(HasSubstr("'elsewhere'"), HasSubstr("has no heuristic of that name")));
}

}  // namespace
}  // namespace mash
