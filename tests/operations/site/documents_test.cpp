// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/documents.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "framework/reports/leaderboard.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using Document = nlohmann::ordered_json;

const Document kBoard = Document::parse(R"({
  "title": "Board demo", "board": "demo",
  "columns": [{"key": "rank", "title": "rank"}, {"key": "heuristic", "title": "heuristic"},
              {"key": "gain", "title": "gain, % of the log-loss"}, {"key": "gain_ci95", "title": ""},
              {"key": "num_features", "title": "features"}, {"key": "verified", "title": "verified"}],
  "rows": [{"rank": "1–2", "heuristic": "rows", "gain": 0.512, "gain_ci95": 0.0321, "num_features": 28,
            "verified": "2026-11-25", "submission": 7},
           {"rank": "1–2", "heuristic": "columns\u001b[2J", "gain": 0.5, "gain_ci95": null, "num_features": 1280,
            "verified": "", "submission": 9}]})");

TEST(ServerDocuments, ASubmissionSaysWhatIsLeftOfItsBoard) {
  const Document both{{"board", "digits"},
                      {"board_closes_at", "2026-12-15T22:59:00Z"},
                      {"attempts", {{"used", 2}, {"most", 3}, {"next_at", nullptr}}}};
  EXPECT_EQ(describe_intake(both),
            "attempts used in 24 hours: 2 of 3; the board digits closes on 2026-12-15 22:59 UTC");
  EXPECT_EQ(describe_intake({{"board", "digits"}, {"board_closes_at", "2026-12-15T22:59:00Z"}}),
            "the board digits closes on 2026-12-15 22:59 UTC");
  EXPECT_EQ(describe_intake({{"attempts", {{"used", 1}, {"most", 1}}}}), "attempts used in 24 hours: 1 of 1");
  EXPECT_EQ(describe_intake({{"attempts", {{"used", 5}, {"most", 3}}}}),
            "attempts used in 24 hours: 5, taken now: 3");
  for (const char* other : {R"({})", R"({"attempts": null, "board_closes_at": null})",
                            R"({"attempts": [3], "board_closes_at": 7})", R"({"attempts": {"most": "3"}})"})
    EXPECT_EQ(describe_intake(Document::parse(other)), "") << other;
  EXPECT_THAT(describe_intake({{"board_closes_at", "\x1b[2J"}}), HasSubstr("?[2J"));
}

TEST(ServerDocuments, ALeaderboardLooksAsALocalOne) {
  EXPECT_EQ(render_text(leaderboard_table(kBoard)),
            "rank  heuristic    gain, % of the log-loss  features  verified\n"
            "1–2   rows                  0.512 ± 0.0321        28  2026-11-25\n"
            "1–2   columns?[2J                      0.5      1280  –\n"
            "±: half the width of the 95 % interval\n");
  EXPECT_THAT(render_csv(leaderboard_table(kBoard)), HasSubstr("rank,heuristic,gain,gain_ci95,num_features"));
  EXPECT_EQ(rank_of(kBoard, 9), "1–2");
  EXPECT_FALSE(rank_of(kBoard, 8));
  EXPECT_EQ(render_text(leaderboard_table({{"columns", Document::array()}, {"rows", Document::array()}})),
            "nothing is on this board yet\n");
}

TEST(ServerDocuments, AShortLeaderboardHasWhatMostLookForAndWhatIsNamed) {
  const Table board = leaderboard_table(kBoard);
  EXPECT_EQ(render_text(*short_site_leaderboard(board, {})),
            "rank  heuristic           gain, %\n"
            "1–2   rows         0.512 ± 0.0321\n"
            "1–2   columns?[2J             0.5\n"
            "±: half the width of the 95 % interval\n");
  EXPECT_THAT(render_text(*short_site_leaderboard(board, std::vector<std::string>{"verified"})),
              HasSubstr("gain, %  verified\n"));
  EXPECT_THAT(short_site_leaderboard(board, std::vector<std::string>{"gian"}).error().message,
              HasSubstr("unknown column 'gian'"));
}

TEST(ServerDocuments, SubmissionsAreATable) {
  const Table table = submissions_table(Document::parse(R"({"submissions": [
      {"id": 12, "state": "rejected", "board": "digits", "file_name": "a.cpp", "heuristic": "", "version": "", "seconds": 1.25,
       "received_at": "2026-11-25T01:02:03Z", "reason": "it does not compile\na.cpp:1: error"}]})"));
  EXPECT_EQ(render_text(table),
            "submission  state     board   file   heuristic  version  received              seconds  reason\n"
            "        12  rejected  digits  a.cpp  –          –        2026-11-25T01:02:03Z     1.25  it does "
            "not compile\n");
  EXPECT_EQ(render_text(submissions_table(Document::object())), "nothing was submitted yet\n");
}

TEST(ServerDocuments, ASubmissionIsDescribed) {
  const Document published = Document::parse(R"({
    "id": 7, "state": "published", "is_final": true, "contributor": "ada", "file_name": "rows.cpp",
    "heuristic": "rows", "version": "1.0.0", "licence": "MIT", "received_at": "2026-11-25T01:02:03Z", "fault": null,
    "is_held": false, "verified_at": "", "removed_why": "",
    "judgement": {"gain": -0.512, "gain_ci95": 0.0321, "finding": "adds", "num_seeds": 16, "num_features": 28,
                  "microseconds": 1.234}})");
  EXPECT_EQ(
      describe_submission(published),
      "Submission 7 is published: rows 1.0.0\n"
      "  gain      −0.51 ± 0.03 % of the log-loss (adds, 16 seeds; ±: half the width of the 95 % interval)\n"
      "  cost      28 features, 1.23 µs a picture\n"
      "  by        ada\n"
      "  licence   MIT\n"
      "  received  2026-11-25T01:02:03Z\n");
  EXPECT_EQ(describe_submission({{"id", 8}, {"state", "judging"}, {"file_name", "a.cpp"}, {"is_held", true}}),
            "Submission 8 is judging: a.cpp\n  held      an operator holds it back\n");
  EXPECT_EQ(describe_event({{"id", 1}, {"state", "judging"}, {"text", "8 of 16 seeds"}}),
            "judging: 8 of 16 seeds");
  EXPECT_EQ(describe_event({{"id", 1}, {"state", "judging"}, {"text", ""}}), "judging");
}

TEST(ServerDocuments, TheEndIsSuccessOnlyWhereItIsPublished) {
  const auto ended = [](const char* state, const Document& fault = nullptr) {
    return how_it_ended({{"id", 7}, {"state", state}, {"reason", "why"}, {"fault", fault}});
  };
  EXPECT_TRUE(ended("published").ok());
  EXPECT_TRUE(ended("superseded").ok());
  EXPECT_EQ(ended("rejected").error().message, "submission 7 was rejected: why");
  EXPECT_EQ(ended("rejected").error().kind, ErrorKind::kFailure);
  EXPECT_EQ(ended("failed", "contributor").error().message, "submission 7 failed: why");
  EXPECT_EQ(ended("failed", "server").error().message, "submission 7 failed, by the server's fault: why");
  EXPECT_EQ(ended("cancelled").error().message, "submission 7 was cancelled: why");
  EXPECT_THAT(ended("judging").error().message, HasSubstr("has not ended: its state is judging"));
}

// Numbers that no count can be: below 0, too large, or with a part behind the point.
TEST(ServerDocuments, CountsAreWholeNumbersOrNothing) {
  for (const char* number : {"-3", "1e300", "-1e300", "0.5", "18446744073709551615"}) {
    const std::string text = describe_submission(Document::parse(
        fmt::format(R"({{"id": {0}, "judgement": {{"num_seeds": {0}, "num_features": {0}}}}})", number)));
    EXPECT_THAT(text, HasSubstr("Submission 0 is")) << number;
    EXPECT_THAT(text, HasSubstr("(0 seeds)")) << number;
    EXPECT_THAT(text, HasSubstr(" 0 features")) << number;
  }
}

TEST(ServerDocuments, KeysOfAnotherKindSayNothing) {
  for (const char* text :
       {"[]", "7", "null", R"({"columns": 7, "rows": {}})", R"({"columns": [7], "rows": [7, null]})",
        R"({"submissions": [null, 7]})", R"({"id": "x", "state": 7, "judgement": {"gain": "x"}})",
        R"({"id": 1e300, "judgement": {"num_seeds": -3, "num_features": 1e300}})"}) {
    const Document document = Document::parse(text);
    EXPECT_NO_THROW({
      render_text(leaderboard_table(document));
      render_text(submissions_table(document));
      describe_submission(document);
      describe_event(document);
      rank_of(document, 7);
    }) << text;
    EXPECT_FALSE(how_it_ended(document).ok()) << text;
  }
}

}  // namespace
}  // namespace mash
