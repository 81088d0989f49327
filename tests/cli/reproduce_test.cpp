// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/end_to_end.hpp"

namespace mash {
namespace {

using testing::run_json;
using testing::Sandbox;

using Arguments = std::vector<std::string>;

// `mash reproduce bandit-table1` for stumps on a small table in place of a real one.
nlohmann::json reproduce(const Sandbox& sandbox, const Arguments& more) {
  Arguments arguments{"mash",
                      "reproduce",
                      "bandit-table1",
                      "--learners",
                      "stump",
                      "--sets",
                      "letter",
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
  // Two recipes on the same data: USPS's cuts between all 300 values, letter's at 255 thresholds.
  const Sandbox sandbox;
  const auto found = reproduce(sandbox, {"--sets", "usps", "--methods", "full"});
  ASSERT_EQ(found["rows"].size(), 2u);
  EXPECT_NE(found["rows"][0]["set"], found["rows"][1]["set"]);
  EXPECT_NE(found["rows"][0]["error"], found["rows"][1]["error"]);
}

}  // namespace
}  // namespace mash
