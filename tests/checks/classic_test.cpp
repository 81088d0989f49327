// SPDX-License-Identifier: Apache-2.0
//
// Checks of classic heuristics: each kind of access outside of memory is found in a source, a crash is told
// once, and 150 plugins are listed, checked and trained.
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/places.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Runs mash; gives the document that it prints.
json run_json(testing::Sandbox& sandbox, std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const testing::ProgramResult result = sandbox.run(arguments);
  return json::parse(result.out, nullptr, false);
}

// The report on a source of faults/.
json check_fault(const std::string& name, std::vector<std::string> options) {
  testing::Sandbox sandbox;
  fs::copy_file(testing::source_folder() + "/tests/checks/classic/faults/" + name + ".cpp",
                sandbox.work() / (name + ".cpp"));
  options.insert(options.begin(), {"mash", "heuristic", "check", name + ".cpp", "--cycles", "200"});
  return run_json(sandbox, options);
}

// The results of a report by their check.
std::map<std::string, json> results_of(const json& report) {
  std::map<std::string, json> results;
  for (const json& result : report["checks"]) results[result["id"]] = result;
  return results;
}

// The checks whose failures follow from no other.
std::vector<std::string> roots_of(const json& report) {
  std::vector<std::string> ids;
  for (const json& result : report["checks"])
    if (result["result"] == "fail" && result["follows_from"].is_null()) ids.push_back(result["id"]);
  return ids;
}

#if !defined(__SANITIZE_THREAD__)  // a program with that sanitizer cannot load another one
TEST(ClassicCheck, FindsEachKindOfAccessOutsideOfMemory) {
  const std::pair<const char*, const char*> kinds[] = {
      {"heap", "reads outside an array on the heap"},
      {"stack", "reads outside an array on the stack"},
      {"global", "reads outside a global array"},
      {"past_the_picture", "reads outside an array on the heap"}};
  for (const auto& [name, what] : kinds) {
    const json result = check_fault(name, {"--only", "values.sanitizers"})["checks"][0];
    EXPECT_EQ(result["result"], "fail") << name;
    EXPECT_THAT(result["evidence"].get<std::string>(), HasSubstr(what)) << name;
    EXPECT_THAT(result.value("place", ""), StartsWith(std::string(name) + ".cpp:"));
  }
}
#endif

TEST(ClassicCheck, TellsACrashOnceWithItsCall) {
  const json report = check_fault("crash", {"--level", "determinism", "--skip", "values.sanitizers"});
  EXPECT_THAT(roots_of(report), ElementsAre("contract.dim-constant"));
  EXPECT_THAT(
      report["cause"].get<std::string>(),
      HasSubstr("fails contract.dim-constant: crash: signal 11 (SEGV) in prepare at address 0x0, on 28x28 "
                "pixels"));
}

TEST(ClassicCheck, LooksAtValuesWhereSmallSizesFail) {
  const auto results = results_of(check_fault("nan_and_small_sizes", {"--level", "values"}));
  EXPECT_THAT(results.at("values.finite")["evidence"].get<std::string>(), HasSubstr("nan"));
  EXPECT_EQ(results.at("contract.sizes")["result"], "fail");
  EXPECT_THAT(results.at("contract.sizes")["evidence"].get<std::string>(),
              HasSubstr("crash: signal 6 (ABRT) in dim, on 9x13 pixels"));
}

TEST(ClassicCorpus, IsListed) {
  testing::Sandbox sandbox;
  const json list = run_json(sandbox, {"mash", "heuristic", "list", "--heuristics", MASH_CLASSIC_DIR});
  std::size_t num_listed = 0;
  for (const json& heuristic : list["heuristics"])
    num_listed += heuristic["id"].get<std::string>().starts_with("corpus/");
  EXPECT_EQ(num_listed, 150u);
  EXPECT_EQ(list["refused"].size(), 0u) << list["refused"];
}

// The error of a kind is found in each of its variants, and in no other.
TEST(ClassicCorpus, IsChecked) {
  const std::map<std::string, std::string> faults = {{"crash", "(SEGV) in compute at address 0x0"},
                                                     {"throws", "prepare returned MASH_ERROR"},
                                                     {"leaves", "ended the process: exit code 0"}};
  testing::Sandbox sandbox;
  std::vector<std::string> arguments{"mash", "heuristic", "check", "--level", "values"};
  for (const auto& entry : fs::directory_iterator(MASH_CLASSIC_DIR))
    if (entry.path().extension() == ".so") arguments.push_back(entry.path());
  const json reports = run_json(sandbox, arguments);
  ASSERT_EQ(reports["heuristics"].size(), 150u);
  for (const json& report : reports["heuristics"]) {
    const std::string id = report["heuristic"];
    const auto fault = faults.find(id.substr(7, id.rfind("-v") - 7));
    if (fault == faults.end())
      EXPECT_TRUE(report["passed"].get<bool>()) << report["cause"];
    else
      EXPECT_THAT(report["cause"].dump(), HasSubstr(fault->second));
    EXPECT_LE(roots_of(report).size(), 1u) << report["cause"];
  }
}

// None of them ends the experiment: those that fail on a picture are left out, and the others are trained.
TEST(ClassicCorpus, IsTrainedInOneExperiment) {
  testing::Sandbox sandbox;
  std::vector<std::string> ids;
  for (const auto& entry : fs::directory_iterator(MASH_CLASSIC_DIR)) {
    std::string id = entry.path().stem().string();
    if (entry.path().extension() != ".so") continue;
    std::replace(id.begin(), id.end(), '_', '-');
    ids.push_back("corpus/" + id);
  }
  ASSERT_EQ(ids.size(), 150u);
  std::ofstream(sandbox.work() / "corpus.yaml") << fmt::format(
      "dataset: {{name: digits, size: 128, train: 60, test: 30}}\nheuristics: [{}]\n"
      "booster: {{name: adaboost.mh, rounds: 30}}\nweak: {{name: stump}}\n"
      "sampler: {{name: laminating, budget: 10}}\nseed: 1\n",
      fmt::join(ids, ", "));
  const json run = run_json(sandbox, {"mash", "run", "corpus.yaml", "--heuristics", MASH_CLASSIC_DIR});
  ASSERT_EQ(run["status"], "complete");
  EXPECT_EQ(run["rounds"], 30);
  EXPECT_EQ(run["families"].size(), 120u);
  std::map<std::string, int> reasons;
  for (const json& warning : run["warnings"]) {
    const std::string text = warning;
    for (const char* reason : {": signal 11 (SEGV); left out", ": exit code 0; left out",
                               "prepare: threw something that is not a std::exception; left out"})
      reasons[reason] += text.ends_with(reason);
  }
  EXPECT_THAT(reasons, ::testing::Each(::testing::Pair(::testing::_, 10)));
  EXPECT_EQ(run["warnings"].size(), 30u);
}

}  // namespace
}  // namespace mash
