// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/worker_walls.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/heuristic_worker.hpp"
#include "tests/support/box.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// An error in the system's words, and whether the walls have a word on it.
struct Told {
  Isolation isolation;
  const char* error;
  const char* word;  // ""; none
};
constexpr Told kTold[] = {
    {Isolation::kBox, "compute returned MASH_ERROR: Permission denied", "no thread, process or program"},
    {Isolation::kBox, "compute returned MASH_ERROR: Operation not permitted", ""},
    {Isolation::kBox, "compute returned MASH_ERROR: odd width", ""},
    {Isolation::kProcess, "create returned MASH_ERROR: Operation not permitted",
     "no process and no program, nor take shared memory"},
    {Isolation::kProcess, "create returned MASH_ERROR: Permission denied", ""},
    {Isolation::kNone, "create returned MASH_ERROR: Operation not permitted", ""},
};

TEST(WorkerWalls, AreNamedWhereTheyRefuse) {
  for (const auto& [isolation, error, word] : kTold) {
    const std::string told = with_word_on_walls(error, {isolation});
    EXPECT_THAT(told, ::testing::StartsWith(error));
    EXPECT_THAT(told, HasSubstr(word));
    EXPECT_EQ(told == error, std::string(word).empty()) << told;
  }
}

// Where the children of this process stand in the file that is their descriptor 4.
std::vector<std::string> positions_of_children() {
  std::vector<std::string> positions;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (std::string pid; children >> pid;) {
      std::ifstream about("/proc/" + pid + "/fdinfo/4");
      for (std::string key, value; about >> key >> value;)
        if (key == "pos:") positions.push_back(value);
    }
  }
  return positions;
}

// A position that processes share is a way to tell each other something.
TEST(WorkerWalls, NoPositionInAFileIsShared) {
  const std::string file = testing::binary_folder() + "/heuristics/identity.so";
  const auto plugin = sealed_file("mash-plugin", read_plugin_file(file)->content);
  ASSERT_TRUE(plugin.ok());
  ASSERT_EQ(::lseek(plugin->number(), 100, SEEK_SET), 100);
  const testing::ScratchFolder scratch;
  const WorkerPlace place{Isolation::kProcess, scratch.path(), nullptr};
  const auto first = HeuristicWorker::start(*plugin, {}, place),
             second = HeuristicWorker::start(*plugin, {}, place);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_THAT(positions_of_children(), ::testing::ElementsAre("0", "0"));
}

}  // namespace
}  // namespace mash
