// SPDX-License-Identifier: Apache-2.0
//
// Every check on a heuristic that breaks it, a sound one on all checks, and all built-in heuristics.
#include <gmock/gmock.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "framework/checks/check.hpp"
#include "framework/checks/sanitized.hpp"
#include "tests/support/box.hpp"
#include "tests/support/places.hpp"
#include "tests/support/program.hpp"

namespace mash::checks {
namespace {

namespace fs = std::filesystem;

const fs::path kTwins = testing::source_folder() + "/tests/checks/faulty";

// Whether heuristics are built with a sanitizer, with which large pictures take many times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSlow = true;
#else
constexpr bool kIsSlow = false;
#endif

// The source that breaks the check "contract.dim-range": contract/dim_range.cpp.
fs::path source_of(std::string id) {
  std::replace(id.begin(), id.end(), '.', '/');
  std::replace(id.begin(), id.end(), '-', '_');
  return kTwins / (id + ".cpp");
}

// The plugin that is made of a source: "contract_dim_range".
std::string plugin_name(const fs::path& twin) {
  return twin.parent_path().filename().string() + "_" + twin.stem().string();
}

// The output of `mash heuristic check` as JSON.
nlohmann::json run_checks(std::vector<std::string> arguments, int expected_exit) {
  arguments.insert(arguments.begin(), {"mash", "heuristic", "check", "--json", "--cycles", "200"});
  testing::Sandbox sandbox;
  sandbox.environment["CXXFLAGS"] = "-I" + testing::source_folder();  // for sources that are compiled
  const testing::ProgramResult result = sandbox.run(arguments);
  EXPECT_EQ(result.exit_code, expected_exit) << result.out << result.err;
  EXPECT_TRUE(fs::is_empty(sandbox.root() / "temporary")) << "temporary files were left behind";
  return nlohmann::json::parse(result.out, nullptr, false);
}

std::vector<fs::path> faulty_twins() {
  std::vector<fs::path> twins;
  for (const auto& entry : fs::recursive_directory_iterator(kTwins))
    if (entry.is_regular_file()) twins.push_back(entry.path());
  std::sort(twins.begin(), twins.end());
  return twins;
}

// The check that a twin is of: its file name up to "__".
const Check* check_of(const fs::path& twin) {
  const std::string stem = twin.stem().string();
  const fs::path first = twin.parent_path() / (stem.substr(0, stem.find("__")) + ".cpp");
  for (const Check& check : all_checks())
    if (source_of(std::string(check.id)) == first) return &check;
  return nullptr;
}

TEST(Checks, EachHasAFaultyTwin) {
  for (const Check& check : all_checks())
    EXPECT_TRUE(fs::exists(source_of(std::string(check.id)))) << check.id;
}

TEST(Checks, AreDescribed) {
  std::ifstream file(testing::source_folder() + "/sdk/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string_view> ids;
  for (const Check& check : all_checks()) {
    SCOPED_TRACE(check.id);
    EXPECT_TRUE(check.id.starts_with(std::string(level_name(check.level)) + "."));
    EXPECT_TRUE(check.worst == Outcome::kFail || check.worst == Outcome::kWarn);
    EXPECT_GT(check.what.size(), 10u);
    EXPECT_TRUE(check.advice.ends_with(".")) << check.advice;
    EXPECT_EQ(check.advice.find(". "), std::string_view::npos) << "more than one sentence";
    EXPECT_NE(readme.find(fmt::format("| `{}` |", check.id)), std::string::npos) << "not in sdk/README.md";
    ids.push_back(check.id);
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

class FaultyTwin : public ::testing::TestWithParam<fs::path> {
 protected:
  // The finding of its check, and nothing else runs.
  static nlohmann::json find(const std::string& plugin, const Check& check, const std::string& isolation) {
    const std::string seconds = kIsSlow ? "20" : "4";
    const nlohmann::json report = run_checks(
        {plugin, "--only", std::string(check.id), "--time-limit", seconds, "--isolation", isolation},
        check.worst == Outcome::kFail ? 1 : 0);
    EXPECT_EQ(report["checks"].size(), 1u) << report;
    const nlohmann::json found = report["checks"][0];
    EXPECT_EQ(found["id"], check.id);
    EXPECT_EQ(found["result"], outcome_name(check.worst)) << found;
    EXPECT_NE(found["evidence"], "");
    return found;
  }
};

TEST_P(FaultyTwin, IsFound) {
#if defined(__SANITIZE_THREAD__)
  const std::string twin = plugin_name(GetParam());
  if (twin == "values_finite__double_free" || twin == "values_initialised")
    GTEST_SKIP() << "the heap of the thread sanitizer takes memory back twice, and fills it in its own way";
  if (check_of(GetParam())->id == kSanitizersCheck)
    GTEST_SKIP() << "a program with the thread sanitizer loads no other sanitizer";
#endif
  const Check* check = check_of(GetParam());
  ASSERT_NE(check, nullptr) << "no check of that name";
  std::string plugin = MASH_FAULTY_DIR "/" + plugin_name(GetParam()) + ".so";
  const testing::ScratchFolder folder;
  if (check->id == kSanitizersCheck) {  // looks at what it is made of
    plugin = folder / (plugin_name(GetParam()) + ".cpp");
    fs::copy_file(GetParam(), plugin);
  }
  const nlohmann::json found = find(plugin, *check, "process");
  // Advice on a crash is not what its check is about.
  const std::string evidence = found["evidence"];
  bool is_crash = evidence.starts_with("crash: ");
#if defined(__SANITIZE_ADDRESS__)
  is_crash = is_crash || evidence.starts_with("ended the process: ");  // by the sanitizer's own heap
#endif
  if (is_crash && check->level == Level::kValues) return;
  EXPECT_EQ(found["advice"], check->advice);
}

// Checks that need what a box has not.
const std::set<std::string_view> kInNoBox{"resources.descriptors", "resources.threads", kSanitizersCheck};

TEST_P(FaultyTwin, IsFoundInABoxToo) {
  if (!testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  const Check* check = check_of(GetParam());
  ASSERT_NE(check, nullptr) << "no check of that name";
  if (kInNoBox.contains(check->id)) return;
  find(MASH_FAULTY_DIR "/" + plugin_name(GetParam()) + ".so", *check, "box");
}

std::string twin_name(const ::testing::TestParamInfo<fs::path>& info) {
  return std::regex_replace(plugin_name(info.param), std::regex("__"), "_");
}
INSTANTIATE_TEST_SUITE_P(All, FaultyTwin, ::testing::ValuesIn(faulty_twins()), twin_name);

TEST(Checks, FindNothingOnASoundHeuristic) {
  const nlohmann::json report = run_checks({MASH_SOUND}, 0);
  ASSERT_EQ(report["checks"].size(), all_checks().size());
  EXPECT_EQ(report["heuristic"], "test/faulty");
  for (const auto& result : report["checks"])
    EXPECT_EQ(result["result"], result["id"] == kSanitizersCheck ? "skip" : "pass") << result;
}

TEST(Checks, OfABoxFindNothingOnASoundHeuristic) {
  if (!testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  const nlohmann::json report = run_checks({MASH_SOUND, "--isolation", "box"}, 0);
  ASSERT_EQ(report["checks"].size(), all_checks().size());
  for (const auto& result : report["checks"])
    EXPECT_EQ(result["result"], kInNoBox.contains(result["id"].get<std::string>()) ? "skip" : "pass")
        << result;
}

// Threads and descriptors that a check before it has left behind hide nothing from a check.
TEST(Checks, OfResourcesHaveAProcessEach) {
  for (const auto& [twin, id] : {std::pair("resources_threads", "resources.threads"),
                                 {"resources_descriptors", "resources.descriptors"}}) {
    const std::string plugin = std::string(MASH_FAULTY_DIR "/") + twin + ".so";
    const nlohmann::json report =
        run_checks({plugin, "--only", std::string("resources.instance-leak,") + id}, 1);
    for (const auto& result : report["checks"])
      if (result["id"] == id) {
        EXPECT_EQ(result["result"], "fail") << result;
        EXPECT_THAT(result["evidence"].get<std::string>(), ::testing::StartsWith("3 instances left 3 "));
      }
  }
}

// As extraction in a box refuses them.
TEST(Checks, OfABoxSayThatThreadsAreRefused) {
  if (!testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  const nlohmann::json report = run_checks(
      {MASH_FAULTY_DIR "/resources_threads.so", "--only", "contract.create", "--isolation", "box"}, 1);
  EXPECT_THAT(report["checks"][0]["evidence"].get<std::string>(),
              ::testing::HasSubstr("in a box a heuristic can start no thread"));
}

TEST(Checks, TakeNoFreedMemoryForALeak) {
  for (const char* id : {"resources.leak", "resources.instance-leak"}) {
    const nlohmann::json report = run_checks({MASH_SOUND, "--only", id}, 0);
    EXPECT_THAT(report["checks"][0]["evidence"].get<std::string>(),
                ::testing::HasSubstr("the heap grew by 0 bytes"));
  }
}

std::vector<std::string> built_in_heuristics() {
  std::vector<std::string> ids;
  for (const auto& entry : fs::directory_iterator(testing::source_folder() + "/heuristics"))
    if (entry.is_directory() && entry.path().filename() != "common") ids.push_back(entry.path().filename());
  std::sort(ids.begin(), ids.end());
  return ids;
}

TEST(Checks, AreRunOnAllBuiltInHeuristics) { EXPECT_GE(built_in_heuristics().size(), 26u); }

class BuiltInHeuristic : public ::testing::TestWithParam<std::string> {};

TEST_P(BuiltInHeuristic, PassesAllChecks) {
  std::vector<std::string> arguments{testing::binary_folder() + "/heuristics/" + GetParam() + ".so"};
  if (kIsSlow) arguments.insert(arguments.end(), {"--time-limit", "600"});
  const nlohmann::json report = run_checks(arguments, 0);
  ASSERT_FALSE(report["checks"].empty());
  for (const auto& result : report["checks"]) EXPECT_NE(result["result"], "fail") << result;
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInHeuristic, ::testing::ValuesIn(built_in_heuristics()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// As mash/heuristic.hpp says: a constructor and dim may refuse, prepare and compute may not.
TEST(Checks, LetDimAloneRefuseASize) {
  const auto result = run_checks(
      {MASH_FAULTY_DIR "/contract_sizes__unsupported.so", "--only", "contract.sizes"}, 1)["checks"][0];
  EXPECT_EQ(result["evidence"], "1x40: prepare returned MASH_UNSUPPORTED: the view is too narrow");
  EXPECT_EQ(result["advice"],
            "Throw mash::Unsupported from dim for sizes that it cannot work on; every other call must then "
            "succeed.");
}

// How a touch of guarded memory, a hang and a crash are told.
TEST(Checks, TellWhereACrashWas) {
  const auto evidence = [](const char* twin, const char* id) -> std::string {
    const std::string plugin = std::string(MASH_FAULTY_DIR "/") + twin + ".so";
    return run_checks({plugin, "--only", id, "--time-limit", "1"}, 1)["checks"][0]["evidence"];
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(evidence("values_plane_bounds", "values.plane-bounds"),
              ::testing::HasSubstr("reads just past the end of the grey image"));
  EXPECT_THAT(evidence("values_plane_bounds__before", "values.plane-bounds"),
              HasSubstr("reads 1 bytes before the beginning of the grey image"));
  EXPECT_EQ(evidence("values_plane_bounds", "values.row-bounds"),
            "reads x = width, y = 0, just outside the grey image of 33x17 pixels");
  EXPECT_EQ(evidence("values_plane_bounds__before", "values.row-bounds"),
            "reads x = -1, y = 0, just outside the grey image of 33x17 pixels");
  EXPECT_THAT(evidence("values_out_bounds", "values.out-bounds"),
              HasSubstr("writes just past the end of the output array"));
  EXPECT_THAT(evidence("values_input", "values.input"),
              HasSubstr("writes to the grey image, which is read-only"));
  EXPECT_THAT(evidence("robustness_huge", "robustness.huge"), HasSubstr("took longer than 1 s"));
  EXPECT_THAT(evidence("robustness_huge__stack", "robustness.huge"), HasSubstr("SEGV"));
  EXPECT_THAT(evidence("robustness_structured", "robustness.structured"),
              HasSubstr("a picture of 512x512 (black) is "));
  EXPECT_THAT(evidence("robustness_flat__colour", "robustness.flat"),
              HasSubstr("feature 0 of a red picture is inf"));
  EXPECT_THAT(evidence("contract_create__closes_channel", "contract.create"),
              HasSubstr("closed the channel of its worker"));
  EXPECT_THAT(evidence("resources_descriptors__some_pictures", "resources.descriptors"),
              ::testing::ContainsRegex("pictures left [1-9] open"));
  EXPECT_THAT(evidence("determinism_floating_point__loading", "determinism.floating-point"),
              HasSubstr("loading it leaves the floating-point control register at "));
  EXPECT_THAT(evidence("load_loads__exception", "load.loads"),
              HasSubstr("crash: signal 6 (ABRT): uncaught std::runtime_error: filters.bin not found"));
#if !defined(__SANITIZE_ADDRESS__)  // a sanitizer has its own word on a division by zero
  EXPECT_THAT(evidence("contract_parameters", "contract.parameters"), HasSubstr("FPE"));
#endif
}

// A worker that gets a thirtieth of a processor, as another program wants all of it, has its whole second.
TEST(Checks, CountNoWaitForAProcessor) {
  const std::string cpu = std::to_string(::sched_getcpu());
  const testing::Sandbox beside, sandbox;
  testing::RunningProgram busy = beside.start({"taskset", "-c", cpu, "sh", "-c", "while :; do :; done"});
  const testing::ProgramResult result =
      sandbox.run({"taskset", "-c", cpu, "nice", "-n", "15", testing::binary_folder() + "/bin/mash",
                   "heuristic", "check", MASH_SOUND, "--only", "values.finite", "--time-limit", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_FALSE(busy.has_ended());
}

// The findings told of a heuristic, and what follows from them.
struct Told {
  std::string cause;
  std::map<std::string, std::string> follows_from;  // by id, of what failed or warned
  std::vector<std::string> roots() const {
    std::vector<std::string> ids;
    for (const auto& [id, root] : follows_from)
      if (root.empty()) ids.push_back(id);
    return ids;
  }
};
Told told_of(const char* twin) {
  const std::string plugin = std::string(MASH_FAULTY_DIR "/") + twin + ".so";
  const nlohmann::json report = run_checks({plugin, "--level", "determinism"}, 1);
  Told told{report["cause"], {}};
  for (const auto& result : report["checks"]) {
    if (result["result"] != "fail" && result["result"] != "warn") continue;
    const bool follows = !result["follows_from"].is_null();
    told.follows_from[result["id"]] = follows ? result["follows_from"].get<std::string>() : "";
    EXPECT_EQ(result["advice"] == "", follows) << result;
  }
  return told;
}

TEST(Checks, FindTheRootOfReadingOutside) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap of a sanitizer fills blocks, and what lies around them, in its own way";
#endif
  using ::testing::ElementsAre;
  const Told outside = told_of("values_plane_bounds");
  EXPECT_THAT(outside.cause,
              ::testing::StartsWith("test/faulty reads x = width, y = 0, just outside the grey image of "
                                    "33x17 pixels; "));
  EXPECT_THAT(outside.cause, ::testing::EndsWith(" other failures follow from it"));
  EXPECT_THAT(outside.roots(), ElementsAre("values.row-bounds"));
  EXPECT_EQ(outside.follows_from.at("values.plane-bounds"), "values.row-bounds");
  EXPECT_EQ(outside.follows_from.at("contract.strides"), "values.row-bounds");
  const Told written_outside = told_of("values_out_bounds");
  EXPECT_THAT(written_outside.roots(), ElementsAre("values.out-bounds"));
  EXPECT_GT(written_outside.follows_from.size(), 1u);
  const Told unwritten = told_of("values_initialised");
  EXPECT_THAT(unwritten.cause,
              ::testing::StartsWith("test/faulty reads memory that it never wrote to: feature 0 is "));
  EXPECT_THAT(unwritten.roots(), ElementsAre("values.initialised"));
  EXPECT_GT(unwritten.follows_from.size(), 1u);
}

TEST(Checks, FindTheRootOfSeveralFailures) {
  const std::pair<const char*, const char*> others[] = {
      {"contract_create", "contract.create"},
      {"contract_create__refuses_defaults", "contract.create"},
      {"contract_dim_range", "contract.dim-range"},
      {"contract_dim_range__refuses_all", "contract.dim-range"},
      {"contract_indices", "contract.indices"},
      {"contract_sizes", "contract.sizes"},
      {"determinism_batch", "determinism.batch"},
      {"determinism_history", "determinism.history"},
      {"determinism_instance", "determinism.instance"},
      {"determinism_process", "determinism.process"},
      {"load_elf", "load.elf"},
      {"load_symbols__missing", "load.symbols"},
      {"values_initialised__stack", "values.initialised"},
      {"values_input", "values.input"},
      {"values_written", "values.written"}};
  for (const auto& [twin, root] : others) {
    const Told told = told_of(twin);
    EXPECT_THAT(told.roots(), ::testing::ElementsAre(root)) << twin;
    EXPECT_GT(told.follows_from.size(), 1u) << twin;
  }
}

TEST(Checks, FoldNothingThatHasACauseOfItsOwn) {
  using ::testing::ElementsAre;
  // Another check finds it first where the clock goes on within that one.
  const auto clock = told_of("determinism_clock").roots();
  EXPECT_THAT(clock, ::testing::Contains("determinism.imports"));
  EXPECT_THAT(clock, ::testing::Contains(::testing::AnyOf("determinism.clock", "determinism.history",
                                                          "determinism.repeat", "determinism.instance")));
  EXPECT_THAT(told_of("contract_dim_constant").roots(),
              ElementsAre("contract.dim-constant", "contract.sizes"));
  EXPECT_THAT(told_of("load_loads").roots(), ElementsAre("load.loads", "load.symbols"));
  EXPECT_THAT(told_of("load_unique").cause,
              ::testing::EndsWith("; one other check fails for a reason of its own"));
}

// A check that ends its process takes no other with it.
TEST(Checks, GoOnAfterACrash) {
  const nlohmann::json report =
      run_checks({MASH_FAULTY_DIR "/contract_parameters.so", "--level", "contract", "--seed", "7"}, 1);
  for (const auto& result : report["checks"])
    EXPECT_EQ(result["result"], result["id"] == "contract.parameters" ? "fail" : "pass") << result;
}

}  // namespace
}  // namespace mash::checks
