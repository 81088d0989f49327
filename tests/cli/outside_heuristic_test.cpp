// SPDX-License-Identifier: Apache-2.0
// A contributor's way: install the SDK, compile a heuristic with nothing else, see it ranked.
#include <map>

#include "tests/cli/end_to_end.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using testing::run_json;
using testing::run_well;
using testing::Sandbox;
using testing::write_text;

// The source that a contributor copies: the C++ block of the SDK's README that begins with this line.
std::string source_in_readme(const std::string& first_line) {
  const std::string readme = testing::file_content(testing::source_folder() + "/sdk/README.md");
  const std::string fence = "```cpp\n";
  const auto begin = readme.find(fence + first_line) + fence.size();
  return readme.substr(begin, readme.find("```", begin) - begin);
}

constexpr const char* kClassicSource = R"(#include <mash/heuristic.h>

using namespace Mash;

class Contrast : public Heuristic {
 public:
  virtual unsigned int dim() { return 2 * roi_extent; }

  virtual scalar_t computeFeature(unsigned int feature_index) {
    const unsigned int y = coordinates.y - roi_extent + feature_index;
    const unsigned int x = coordinates.x;
    return (scalar_t) image->grayLines()[y][x] - (scalar_t) image->grayLines()[y + 1][x];
  }
};

extern "C" Heuristic* new_heuristic() { return new Contrast(); }
)";

class OutsideHeuristics : public ::testing::Test {
 protected:
  OutsideHeuristics() {
    run_well(sandbox_,
             {MASH_CMAKE, "--install", testing::binary_folder(), "--component", "sdk", "--prefix", "sdk"});
    sandbox_.environment["PKG_CONFIG_PATH"] = sandbox_.work() / "sdk/share/pkgconfig";
    write_text(sandbox_.work() / "row_means.cpp", source_in_readme("#include <mash/heuristic.hpp>"));
  }

  void compile(const std::string& module, const std::string& definition, const std::string& name) const {
    run_well(sandbox_, {"sh", "-c",
                        MASH_CXX " $(pkg-config --cflags --libs " + module + ") " + definition + " " + name +
                            ".cpp -o mine/" + name + ".so"});
  }

  Sandbox sandbox_;
};

TEST_F(OutsideHeuristics, AreListedTrainedAndRanked) {
  std::filesystem::create_directory(sandbox_.work() / "mine");
  write_text(sandbox_.work() / "contrast.cpp", kClassicSource);
  compile("mash-sdk", "", "row_means");
  compile("mash-sdk-classic", "'-DMASH_CLASSIC_ID=\"me/contrast\"'", "contrast");
  std::map<std::string, nlohmann::json> listed;
  const auto list = run_json(sandbox_, {"mash", "heuristic", "list", "--heuristics", "mine", "--width", "16",
                                        "--height", "16", "--json"});
  for (const auto& heuristic : list["heuristics"]) listed[heuristic["id"]] = heuristic;
  ASSERT_TRUE(listed.contains("row-means") && listed.contains("me/contrast")) << list;
  EXPECT_EQ(listed["row-means"]["dim"], 16);
  EXPECT_EQ(listed["me/contrast"]["dim"], 14) << "of the largest centred square of odd side, 15";
  EXPECT_TRUE(list["refused"].empty()) << list["refused"];

  write_text(sandbox_.work() / "e.yaml",
             "dataset: {name: digits, train: 300, test: 100, size: 16}\n"
             "heuristics: [row-means, me/contrast, lbp]\n"
             "booster: {name: adaboost.mh, rounds: 40}\nsampler: full\n");
  const auto run = run_json(sandbox_, {"mash", "run", "e.yaml", "--heuristics", "mine", "--db", "records.db",
                                       "--model", "model.json", "--json"});
  for (const auto& family : run["families"]) {
    EXPECT_GT(family["chosen"], 0) << family;
    EXPECT_EQ(family["faults"], 0) << family;
  }

  std::map<std::string, nlohmann::json> ranked;
  const auto leaderboard = run_json(sandbox_, {"mash", "leaderboard", "--db", "records.db", "--json"});
  for (const auto& row : leaderboard["rows"]) ranked[row["heuristic"]] = row;
  ASSERT_EQ(ranked.size(), 3u);
  EXPECT_TRUE(ranked.contains("row-means") && ranked.contains("me/contrast"));
}

TEST_F(OutsideHeuristics, AreTestedAsTheReadmeSays) {
  write_text(sandbox_.work() / "row_means_test.cpp", source_in_readme("#include <mash/testing.hpp>"));
  run_well(sandbox_,
           {"sh", "-c",
            MASH_CXX " $(pkg-config --cflags mash-sdk) row_means_test.cpp row_means.cpp -o row_means_test && "
                     "./row_means_test"});
}

// With the plugins that the build of the tests has made outside of the tree.
TEST(OutsideHeuristic, PredictsWhatItPredictedInTraining) {
  Sandbox sandbox;
  const std::string built = testing::binary_folder() + "/tests/sdk/outside/cmake";
  write_text(sandbox.work() / "e.yaml",
             "dataset: {name: digits, train: 300, test: 100, size: 16}\n"
             "heuristics: [me/row-means, me/box-mean]\n"
             "booster: {name: adaboost.mh, rounds: 40}\n");
  const auto run =
      run_json(sandbox, {"mash", "run", "e.yaml", "--heuristics", built, "--model", "model.json", "--json"});
  const std::vector<std::string> predict{"mash",     "predict", "model.json", "--dataset",
                                         "digits",   "--set",   "train=300",  "--set",
                                         "test=100", "--set",   "size=16",    "--json"};
  const testing::ProgramResult without = sandbox.run(predict);
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.err.find("unknown heuristic 'me/box-mean'"), std::string::npos) << without.err;
  sandbox.environment["MASH_HEURISTICS"] = built;
  EXPECT_EQ(run_json(sandbox, predict)["test_error"], run["test_error"]);
}

}  // namespace
}  // namespace mash
