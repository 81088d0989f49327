// SPDX-License-Identifier: Apache-2.0
// Gains of entries beside all others of their board: on its page, in its documents, on pages of entries.
#include <gmock/gmock.h>

#include "framework/records/site/beyond.hpp"
#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class BeyondSite : public testing::SampleSite {
 protected:
  Json row_of(std::int64_t submission) {
    const Json board = Json::parse(get("/api/v1/leaderboard").body);
    for (const Json& row : board["rows"])
      if (row["submission"] == submission) return row;
    return {};
  }
  Json judgement_of(std::int64_t submission) {
    return Json::parse(get(fmt::format("/api/v1/submissions/{}", submission)).body)["judgement"];
  }
  void measure(std::int64_t submission, Judgement judgement, const std::vector<std::int64_t>& left_out = {}) {
    if (judgement.finding.empty()) judgement.finding = "adds";
    const std::vector<WantedBeyond> all = *read_wanted_beyond(records_, board_);
    for (const WantedBeyond& wanted : all)
      if (wanted.submission_id == submission) {
        ASSERT_TRUE(keep_beyond(records_, **find_board(records_, board_), wanted, judgement, left_out).ok());
      }
    sample::database(records_).exec("UPDATE beyond_gains SET measured_at = '2026-03-04T05:06:07Z'");
  }
};

TEST_F(BeyondSite, SaysWhyThereIsNone) {
  const std::int64_t rows = publish("ada", "ada/rows", gain(2));
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr("eyond"))) << "nothing is measured";
  EXPECT_TRUE(row_of(rows)["beyond"].is_null());
  EXPECT_EQ(row_of(rows)["beyond_remark"], "no others yet: it is the gain");
  EXPECT_TRUE(judgement_of(rows)["beyond"].is_null());
  EXPECT_THAT(get("/heuristics/ada/rows").body,
              AllOf(HasSubstr("<dt>Beyond</dt><dd>–"), HasSubstr("no others yet: it is the gain")));
  const std::int64_t lines = publish("eve", "eve/lines", gain(1));
  EXPECT_EQ(row_of(rows)["beyond_remark"], "not measured yet");
  EXPECT_THAT(get(fmt::format("/submissions/{}", lines)).body, HasSubstr("not measured yet"));
  Judgement same = gain(2);
  same.features_digest = "same";
  publish("ada", "ada/first", same);
  const std::int64_t copy = publish("eve", "eve/copy", same);
  EXPECT_EQ(row_of(copy)["beyond_remark"], "not measured: a copy");
  EXPECT_THAT(get("/boards/digits?by=contributor").body, Not(HasSubstr("Beyond:")))
      << "it has no such column";
}

TEST_F(BeyondSite, TellsTheGainBesideOthersWithTheirNumberAndTheDate) {
  const std::int64_t rows = publish("ada", "ada/rows", gain(2));
  publish("eve", "eve/lines", gain(1));
  publish("eve", "eve/holes", gain(1.5));
  measure(rows, gain(.7, .4));
  EXPECT_THAT(get("/boards/digits").body,
              AllOf(HasSubstr("beyond, % of the log-loss"), HasSubstr("0.7 ± 0.4"),
                    HasSubstr("so they have no ranks"), Not(HasSubstr("beside others"))))
      << "whose number is on the page of the heuristic";
  Json row = row_of(rows);
  EXPECT_EQ(row["beyond"], .7);
  EXPECT_NEAR(row["beyond_ci95"].get<double>(), .4, 1e-12);
  EXPECT_EQ(row["beyond_others"], 2);
  EXPECT_EQ(row["beyond_at"], "2026-03-04");
  EXPECT_TRUE(row["beyond_remark"].is_null());
  EXPECT_THAT(get("/boards/digits.csv").body,
              HasSubstr("beyond,beyond_ci95,beyond_others,beyond_at,beyond_remark,finding"));
  for (const std::string& target :
       {std::string("/heuristics/ada/rows"), fmt::format("/submissions/{}", rows)})
    EXPECT_THAT(get(target).body,
                AllOf(HasSubstr("+0.7 ± 0.4 %"), HasSubstr("beside the base and 2 others, 2026-03-04")))
        << target;
  const Json told = judgement_of(rows)["beyond"];
  EXPECT_EQ(told["gain"], .7);
  EXPECT_EQ(told["num_others"], 2);
  EXPECT_EQ(told["num_left_out"], 0);
  EXPECT_EQ(told["measured_at"], "2026-03-04T05:06:07Z");
  EXPECT_EQ(told["is_current"], true);
  const Json schemas = Json::parse(get("/api/v1/openapi.json").body)["components"]["schemas"];
  const Json schema = schemas["Submission"]["properties"]["judgement"]["properties"]["beyond"]["properties"];
  EXPECT_EQ(told.size(), schema.size());
  for (const auto& [key, value] : told.items()) EXPECT_TRUE(schema.contains(key)) << key;
  // The figure stays until it is measured again, and says so.
  publish("ada", "ada/strokes", gain(1));
  EXPECT_EQ(row_of(rows)["beyond"], .7);
  EXPECT_EQ(row_of(rows)["beyond_remark"], "the others have changed since");
  EXPECT_EQ(judgement_of(rows)["beyond"]["is_current"], false);
  EXPECT_THAT(get("/heuristics/ada/rows").body, HasSubstr("the others have changed since"));
  // A version that no longer stands on the board has none.
  publish("ada", "ada/rows", gain(2), "1.1.0");
  EXPECT_TRUE(judgement_of(rows)["beyond"].is_null());
}

TEST_F(BeyondSite, TellsWhoCouldNotStandThereAndWhatLeavesNothingToLearn) {
  const std::int64_t rows = publish("ada", "ada/rows", gain(2)), lines = publish("eve", "eve/lines", gain(1)),
                     holes = publish("eve", "eve/holes", gain(1.5));
  measure(rows, gain(.7, .4), {holes});
  EXPECT_EQ(row_of(rows)["beyond_others"], 1);
  EXPECT_EQ(row_of(rows)["beyond_remark"], "1 other could not stand in the pool");
  Judgement nothing = gain(50);
  nothing.finding = kNothingToLearn;
  measure(lines, nothing);
  EXPECT_TRUE(row_of(lines)["beyond"].is_null());
  EXPECT_EQ(row_of(lines)["beyond_remark"], kNothingToLearn);
  EXPECT_TRUE(judgement_of(lines)["beyond"]["gain"].is_null());
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr("50 ±")));
}

}  // namespace
}  // namespace mash::server
