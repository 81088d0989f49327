// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "server/http/boards/plots.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/heuristics/compare.hpp"
#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class BoardsSite : public testing::SampleSite {
 protected:
  Json document(const std::string& target) {
    const Response response = get(target);
    EXPECT_EQ(response.status, 200) << response.body;
    return Json::parse(response.body);
  }
  // A column of the rows of the leaderboard.
  std::vector<std::string> column(const std::string& query, const std::string& key = "heuristic") {
    std::vector<std::string> cells;
    const Json board = document("/api/v1/leaderboard?" + query);
    for (const Json& row : board["rows"])
      cells.push_back(row[key].is_string() ? row[key].get<std::string>() : row[key].dump());
    return cells;
  }
  // lower (1 µs) < middle (3 µs, 2 features) < upper (2 µs), far apart, the first and the last of ada.
  void publish_three() {
    const auto judged = [&](double gain_value, double microseconds, std::size_t num_features,
                            const std::string& finding) {
      Judgement judgement = gain(gain_value);
      judgement.microseconds = microseconds;
      judgement.num_features = num_features;
      judgement.finding = finding;
      return judgement;
    };
    publish("ada", "lower", judged(1, 1, 30, "adds nothing measurable"), "1.0.0", "counts Holes");
    publish("eve", "middle", judged(5, 3, 2, "adds"));
    publish("ada", "upper", judged(9, 2, 10, "adds much"));
  }
  void publish_many(int count) {
    for (int i = 1; i <= count; ++i) publish("ada", fmt::format("h{:03}", i), gain(i, .01));
  }
  std::int64_t hand_in_secretly(const std::string& user) {
    NewSubmission submission;
    submission.is_private = true;
    return hand_in(user, submission);
  }
  void exec(const std::string& sql) { sample::database(records_).exec(sql); }
};

TEST_F(BoardsSite, AFirstVisitorReadsWhatThisIsAndHowToTakePart) {
  publish_three();
  const Response start = get("/");
  EXPECT_EQ(start.status, 200);
  EXPECT_THAT(start.body, AllOf(HasSubstr("<h1>MASH</h1>"), HasSubstr("A heuristic is a small piece of C++"),
                                HasSubstr("Get an account."), HasSubstr("href=\"/register\""),
                                HasSubstr("MASH_HEURISTIC(RowMeans"), HasSubstr("href=\"/rules\""),
                                HasSubstr("href=\"/datasets\""), HasSubstr("href=\"/uncovered\""),
                                HasSubstr("--server http://mash.test")));
  EXPECT_THAT(start.body, AllOf(HasSubstr("Board digits"), HasSubstr(">upper<")));
  EXPECT_LT(start.body.find(">upper<"), start.body.find(">lower<"));
}

TEST_F(BoardsSite, WithoutABoardTheStartSaysWhatTheOperatorDoes) {
  exec("DELETE FROM boards");
  EXPECT_THAT(get("/").body, HasSubstr("mash serve FOLDER --board EXPERIMENT"));
  EXPECT_EQ(document("/api/v1/boards")["boards"].size(), 0u);
  EXPECT_EQ(get("/api/v1/leaderboard").status, 404);
  EXPECT_EQ(get("/contributors").status, 200);
}

TEST_F(BoardsSite, AnEmptyBoardSaysSo) {
  EXPECT_THAT(get("/boards/digits").body, HasSubstr("Nothing stands on this board yet"));
  EXPECT_EQ(get("/boards/digits/front.svg").status, 200);
  EXPECT_EQ(document("/boards/digits.json")["hint"], "nothing is published yet: submit the first heuristic");
  EXPECT_EQ(get("/boards/letters").status, 404);
  EXPECT_EQ(get("/boards/letters.csv").status, 404);
  const Response unknown = get("/api/v1/leaderboard?board=letters");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(Json::parse(unknown.body)["error"], "There is no board of this name. Those that exist: digits.");
}

TEST_F(BoardsSite, RowsAreSortedByAnyKeyEitherWay) {
  publish_three();
  EXPECT_THAT(column(""), ElementsAre("upper", "middle", "lower"));
  EXPECT_THAT(column("order=desc"), ElementsAre("lower", "middle", "upper"));
  EXPECT_THAT(column("sort=gain&order=asc"), ElementsAre("lower", "middle", "upper"));
  EXPECT_THAT(column("sort=rank"), ElementsAre("upper", "middle", "lower"));
  EXPECT_THAT(column("sort=heuristic"), ElementsAre("lower", "middle", "upper"));
  EXPECT_THAT(column("sort=microseconds"), ElementsAre("lower", "upper", "middle"));
  EXPECT_THAT(column("sort=num_features&order=desc"), ElementsAre("lower", "upper", "middle"));
  EXPECT_THAT(column("sort=contributor"), ElementsAre("upper", "lower", "middle"));
  EXPECT_THAT(column("sort=submission"), ElementsAre("upper", "middle", "lower"));
  EXPECT_THAT(column("sort=finding"), ElementsAre("middle", "upper", "lower"));
}

TEST_F(BoardsSite, WhatIsUnknownIsRefusedWithWhatIsKnown) {
  for (const char* page : {"/boards/digits", "/boards/digits.csv", "/api/v1/leaderboard"}) {
    const std::string address = page;
    const auto refusal = [&](const std::string& query) {
      const Response response = get(address + "?" + query);
      EXPECT_EQ(response.status, 422) << query;
      return response.body;
    };
    EXPECT_THAT(refusal("sort=beauty"), AllOf(HasSubstr("beauty"), HasSubstr("num_features, microseconds")));
    EXPECT_THAT(refusal("by=contributor&sort=version"), HasSubstr("num_heuristics, num_adds"));
    EXPECT_THAT(refusal("order=up"), HasSubstr("known are asc, desc"));
    EXPECT_THAT(refusal("by=team"), HasSubstr("known are heuristic, contributor"));
    EXPECT_THAT(refusal("page=0"), HasSubstr("expected a number from 1"));
    EXPECT_THAT(refusal("page=x"), HasSubstr("expected a number from 1"));
    EXPECT_THAT(refusal("version=-1"), HasSubstr("expected a number from 1"));
  }
}

TEST_F(BoardsSite, FiftyRowsMakeAPage) {
  publish_many(51);
  const std::string first = get("/boards/digits?sort=rank&find=h").body,
                    second = get("/boards/digits?find=h&page=2").body;
  EXPECT_THAT(first,
              AllOf(HasSubstr("Page 1 of 2"), HasSubstr("href=\"/boards/digits?find=h&amp;page=2\">Next"),
                    HasSubstr(">Last</a>"), Not(HasSubstr(">Previous</a>"))));
  EXPECT_THAT(first,
              AllOf(HasSubstr("href=\"/heuristics/h051\""), Not(HasSubstr("href=\"/heuristics/h001\""))));
  EXPECT_THAT(second,
              AllOf(HasSubstr("Page 2 of 2"), HasSubstr("href=\"/boards/digits?find=h\">Previous"),
                    HasSubstr("href=\"/heuristics/h001\""), Not(HasSubstr("href=\"/heuristics/h002\""))));
  // Past the last page people get the last, and programs no rows.
  EXPECT_THAT(get("/boards/digits?page=9").body, HasSubstr("Page 2 of 2"));
  const Json past = document("/api/v1/leaderboard?page=3"), last = document("/api/v1/leaderboard?page=2");
  EXPECT_EQ(past["rows"].size(), 0u);
  EXPECT_EQ(last["rows"].size(), 1u);
  EXPECT_EQ(last["page"], 2);
  EXPECT_EQ(last["num_pages"], 2);
  EXPECT_EQ(last["num_rows"], 51);
  EXPECT_EQ(document("/api/v1/leaderboard")["rows"].size(), 51u);
  EXPECT_EQ(document("/boards/digits.json")["rows"].size(), 51u);
}

TEST_F(BoardsSite, FiltersChooseRowsAndLeaveRanksAsTheyAre) {
  publish_three();
  EXPECT_THAT(column("find=HOLES"), ElementsAre("lower"));
  EXPECT_THAT(column("find=holes", "rank"), ElementsAre("3"));
  EXPECT_THAT(column("find=e"), ElementsAre("upper", "middle", "lower"));
  EXPECT_THAT(column("contributor=ADA", "rank"), ElementsAre("1", "3"));
  EXPECT_THAT(column("finding=adds"), ElementsAre("middle"));
  EXPECT_THAT(column("contributor=ad"), ElementsAre());
  EXPECT_THAT(get("/boards/digits.csv?finding=adds").body, HasSubstr("\r\n2,middle,,1.0.0,eve,2.0,5.0,"));
  const std::string page = get("/boards/digits?find=holes&contributor=ada&sort=heuristic").body;
  EXPECT_THAT(
      page, AllOf(HasSubstr("name=\"find\" value=\"holes\""), HasSubstr("name=\"contributor\" value=\"ada\""),
                  HasSubstr("<option value=\"heuristic\" selected>")));
  // Sorting keeps the filters; the key that it is sorted by turns the order round.
  EXPECT_THAT(page, HasSubstr("/boards/digits?find=holes&amp;contributor=ada\">rank"));
  EXPECT_THAT(
      page, HasSubstr("/boards/digits?find=holes&amp;contributor=ada&amp;sort=heuristic&amp;order=desc\">"));
  EXPECT_THAT(
      get("/boards/digits?find=nothing-is-so").body,
      AllOf(HasSubstr("no heuristic of this board is so"), HasSubstr("href=\"/boards/digits\">show all")));
}

TEST_F(BoardsSite, TheDocumentHasTheKeysOfTheApi) {
  publish("ada", "holes", gain(2));
  const Json all = document("/api/v1/leaderboard?board=digits");
  EXPECT_EQ(all["board"], "digits");
  EXPECT_EQ(all["board_version"], 1);
  std::vector<std::string> keys;
  for (const auto& [key, value] : all["rows"][0].items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("rank", "heuristic", "settings", "version", "contributor", "expected_rank",
                                "gain", "gain_ci95", "beyond", "beyond_ci95", "beyond_others", "beyond_at",
                                "beyond_remark", "finding", "limited_by", "wanted_pictures", "num_seeds",
                                "num_features", "microseconds", "verified", "submission"));
  EXPECT_TRUE(all["rows"][0]["settings"].is_null());
  EXPECT_TRUE(all["rows"][0]["limited_by"].is_null()) << "its rank is certain";
  EXPECT_EQ(all["rows"][0]["rank"], "1");
  EXPECT_EQ(all["rows"][0]["verified"], "");
  EXPECT_NEAR(all["rows"][0]["gain_ci95"].get<double>(), .3, 1e-12);
  const Json boards = document("/api/v1/boards")["boards"];
  EXPECT_EQ(
      boards.dump(),
      R"([{"name":"digits","version":1,"num_seeds":8,"ladder_step":0.0,"copies":"mark","num_entries":1,)"
      R"("page":"/boards/digits","is_open":true,"title":null,"notice":null,"contact":null,"opens_at":null,)"
      R"("closes_at":null,"attempts_a_day":null,"points":null}])");
}

TEST_F(BoardsSite, HeuristicsThatAreNotToldApartShareRanks) {
  publish("ada", "first", gain(2));
  publish("eve", "second", gain(2.1));
  EXPECT_THAT(column("", "rank"), ElementsAre("1–2", "1–2"));
  EXPECT_THAT(column("", "limited_by"), ElementsAre("seeds", "seeds"));
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr("class=\"shaded\""))) << "one set, one band";
  EXPECT_THAT(get("/boards/digits").body,
              AllOf(HasSubstr("rows that share ranks have the same background"),
                    HasSubstr("More seeds may part some that share ranks"), Not(HasSubstr("limited by")),
                    HasSubstr("/submissions/2/report")));
  publish("ada", "third", gain(9));
  EXPECT_THAT(column("", "rank"), ElementsAre("1", "2–3", "2–3"));
  EXPECT_THAT(get("/boards/digits").body, HasSubstr("class=\"shaded\""));
  EXPECT_THAT(get("/boards/digits?sort=gain").body, Not(HasSubstr("class=\"shaded\"")));
}

TEST_F(BoardsSite, RanksThatHoldAllAtOnceAreOneClickAway) {
  publish_three();
  const std::string own = get("/boards/digits").body;
  EXPECT_THAT(
      own, AllOf(HasSubstr("The true rank of a heuristic lies in its range with 95 % confidence, each taken"),
                 HasSubstr("/boards/digits?ranks=together\">Ranks that hold all at once")));
  const std::string together = get("/boards/digits?ranks=together").body;
  EXPECT_THAT(together,
              AllOf(HasSubstr("All true ranks lie in their ranges at the same time with 95 % confidence"),
                    HasSubstr("rank (all at once)"),
                    HasSubstr("href=\"/boards/digits\">Ranks that hold each by itself")));
  EXPECT_EQ(column("ranks=together", "rank").size(), 3u);
  EXPECT_EQ(get("/boards/digits?ranks=both").status, 422);
  EXPECT_THAT(get("/api/v1/leaderboard?board=digits&ranks=both").body,
              HasSubstr("ranks: 'both' is unknown; known are own, together"));
}

TEST_F(BoardsSite, ContributorsAreRankedByTheirBest) {
  publish_three();
  EXPECT_THAT(column("by=contributor", "contributor"), ElementsAre("ada", "eve"));
  EXPECT_THAT(column("by=contributor", "rank"), ElementsAre("1", "2"));
  EXPECT_THAT(column("by=contributor", "num_heuristics"), ElementsAre("2", "1"));
  EXPECT_THAT(column("by=contributor", "num_adds"), ElementsAre("1", "1"));
  EXPECT_THAT(column("by=contributor&sort=num_heuristics&order=asc", "contributor"),
              ElementsAre("eve", "ada"));
  EXPECT_THAT(column("by=contributor&find=EV", "rank"), ElementsAre("2"));
  EXPECT_THAT(get("/boards/digits?by=contributor").body,
              AllOf(HasSubstr("href=\"/contributors/eve\""), HasSubstr("best heuristic"),
                    HasSubstr("heuristics in it"), Not(HasSubstr("More seeds may"))));
  EXPECT_THAT(get("/contributors").body, AllOf(HasSubstr("2 contributors"), HasSubstr("/contributors/ada")));
}

TEST_F(BoardsSite, ANameIsEncodedInItsAddress) {
  publish("ada", "h<script>alert('x')</script>", gain(2));
  EXPECT_THAT(get("/boards/digits").body,
              HasSubstr("/heuristics/h%3Cscript%3Ealert%28%27x%27%29%3C/script%3E"));
}

TEST_F(BoardsSite, NoCellOfACsvIsAFormula) {
  publish("ada", "=1+1", gain(-2), "@1", "");
  publish("ada", "a,\"b\"", gain(-3), "+1", "");
  publish("ada", "plain", gain(-4), "-1", "");
  const Response csv = get("/boards/digits.csv");
  EXPECT_EQ(csv.content_type, "text/csv; charset=utf-8");
  EXPECT_THAT(csv.body, HasSubstr("1,'=1+1,,'@1,ada,1.0,-2.0,"));
  EXPECT_THAT(csv.body, HasSubstr("2,\"a,\"\"b\"\"\",,'+1,ada,2.0,-3.0,"));
  EXPECT_THAT(csv.body, HasSubstr("3,plain,,'-1,ada,3.0,-4.0,"));
  EXPECT_EQ(column("")[0], "=1+1");
}

TEST_F(BoardsSite, APageIsSentAgainOnlyWhenTheBoardHasChanged) {
  publish("ada", "holes", gain(2));
  for (const char* target : {"/", "/boards/digits", "/boards/digits.csv", "/boards/digits/front.svg",
                             "/contributors", "/api/v1/leaderboard"}) {
    const Response first = get(target);
    const std::string tag = header(first, "ETag");
    EXPECT_FALSE(tag.empty()) << target;
    EXPECT_EQ(header(first, "Cache-Control"), "no-cache");
    EXPECT_EQ(get(target).body, first.body);
    Request again = request("GET", target);
    again.if_none_match = "W/\"other\", W/" + tag;
    const Response unchanged = site_.answer(again);
    EXPECT_EQ(unchanged.status, 304);
    EXPECT_TRUE(unchanged.body.empty());
    EXPECT_EQ(header(unchanged, "ETag"), tag);
    publish("ada", "holes", gain(2), fmt::format("of {}", target));
    EXPECT_EQ(site_.answer(again).status, 200) << target;
  }
  EXPECT_NE(header(get("/boards/digits"), "ETag"), header(get("/boards/digits?sort=heuristic"), "ETag"));
  // A key that is no parameter makes no other page.
  EXPECT_EQ(header(get("/boards/digits"), "ETag"), header(get("/boards/digits?x=1"), "ETag"));
}

TEST_F(BoardsSite, PagesOfWhoeverHasLoggedInAreTheirs) {
  const std::string session = session_of("ada");
  const Response own = get_in_session("/boards/digits", session);
  EXPECT_EQ(header(own, "ETag"), "");
  EXPECT_THAT(own.body, HasSubstr(">ada</a>"));
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr(">ada</a>")));
}

TEST_F(BoardsSite, FormerVersionsOfABoardStayAndSayWhatWaits) {
  publish("ada", "holes", gain(2));
  publish("eve", "edges", gain(1));
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 16});
  EXPECT_THAT(get("/boards/digits").body,
              HasSubstr("2 of the 2 heuristics of <a href=\"/boards/digits?version=1\">"));
  ASSERT_EQ(rerun_board(records_, "digits")->num_submissions, 2u);
  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(name_submission(records_, lease, "holes", "1.0.0", "").ok());
  Judgement again = gain(4);
  again.report_html = again.report_json = "{}";
  ASSERT_TRUE(publish_submission(records_, lease, again, 1).ok());
  EXPECT_THAT(get("/boards/digits").body, HasSubstr("1 of the 2 heuristics of"));
  EXPECT_THAT(column("", "gain"), ElementsAre("4.0"));
  EXPECT_THAT(column("version=1", "heuristic"), ElementsAre("holes", "edges"));
  EXPECT_THAT(column("version=1", "gain"), ElementsAre("2.0", "1.0"));
  EXPECT_THAT(get("/boards/digits?version=1").body,
              AllOf(HasSubstr("<h1>Board digits, version 1</h1>"), HasSubstr("is history"),
                    HasSubstr("href=\"/boards/digits\">The newest is version 2"),
                    HasSubstr("/boards/digits?version=1&amp;sort=heuristic")));
  EXPECT_EQ(get("/boards/digits?version=3").status, 404);
}

TEST_F(BoardsSite, AContributorsPageShowsTheirHeuristicsAndCountsTheirSubmissions) {
  publish_three();
  hand_in("ada");
  const std::int64_t secret = hand_in_secretly("ada");
  ASSERT_TRUE(cancel_submission(records_, secret).ok());
  const std::string page = get("/contributors/ADA").body;
  EXPECT_THAT(page, AllOf(HasSubstr("<h1>ada</h1>"), HasSubstr("/heuristics/upper"),
                          HasSubstr("/heuristics/lower"), HasSubstr(">published<"), HasSubstr(">received<")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("/heuristics/middle")), Not(HasSubstr(">cancelled<"))));
  EXPECT_THAT(get("/contributors/ada", "ada-token").body, HasSubstr(">cancelled<"));
  // Somebody who has shown nothing is not there for others.
  EXPECT_EQ(get("/contributors/olga").status, 404);
  EXPECT_EQ(get("/contributors/nobody").status, 404);
  EXPECT_EQ(get("/contributors/olga", "olga-token").status, 200);
}

Compared compared(const std::string& name, double gain, double error, std::size_t num_seeds,
                  std::int64_t board_id = 1) {
  Compared one{.submission = {}, .board = {}, .name = name};
  one.board.id = board_id;
  one.shown = BoardEntry{};
  one.shown->gain = gain;
  one.shown->standard_error = error;
  one.shown->num_seeds = num_seeds;
  return one;
}

TEST(GainDifferences, AreTestedByTheirErrorsTogether) {
  // 3 - 2 = 1 with an error of hypot(.3, .4) = .5: t = 2 at 7 degrees of freedom, p = .0856; the quantile of
  // 97.5 % is 2.3646.
  const Compared two[] = {compared("low", 2, .4, 16), compared("high", 3, .3, 8)};
  const std::vector<GainDifference> found = gain_differences(two);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].a, 1u);
  EXPECT_NEAR(found[0].difference.mean, 1, 1e-12);
  EXPECT_NEAR(*found[0].difference.half_width, 1.1823, 1e-4);
  EXPECT_NEAR(found[0].p_corrected, .0856, 1e-4);
  EXPECT_FALSE(found[0].is_beyond_chance());
  EXPECT_EQ(words_of(found[0], two),
            "high and low are not told apart: the difference of +1.00 ± 1.18 may be chance. They need not be "
            "equal: it may be anything from −0.18 to +2.18.");
}

TEST(GainDifferences, AreBeyondChanceWhereTheyAreLargeForTheirErrors) {
  // t = 4 at 7 degrees of freedom: p = .0052.
  const Compared two[] = {compared("high", 5, .3, 8), compared("low", 3, .4, 8)};
  const std::vector<GainDifference> found = gain_differences(two);
  EXPECT_NEAR(found[0].p_corrected, .0052, 1e-4);
  EXPECT_EQ(words_of(found[0], two),
            "high adds 2.00 ± 1.18 more than low: that is more than chance explains.");
}

// t = 2.6 at 7 degrees of freedom: p = .0355, and .106 as the first of three.
TEST(GainDifferences, HaveIntervalsThatAgreeWithTheCorrectedP) {
  const Compared three[] = {compared("a", 4.3, .3, 8), compared("b", 3, .4, 8), compared("c", 4, .3, 8)};
  for (const GainDifference& difference : gain_differences(three)) {
    const bool leaves_out = difference.difference.mean > *difference.difference.half_width;
    EXPECT_EQ(leaves_out, difference.is_beyond_chance());
    EXPECT_FALSE(leaves_out);
  }
  EXPECT_TRUE(gain_differences(std::span(three).first(2))[0].is_beyond_chance());
}

TEST(GainDifferences, AreCorrectedForTheirNumberAndStayWithinAVersionOfABoard) {
  const Compared three[] = {compared("a", 5, .3, 8), compared("b", 3, .4, 8), compared("c", 5, .3, 8)};
  const std::vector<GainDifference> found = gain_differences(three);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0].p_corrected, 3 * .00519, 1e-4);
  const Compared apart[] = {compared("a", 5, .3, 8, 1), compared("b", 3, .4, 8, 2)};
  EXPECT_TRUE(gain_differences(apart).empty());
}

TEST_F(BoardsSite, ComparingShowsOnlyWhatDiffers) {
  Judgement first = gain(2), second = gain(5);
  first.report_json =
      R"({"classes": [{"class": "zero", "gain": 1.5, "standard_error": 0.1, "p_corrected": 0.01},
                                      {"class": "one", "gain": 0}]})";
  second.report_json =
      R"({"classes": [{"class": "zero", "gain": -1, "p_corrected": 0.01}, {"class": "one", "gain": 0}, 7]})";
  publish("ada", "holes", first);
  publish("eve", "edges", second);
  const Response response = get("/compare?submission=1&submission=2");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr("edges 1.0.0 adds 3.00 ± 0.50 more than holes 1.0.0"));
  const std::string differs = response.body.substr(response.body.find("id=\"differences\"")),
                    shared = differs.substr(differs.find("What is the same"));
  EXPECT_THAT(differs, AllOf(HasSubstr(">contributor<"), HasSubstr("href=\"/submissions/2\""),
                             HasSubstr("class zero"), HasSubstr("+1.50 (error 0.10), better"),
                             HasSubstr("−1.00, worse"), Not(HasSubstr("class one"))));
  EXPECT_THAT(shared, AllOf(HasSubstr("licence: MIT"), HasSubstr("board: digits, version 1")));
  EXPECT_THAT(differs, Not(HasSubstr(">licence<")));
}

TEST_F(BoardsSite, OnlyWhatIsVisibleIsComparedAndTwoToSixOfThem) {
  publish("ada", "holes", gain(2));
  publish("eve", "edges", gain(5));
  const std::int64_t waiting = hand_in("eve"), secret = hand_in_secretly("eve");
  const auto compare = [&](const std::string& query, const std::string& token = "") {
    return get("/compare?" + query, token).status;
  };
  EXPECT_EQ(compare(""), 422);
  EXPECT_EQ(compare("submission=1"), 422);
  EXPECT_EQ(compare("submission=1&submission=1"), 422);
  EXPECT_EQ(compare("submission=1&submission=x"), 422);
  EXPECT_EQ(compare("submission=1&submission=99"), 422);
  const std::string with_secret = fmt::format("submission=1&submission={}", secret);
  EXPECT_EQ(compare(with_secret), 422);
  EXPECT_EQ(compare(with_secret, "ada-token"), 422);
  EXPECT_EQ(compare(with_secret, "eve-token"), 200);
  EXPECT_EQ(compare(fmt::format("submission=1&submission={}", waiting)), 200);
  ASSERT_TRUE(remove_submission(records_, 2, "spam").ok());
  EXPECT_EQ(compare("submission=1&submission=2"), 422);
}

TEST_F(BoardsSite, ComparingReadsNoSources) {
  publish("ada", "holes", gain(2));
  publish("eve", "edges", gain(5));
  const Request asked = request("GET", "/compare?submission=1&submission=2");
  SiteParts parts;
  Visit visit{records_, asked, parts};
  const auto compared = read_compared(visit);
  ASSERT_TRUE(compared.ok());
  ASSERT_EQ(compared->size(), 2u);
  for (const Compared& one : *compared) EXPECT_EQ(one.submission.source, "");
}

TEST_F(BoardsSite, AReportThatIsNoDocumentDoesNoHarm) {
  int number = 0;
  for (const char* report :
       {"[]", "not json", "{\"classes\": 3}", "{\"classes\": [{\"class\": 1}], \"advice\": {}}"}) {
    Judgement judgement = gain(++number);
    judgement.report_json = report;
    publish("ada", fmt::format("h{}", number), judgement);
  }
  EXPECT_EQ(get("/compare?submission=1&submission=2&submission=3&submission=4").status, 200);
}

TEST_F(BoardsSite, TheFrontNamesThoseThatNoCheaperOneBetters) {
  publish_three();
  const auto stand = BoardCache().stand(records_, read_boards(records_)->front());
  std::vector<std::string> on_front;
  for (const ScatterPoint& point : front_chart(**stand).points)
    if (point.is_on_front) on_front.push_back(point.name);
  EXPECT_THAT(on_front, ElementsAre("upper", "lower"));
  EXPECT_EQ(front_chart(**stand, std::vector<std::size_t>{}).points.size(), 2u);
  const Response file = get("/boards/digits/front.svg");
  EXPECT_EQ(file.content_type, "image/svg+xml");
  EXPECT_THAT(file.body, AllOf(HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""), HasSubstr("<style>"),
                               HasSubstr(">upper</text>")));
}

TEST(PageCache, ForgetsThoseThatWereAskedForLongestAgo) {
  PageCache cache;
  const auto page = [](std::size_t num_bytes) {
    return std::make_shared<const Response>(Response{.body = std::string(num_bytes, 'x')});
  };
  cache.keep("first", page(1));
  cache.keep("second", page(1));
  EXPECT_NE(cache.find("first"), nullptr);
  for (std::size_t i = 0; i + 1 < PageCache::kMostPages; ++i) cache.keep(std::to_string(i), page(1));
  EXPECT_NE(cache.find("first"), nullptr);
  EXPECT_EQ(cache.find("second"), nullptr);
  cache.keep("large", page(PageCache::kMostBytes));
  EXPECT_NE(cache.find("large"), nullptr);
  EXPECT_EQ(cache.find("first"), nullptr);
  cache.keep("too large", page(PageCache::kMostBytes + 1));
  EXPECT_EQ(cache.find("too large"), nullptr);
}

}  // namespace
}  // namespace mash::server
