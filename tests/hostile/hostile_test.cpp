// SPDX-License-Identifier: Apache-2.0
// The hostile corpus: 34 misdeeds, each in six calls of a heuristic's life and some while its library is
// loaded. In all cases this process goes on, and nothing is left of theirs.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <set>

#include "framework/base/child_process.hpp"
#include "framework/base/running_program.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/isolation/plugin_access.hpp"
#include "tests/support/box.hpp"
#include "tests/support/other_user.hpp"
#include "tests/support/places.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::IsEmpty;

const fs::path kPlugins = MASH_HOSTILE_DIR;
const fs::path kWritten = "/tmp/mash-hostile-was-here";  // by a heuristic that may

// Limits that a test can wait for; a busy machine does not count.
IsolationSettings settings_of(Isolation isolation, double seconds = 0.3) {
  IsolationSettings settings;
  settings.isolation = isolation;
  settings.budget.init_seconds = settings.budget.bank_seconds = seconds;
  settings.budget.memory_bytes = std::uint64_t(64) << 20;
  return settings;
}

std::size_t num_descriptors() {
  return std::size_t(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

// Processes that this one has started and that are still there.
std::set<std::string> children() {
  std::set<std::string> found;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (std::string pid; file >> pid;) found.insert(pid);
  }
  return found;
}

// Entries of a folder whose names begin so; nothing where there is no such folder.
std::set<std::string> entries(const fs::path& folder, const std::string& begin) {
  std::set<std::string> found;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->path().filename().string().starts_with(begin)) found.insert(entry->path().string());
  return found;
}

// Temporary folders, named shared memory, and control groups of this process.
std::set<std::string> what_could_be_left() {
  std::set<std::string> found = entries(fs::temp_directory_path(), "mash-tmp-");
  found.merge(entries("/dev/shm", ""));
  for (const char* hierarchy : {"", "memory", "pids"})
    found.merge(entries(fs::path("/sys/fs/cgroup") / hierarchy, fmt::format("mash-{}-", ::getpid())));
  return found;
}

// The outcome of a heuristic: the errors, or "accepted, let: 0".
std::string outcome_of(Catalogue& catalogue, const HeuristicInfo& info) {
  constexpr std::uint8_t kPixels[64] = {};
  mash_image_t image{sizeof image, 1, 8, 8, {kPixels, 8, 1}, {}, {}, {}};
  image.red = image.green = image.blue = image.gray;
  const std::array<mash_image_t, 3> images{image, image, image};
  std::string outcome;
  float most = 0;
  {
    const auto instance = catalogue.host().open(info, *parameter_values(info, {}));
    if (!instance.ok()) return instance.error().message;
    const auto dim = (*instance)->dim({8, 8});
    if (!dim.ok()) outcome = dim.error().message;
    if (dim.ok()) {
      std::vector<float> values(images.size() * *dim);
      const mash_view_t whole{0, 0, 8, 8};
      const TileResult result = (*instance)->extract({images, {&whole, 1}}, {}, values);
      if (!result.status.ok()) outcome = result.status.error().message;
      if (result.status.ok()) most = *std::max_element(values.begin(), values.end());
    }
  }
  for (const Incident& incident : catalogue.host().take_incidents())
    if (incident.call == "destroy" || incident.call == "release")
      outcome += incident.call + ": " + incident.end;
  return outcome.empty() ? fmt::format("accepted, let: {}", most) : outcome;
}

// The end of each misdeed: a regular expression for each isolation.
struct Expected {
  const char* misdeed;
  const char* process;
  const char* box;
  double seconds = 0.3;  // what each call may take
};
constexpr const char* kLet = "let: 1|signal 6";  // told by abort where there is no feature to tell it in
constexpr const char* kNotLet = "accepted, let: 0";
constexpr const char* kRefused = "accepted, let: 0|signal 31";
constexpr const char* kDisbelieved =
    "wrote to the channel|words cannot be read|worker says|left out|accepted, let: 0";
constexpr const char* kUnreadable = "words cannot be read|wrote to the channel|let: [01]|signal (6|31)";
constexpr Expected kExpected[] = {
    {"segfault", "signal 11", "signal 11"},
    {"abort", "signal 6", "signal 6"},
    {"exit-zero", "exit code 0", "exit code 0"},
    {"exit-139", "exit code 139", "139"},
    {"loop", "took (longer|more) than 0\\.", "took (longer|more) than 0\\."},
    {"sleep", "took longer than 0\\.", "took longer than 0\\."},
    {"fill-memory", kNotLet, kNotLet, 30},  // where the machine is slow to hand out pages
    {"overflow-stack", "signal 11", "signal 11"},
    {"flood-stderr", "took (longer|more) than 0\\.", "took (longer|more) than 0\\."},
    {"close-descriptors", "exit code|closed the channel|signal 6", "exit code|closed the channel|signal 6"},
    {"answer-for-worker", "wrote to the channel", "wrote to the channel"},
    {"kill-itself", "signal 9", "accepted, let: 0|signal 9"},
    // A limit that no more threads fit into ends it too.
    {"thread-storm", "took (longer|more) than 0\\.|signal 6", kRefused},
    {"fork-bomb", kNotLet, kRefused},
    {"run-program", kNotLet, kRefused},
    {"open-socket", kLet, kRefused},
    {"write-file", kLet, kRefused},
    {"read-shadow", ".", kNotLet},
    {"kill-parent", nullptr, kRefused},  // in a process it would end this test
    {"open-library", kLet, kRefused},
    {"write-past-the-end", "signal 11|accepted, let: 0", "signal 11|accepted, let: 0"},
    {"nan-flood", "accepted, let: -?nan", "accepted, let: -?nan"},
    // Memory that only the worker should write to is no more believed than the plugin.
    {"overwrite-shared", "accepted, let: (0|1|-?nan)|signal 6", "accepted, let: (0|1|-?nan)|signal 6"},
    {"lie-in-reply", kDisbelieved, kDisbelieved},
    {"nest-reply", kUnreadable, kUnreadable},
    {"forge-fault", kUnreadable, kUnreadable},
    {"send-descriptors", kDisbelieved, "accepted, let: 0|signal 31"},
    {"flood-channel", kDisbelieved, kDisbelieved},
    {"share-memory", kNotLet, kRefused},
    {"share-memory-file", kNotLet, kRefused},
    {"reserve-addresses", kLet, kNotLet},
    {"grow-downwards", kNotLet, kNotLet},
    {"secret-memory", kNotLet, kRefused},
    {"outlive-host", kNotLet, kRefused},
};

// With sanitizers, which need terabytes of addresses, memory has no limit.
bool is_beyond_this_build([[maybe_unused]] const Expected& expected) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return std::string_view(expected.misdeed) == "fill-memory";
#else
  return false;
#endif
}

class Hostile : public ::testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    if (GetParam() == Isolation::kBox && !testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  }
  // seconds: what each call may take.
  static Catalogue with_plugin(const std::string& file, double seconds) {
    Catalogue catalogue(access_to_plugins(settings_of(GetParam(), seconds), testing::quiet_work()));
    const Status added = catalogue.add(kPlugins / file);
    EXPECT_TRUE(added.ok()) << added.error().message;
    return catalogue;
  }

  // Nobody else leaves anything here.
  Hostile() { ::setenv("TMPDIR", temporary_.path().c_str(), 1); }
  ~Hostile() override {
    ::unsetenv("TMPDIR");
    fs::remove(kWritten);
  }

 private:
  const testing::ScratchFolder temporary_;
};

TEST_P(Hostile, EveryMisdeedInEveryCallCostsItselfAlone) {
  const std::set<std::string> before = what_could_be_left();
  const std::size_t num_descriptors_before = num_descriptors();
  {
    std::size_t num_tried = 0;
    for (const Expected& expected : kExpected) {
      const char* wanted = GetParam() == Isolation::kBox ? expected.box : expected.process;
      if (wanted == nullptr) continue;
      if (is_beyond_this_build(expected)) continue;
      Catalogue catalogue = with_plugin("every_call.so", expected.seconds);
      for (const char* call : {"create", "dim", "prepare", "compute", "release", "destroy"}) {
        const std::string id = fmt::format("hostile/{}-in-{}", expected.misdeed, call);
        const auto found = catalogue.find(id);
        ASSERT_TRUE(found.ok()) << id;
        EXPECT_THAT(outcome_of(catalogue, **found), ContainsRegex(wanted)) << id;
        ++num_tried;
      }
    }
    EXPECT_GE(num_tried, 150u);
  }
  EXPECT_THAT(children(), IsEmpty());
  EXPECT_EQ(num_descriptors(), num_descriptors_before);
  EXPECT_EQ(what_could_be_left(), before);
  EXPECT_TRUE(GetParam() != Isolation::kBox || !fs::exists(kWritten));
}

// Each misdeed in one of the classic calls.
TEST_P(Hostile, ClassicOnesToo) {
  std::size_t number = 0;
  for (const Expected& expected : kExpected) {
    const std::string id = fmt::format("classic/{}", number++);
    const char* wanted = GetParam() == Isolation::kBox ? expected.box : expected.process;
    if (wanted == nullptr || is_beyond_this_build(expected)) continue;
    Catalogue catalogue = with_plugin(id + ".so", expected.seconds);
    const auto found = catalogue.find(id);
    ASSERT_TRUE(found.ok()) << id;
    EXPECT_THAT(outcome_of(catalogue, **found), ContainsRegex(wanted)) << id << ", " << expected.misdeed;
  }
  EXPECT_EQ(number, 34u);
}

TEST_P(Hostile, WhileItIsLoadedToo) {
  const fs::path folder = kPlugins / "at_load";
  const testing::ScratchFolder chosen;
  for (const auto& file : fs::directory_iterator(folder))
    if (GetParam() == Isolation::kBox || file.path().stem() != "KillParent")
      fs::copy_file(file.path(), chosen / file.path().filename());
  fs::copy_file(fs::path(testing::binary_folder()) / "heuristics" / "identity.so", chosen / "identity.so");
  const std::vector<fs::path> folders{chosen.path()};
  Catalogue catalogue =
      Catalogue::scan(folders, access_to_plugins(settings_of(GetParam()), testing::quiet_work()));
  EXPECT_TRUE(catalogue.find("identity").ok());
  std::set<std::string> refused;
  for (const RefusedPlugin& plugin : catalogue.refused()) {
    refused.insert(plugin.file.stem());
    EXPECT_THAT(plugin.reason, ContainsRegex("load: (signal|exit code|took)")) << plugin.file;
  }
  for (const char* name : {"Segfault", "Abort", "ExitZero", "Loop"})
    EXPECT_TRUE(refused.contains(name)) << name;
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    if (info.id == "identity") continue;
    const bool may = GetParam() == Isolation::kProcess &&
                     (info.id == "at-load/opensocket" || info.id == "at-load/writefile");
    EXPECT_EQ(outcome_of(catalogue, info), fmt::format("accepted, let: {}", int(may))) << info.id;
  }
  EXPECT_TRUE(GetParam() != Isolation::kBox || !fs::exists(kWritten));
}

INSTANTIATE_TEST_SUITE_P(Isolations, Hostile, ::testing::Values(Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });

// All of the above once more, as a user without rights.
TEST(HostileAsAnotherUser, IsNoDifferent) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can become another user; the tests above ran as one without rights";
  if (!testing::anyone_can_run_this()) GTEST_SKIP() << testing::kNotForOthers;
  constexpr unsigned kNobody = 65534;
  ChildCommand command;
  command.arguments = {running_program().string(), "--gtest_filter=Isolations/Hostile.*"};
  command.user = ChildUser{kNobody};
  auto child = ChildProcess::start(std::move(command));
  ASSERT_TRUE(child.ok()) << child.error().message;
  const ChildResult result = child->wait();
  EXPECT_TRUE(result.succeeded()) << result.out << result.err;
}

}  // namespace
}  // namespace mash
