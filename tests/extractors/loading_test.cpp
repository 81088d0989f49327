// SPDX-License-Identifier: Apache-2.0
// Known traps of loading shared libraries; each test is a trap that was met.
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "framework/base/file.hpp"
#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

float count_call(GuardedHeuristic& counter) {
  const TestImage image(1, 1, 1, {0});
  std::vector<float> out(1);
  EXPECT_TRUE(counter.prepare(image.abi(), image.whole()).ok());
  EXPECT_TRUE(counter.compute({}, out).ok());
  EXPECT_TRUE(counter.release().ok());
  return out[0];
}

std::string memory_map() {
  std::ifstream maps("/proc/self/maps");
  return {std::istreambuf_iterator<char>(maps), {}};
}

// Statics of templates have UNIQUE binding unless told otherwise: then A and B would count together.
TEST(Loading, PluginsDoNotShareStatics) {
  const auto a = open_guarded("counter_a"), b = open_guarded("counter_b");
  EXPECT_EQ(count_call(**a), 1);
  EXPECT_EQ(count_call(**a), 2);
  EXPECT_EQ(count_call(**b), 1);
}

// A library with UNIQUE or too many exported symbols would stay for ever.
TEST(Loading, PluginsReallyUnload) {
  auto plugin = Plugin::load(test_plugin("counter_a"));
  ASSERT_TRUE(plugin.ok());
  const std::string sha256 = (*plugin)->infos()[0].plugin_sha256;
  EXPECT_THAT(memory_map(), HasSubstr(sha256)) << "loaded from a copy named by its content";
  plugin->reset();
  EXPECT_THAT(memory_map(), Not(HasSubstr(sha256)));
  const auto again = open_guarded("counter_a");
  EXPECT_EQ(count_call(**again), 1) << "loaded afresh, the static starts again";
}

// dlopen of a replaced file on the same path gives the old library back.
TEST(Loading, AReplacedFileIsAnotherPlugin) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "counter.so";
  ASSERT_TRUE(write_file_atomically(file, *read_file(test_plugin("counter_a"))).ok());
  const Catalogue before = scan_folder(folder.path());
  ASSERT_TRUE(write_file_atomically(file, *read_file(test_plugin("counter_a2"))).ok());
  const Catalogue after = scan_folder(folder.path());
  EXPECT_EQ((*before.find("counter-a"))->version, "1.0.0");
  EXPECT_EQ((*after.find("counter-a"))->version, "2.0.0");
}

// A library that is written over while it is loaded would take the program down with it.
TEST(Loading, OverwritingTheFileDoesNoHarm) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(test_plugin("counter_a2"), folder.path() / "counter.so");
  Catalogue catalogue = scan_folder(folder.path());
  const auto instance = catalogue.host().open(**catalogue.find("counter-a"), {});
  std::filesystem::resize_file(folder.path() / "counter.so", 0);
  const TestImage image(1, 1, 1, {0});
  std::vector<float> out(1);
  ASSERT_TRUE((*instance)->extract(image.abi(), image.whole(), {}, out).ok());
  EXPECT_EQ(out[0], 1);
}

// Static constructors run inside dlopen, before any handshake in memory.
TEST(Loading, ARefusedFileNeverRuns) {
  ::unsetenv("MASH_TEST_RAN_AT_LOAD");
  EXPECT_THAT(message_of(Plugin::load(test_plugin("runs_at_load"))), HasSubstr("wrong ABI version: found 0"));
  EXPECT_EQ(std::getenv("MASH_TEST_RAN_AT_LOAD"), nullptr);
}

// With RTLD_LAZY it would be found when the heuristic is called, and end the program.
TEST(Loading, MissingSymbolsAreFoundAtOnce) {
  EXPECT_THAT(message_of(Plugin::load(test_plugin("undefined_symbol"))),
              HasSubstr("mash_test_nobody_defines_this"));
}

// A library that one thread is still copying while another loads it ends the program.
TEST(Loading, ThreadsMayLoadTheSamePluginAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> num_loaded{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (const char* name : {"modern", "counter_a", "counter_b", "throws"})
        num_loaded += Plugin::load(test_plugin(name)).ok() ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_loaded, 32);
}

// Runs a test of this program that loads a plugin, in a process with this folder for temporary files.
bool loads_with_temporary_folder(const std::filesystem::path& folder) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      fmt::format("TMPDIR='{}' '{}' --gtest_filter=Catalogue.AddsAPluginThatTheUserNames > /dev/null",
                  folder.string(), program);
  return std::system(command.c_str()) == 0;
}

TEST(Loading, RemovesItsCopiesAtExit) {
  const TemporaryFolder folder;
  EXPECT_TRUE(loads_with_temporary_folder(folder.path()));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_FALSE(loads_with_temporary_folder("/nonexistent")) << "or the copies were made elsewhere";
}

}  // namespace
}  // namespace mash
