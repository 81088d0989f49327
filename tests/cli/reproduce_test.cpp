// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/end_to_end.hpp"

namespace mash {
namespace {

using testing::run_json;
using testing::Sandbox;

using Arguments = std::vector<std::string>;

// `mash reproduce bandit-table1` on a small table in place of a real one.
nlohmann::json reproduce(const Sandbox& sandbox, const Arguments& more, const std::string& learners = "stump",
                         const std::string& sets = "letter") {
  Arguments arguments{"mash",
                      "reproduce",
                      "bandit-table1",
                      "--learners",
                      learners,
                      "--sets",
                      sets,
                      "--runs",
                      "2",
                      "--rounds",
                      "60",
                      "--set",
                      "dataset.name=diagonal",
                      "--set",
                      "dataset.train=300",
                      "--set",
                      "dataset.test=200",
                      "--db",
                      "records.db",
                      "--store",
                      "store",
                      "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_json(sandbox, arguments);
}

TEST(Reproduce, TakesFinishedSeedsWithTheirSecondsFromTheRecords) {
  const Sandbox sandbox;
  const auto some = reproduce(sandbox, {"--methods", "full,exp3.p"});
  const auto all = reproduce(sandbox, {});
  ASSERT_EQ(all["rows"].size(), 5u);
  // Times differ between trainings, so equal ones were not trained again.
  EXPECT_EQ(all["rows"][0], some["rows"][0]);
  EXPECT_EQ(all["rows"][4], some["rows"][1]);
  EXPECT_EQ(reproduce(sandbox, {}), all);
}

TEST(Reproduce, GivesTheSameErrorsForAnyNumberOfThreads) {
  const Sandbox one, four;
  const auto expected = reproduce(one, {"--threads", "1"}), found = reproduce(four, {"--threads", "4"});
  ASSERT_EQ(found["rows"].size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(found["rows"][i]["error"], expected["rows"][i]["error"]);
    EXPECT_EQ(found["rows"][i]["error_sd"], expected["rows"][i]["error_sd"]);
    EXPECT_LT(found["rows"][i]["error"], 0.4) << "it learns";
  }
}

TEST(Reproduce, StumpsCutAsTheRecipeOfTheirSetSays) {
  // Two recipes on the same data: USPS's cuts between all 300 values, letter's at 255 thresholds. Products
  // have cuts of their own, and come first so that the data are not opened for what they need.
  const Sandbox sandbox;
  const auto found = reproduce(sandbox, {"--methods", "full"}, "product,stump", "usps,letter");
  ASSERT_EQ(found["rows"].size(), 4u);
  EXPECT_EQ(found["rows"][1]["learner"], "stump");
  EXPECT_EQ(found["rows"][3]["learner"], "stump");
  EXPECT_NE(found["rows"][1]["error"], found["rows"][3]["error"]);
}

}  // namespace
}  // namespace mash
