// SPDX-License-Identifier: Apache-2.0
// Evidence of copies, what was told of private parts, and what a submission gained.
#include <gmock/gmock.h>

#include "framework/records/site/copies.hpp"
#include "framework/records/site/together.hpp"
#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CopiesSite : public testing::SampleSite {
 protected:
  // With a source of its own, under this name.
  std::int64_t publish_source(const std::string& user, const std::string& heuristic,
                              const std::string& source, const std::string& digest) {
    NewSubmission submission;
    submission.source = source;
    const std::int64_t id = hand_in(user, submission);
    const Lease lease = **take_submission(records_, 60);
    EXPECT_TRUE(name_submission(records_, lease, heuristic, "1.0.0", "").ok());
    Judgement judgement = gain(2);
    judgement.finding = "adds";
    judgement.features_digest = digest;
    EXPECT_TRUE(publish_submission(records_, lease, judgement, 1).ok());
    return id;
  }
  std::string as_operator(const std::string& target) { return get_in_session(target, operator_).body; }

  const std::string operator_ = session_of("olga", Scope::kOperate), own_ = session_of("ada");
};

TEST_F(CopiesSite, AnOperatorSeesWhatIsAlikeSideBySide) {
  EXPECT_THAT(as_operator("/operator"), HasSubstr("href=\"/operator/copies\""));
  EXPECT_THAT(as_operator("/operator/copies"), HasSubstr("No two heuristics of this board are alike"));
  const std::int64_t one = publish_source("ada", "ada/rows", "int a;\nint <b>;\nint c;\n", "x"),
                     other = publish_source("eve", "eve/lines", "int x;\nint <y>;\n", "y");
  EXPECT_THAT(as_operator("/operator/copies"), HasSubstr("2 submissions wait to be compared"));
  const KeptLikeness kept{.submission_id = other,
                          .other_id = one,
                          .cka = .9931,
                          .num_tokens = 40,
                          .num_other_tokens = 60,
                          .num_equal = 30,
                          .num_prints = 5,
                          .num_other_prints = 8,
                          .num_shared = 4,
                          .parts = {{1, 2, 2, 3}}};
  ASSERT_TRUE(keep_likenesses(records_, one, {}, {}).ok());
  ASSERT_TRUE(keep_likenesses(records_, other, {&one, 1}, {&kept, 1}).ok());
  const std::string pairs = as_operator("/operator/copies");
  EXPECT_THAT(pairs, AllOf(HasSubstr("CKA 0.993"), HasSubstr(">75<"), HasSubstr("eve/lines 1.0.0"),
                           HasSubstr(fmt::format("/operator/copies?one={}&amp;other={}", other, one))));
  EXPECT_THAT(pairs, Not(HasSubstr("wait to be compared")));
  for (const std::string& target : {fmt::format("/operator/copies?one={}&other={}", one, other),
                                    fmt::format("/operator/copies?one={}&other={}", other, one)}) {
    const std::string page = as_operator(target);
    EXPECT_THAT(page, AllOf(HasSubstr("30 (75 %)"), HasSubstr("30 (50 %)"), HasSubstr("4 (80 %)")));
    EXPECT_THAT(page,
                HasSubstr("<tr class=\"equal\"><td class=\"line\">1</td><td class=\"line\"><a id=\"one-1\" "
                          "href=\"#other-1\">1</a></td><td>int x;</td></tr>"));
    EXPECT_THAT(page, HasSubstr("<a id=\"other-1\" href=\"#one-1\">1</a></td><td>int &lt;b&gt;;</td></tr>"));
    EXPECT_THAT(page, HasSubstr("<tr><td class=\"line\">1</td><td class=\"line\"></td><td>int a;</td></tr>"))
        << "no part of both";
  }
}

TEST_F(CopiesSite, EvidenceIsForOperatorsAlone) {
  publish_source("ada", "rows", "int a;", "same");
  publish_source("eve", "copy", "int b;", "same");
  for (const char* target : {"/operator/copies", "/operator/copies?one=1&other=2"}) {
    EXPECT_EQ(get(target).status, 303) << "to log in";
    EXPECT_EQ(get_in_session(target, own_).status, 403);
    EXPECT_EQ(get_in_session(target, operator_).status, 200);
  }
  EXPECT_THAT(as_operator("/operator/copies"),
              AllOf(HasSubstr("equal, to the bit"), Not(HasSubstr("<td class=\"number\">0</td>"))))
      << "a figure that is not known is no 0";
  EXPECT_THAT(as_operator("/operator/copies?one=1&other=2"),
              AllOf(HasSubstr("Features: equal, to the bit."), HasSubstr("The sources are not compared."),
                    Not(HasSubstr("0 (0 %)"))));
  for (const char* target : {"/operator/copies?one=1", "/operator/copies?one=1&other=9",
                             "/operator/copies?one=x&other=2", "/operator/copies?one=1&other=1"})
    EXPECT_EQ(get_in_session(target, operator_).status, 404) << target;
  // Whose features they are is told to everybody.
  EXPECT_THAT(get("/boards/digits").body, HasSubstr("has the features of rows 1.0.0, to the bit"));
  ASSERT_TRUE(remove_submission(records_, 1, "not theirs").ok());
  EXPECT_EQ(get_in_session("/operator/copies?one=1&other=2", operator_).status, 404);
}

TEST_F(CopiesSite, ABoardSaysWhatItDoesWithThem) {
  EXPECT_THAT(get("/boards/digits").body, HasSubstr("stands with it, says whose they are"));
  EXPECT_EQ(Json::parse(get("/api/v1/boards").body)["boards"][0]["copies"], "mark");
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());
  EXPECT_THAT(get("/boards/digits").body, HasSubstr("this board takes no copies"));
  EXPECT_EQ(Json::parse(get("/api/v1/boards").body)["boards"][0]["copies"], "refuse");
}

TEST_F(CopiesSite, AnOperatorSeesHowManyBitsWereTold) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, .5});
  publish("ada", "rows", gain(2));
  publish("ada", "rows", gain(2.2), "1.1.0");
  const std::string before = as_operator("/operator");
  EXPECT_THAT(before,
              AllOf(HasSubstr("What was told of private parts"), HasSubstr("A dash"),
                    HasSubstr("Board digits: the pictures of its private part can be made by anybody, "
                              "as its data are generated; for grades take pictures of your own")));
  ASSERT_TRUE(
      put_board_page(records_, board_, "dataset.json",
                     R"({"num_test_private": 1186, "classes": ["0","1","2","3","4","5","6","7","8","9"]})")
          .ok());
  // log2(10,014,061) + log2(1 + 1 + 2 * 1,578 * 1,582), by a best before of 4 steps: 23.26 + 22.25.
  EXPECT_THAT(as_operator("/operator"), AllOf(HasSubstr(">46<"), HasSubstr(">3940<")));
  for (const char* page : {"none", "[]", R"({"num_test_private": -1, "classes": []})"}) {
    ASSERT_TRUE(put_board_page(records_, board_, "dataset.json", page).ok());
    EXPECT_EQ(get_in_session("/operator", operator_).status, 200) << page;
  }
}

TEST_F(CopiesSite, ASubmissionSaysWhatItGained) {
  const std::int64_t waiting = hand_in("eve");
  EXPECT_THAT(get(fmt::format("/submissions/{}", waiting)).body, Not(HasSubstr("What it gained")));
  ASSERT_TRUE(cancel_submission(records_, waiting).ok());
  NewSubmission secret;
  secret.is_private = true;
  const std::int64_t id = hand_in("ada", secret);
  EXPECT_THAT(get(fmt::format("/submissions/{}", id), "ada-token").body, Not(HasSubstr("What it gained")));
  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(name_submission(records_, lease, "ada/rows", "1.0.0", "").ok());
  Judgement judgement = gain(2.5);
  judgement.finding = "adds";
  ASSERT_TRUE(publish_submission(records_, lease, judgement, 1).ok());
  for (const char* token : {"ada-token", ""}) {
    const std::string page = get(fmt::format("/submissions/{}", id), token).body;
    EXPECT_THAT(page,
                AllOf(HasSubstr("What it gained"), HasSubstr("+2.5 ± 0.3 %"), HasSubstr("of 1 on digits"),
                      HasSubstr(">adds<"), HasSubstr("href=\"/heuristics/ada/rows\"")));
  }
  const std::string place = fmt::format("/api/v1/submissions/{}", id);
  Json rank = Json::parse(get(place).body)["judgement"]["rank"];
  EXPECT_EQ(rank["low"], 1);
  EXPECT_EQ(rank["high"], 1);
  EXPECT_EQ(rank["num_entries"], 1);
  publish("ada", "ada/rows", gain(3), "1.1.0");
  EXPECT_THAT(get(fmt::format("/submissions/{}", id)).body,
              HasSubstr("another version of it stands on digits"));
  EXPECT_TRUE(Json::parse(get(place).body)["judgement"]["rank"].is_null());
}

TEST_F(CopiesSite, ASubmissionSaysWhichBoardItIsFor) {
  const std::int64_t waiting = hand_in("ada");
  const std::string page = fmt::format("/submissions/{}", waiting);
  EXPECT_THAT(get(page).body, HasSubstr("handed in for <a href=\"/boards/digits\">the board digits</a> by"));
  EXPECT_THAT(as_operator("/operator"), HasSubstr("of ada, for digits: received"));
  EXPECT_THAT(get_in_session("/me", own_).body, HasSubstr(", for digits: received"));
  ASSERT_TRUE(cancel_submission(records_, waiting).ok());
  EXPECT_THAT(get(page).body, HasSubstr("the board digits</a>"));
  EXPECT_THAT(get("/submissions").body, HasSubstr(">digits<"));
  for (const std::string& place : {std::string("/api/v1/submissions?user=ada"), "/api/v1" + page}) {
    const Json document = Json::parse(get(place).body);
    EXPECT_EQ((document.contains("submissions") ? document["submissions"][0] : document)["board"], "digits");
  }
}

TEST_F(CopiesSite, ASecondRunSaysThatTheFirstStands) {
  const std::int64_t first = publish("ada", "ada/rows", gain(2)), again = *rerun_submission(records_, first);
  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(name_submission(records_, lease, "ada/rows", "1.0.0", "").ok());
  Judgement same = gain(2);
  same.finding = "adds";
  ASSERT_TRUE(publish_submission(records_, lease, same, 1).ok());
  const std::string target = fmt::format("/submissions/{}", again);
  EXPECT_THAT(get(target).body,
              HasSubstr(fmt::format("submission {}, which it ran again, stands on digits", first)));
  publish("ada", "ada/rows", gain(3), "1.1.0");
  EXPECT_THAT(get(target).body, HasSubstr("another version of it stands on digits"));
}

TEST_F(CopiesSite, PagesOfACopySayWhose) {
  const std::int64_t original = publish_source("ada", "ada/rows", "int a;", "same"),
                     copy = publish_source("eve", "eve/copy", "int b;", "same");
  publish("ada", "ada/holes", gain(1));
  constexpr const char* kWhose = "has the features of ada/rows 1.0.0, to the bit";
  for (const std::string& page :
       {std::string("/boards/digits"), std::string("/heuristics/eve/copy"), std::string("/contributors/eve"),
        std::string("/feed.atom"), fmt::format("/submissions/{}", copy)})
    EXPECT_THAT(get(page).body, HasSubstr(kWhose)) << page;
  for (const char* page : {"/heuristics/ada/rows", "/contributors/ada"})
    EXPECT_THAT(get(page).body, Not(HasSubstr(kWhose))) << page;
  EXPECT_THAT(get("/heuristics/eve/copy").body, HasSubstr("without a rank of its own on digits"));
  EXPECT_THAT(get("/heuristics/ada/rows").body, HasSubstr("of 2 on digits")) << "a copy has no rank";
  const Json judged = Json::parse(get(fmt::format("/api/v1/submissions/{}", original)).body)["judgement"];
  EXPECT_EQ(judged["rank"]["num_entries"], 2);
  EXPECT_EQ(judged["copy_of"], nullptr);
  EXPECT_EQ(Json::parse(get(fmt::format("/api/v1/submissions/{}", copy)).body)["judgement"]["copy_of"],
            original);
  const std::string compared = get(fmt::format("/compare?submission={}&submission={}", original, copy)).body;
  EXPECT_THAT(compared, AllOf(HasSubstr("have the same features, to the bit."),
                              Not(HasSubstr("They need not be equal"))));
}

TEST_F(CopiesSite, AdviceThatTwoShareEndsOnce) {
  Judgement judgement = gain(2);
  judgement.report_json = R"({"advice": "Keep it."})";
  const std::int64_t one = publish("ada", "ada/rows", judgement),
                     other = publish("eve", "eve/rows", judgement);
  EXPECT_THAT(get(fmt::format("/compare?submission={}&submission={}", one, other)).body,
              AllOf(HasSubstr("what to try next: Keep it."), Not(HasSubstr("Keep it.."))));
}

// The original's entry has other features by now.
TEST_F(CopiesSite, ACopyOfASupersededVersionNamesItsSubmission) {
  Judgement judgement = gain(2);
  judgement.features_digest = "same";
  const std::int64_t original = publish("ada", "rows", judgement);
  publish("eve", "copy", judgement);
  judgement.features_digest = "other";
  publish("ada", "rows", judgement, "1.1.0");
  EXPECT_THAT(get("/boards/digits").body,
              HasSubstr(fmt::format("has the features of submission {}, to the bit", original)));
}

TEST_F(CopiesSite, AllHeuristicsOfAContributorTogetherAreTold) {
  publish("ada", "ada/rows", gain(2));
  EXPECT_THAT(get("/contributors/ada").body, HasSubstr("measured where there are two of them"));
  publish("ada", "ada/holes", gain(1));
  const auto groups = *read_unmeasured_together(records_, board_);
  ASSERT_EQ(groups.size(), 1u);
  Judgement together = gain(2.6, .4);
  together.finding = "adds";
  ASSERT_TRUE(keep_together(records_, **find_board(records_, board_), groups[0], together).ok());
  EXPECT_THAT(get("/contributors/ada").body, AllOf(HasSubstr("All together"), HasSubstr("2.6 ± 0.4")));
  const Json row = Json::parse(get("/api/v1/leaderboard?by=contributor").body)["rows"][0];
  EXPECT_EQ(row["together"], 2.6);
  EXPECT_NEAR(row["together_ci95"].get<double>(), .4, 1e-12);
  EXPECT_EQ(row["num_together"], 2);
  EXPECT_THAT(get("/boards/digits.csv?by=contributor").body, HasSubstr("together"));
  publish("ada", "ada/edges", gain(1));
  EXPECT_THAT(get("/contributors/ada").body, HasSubstr("their heuristics were others then"));
}

TEST_F(CopiesSite, PagesOfARunnerLeadBack) {
  const std::string page = "<!DOCTYPE html>\n<html><body>\n<h1>page</h1></body></html>";
  for (const char* name : {"experiment.html", "uncovered.html"})
    ASSERT_TRUE(put_board_page(records_, board_, name, page).ok());
  EXPECT_THAT(get("/experiments/digits?page=training").body,
              AllOf(HasSubstr("<body>\n<nav aria-label=\"Board\"><a href=\"/experiments/digits?version=1\">"),
                    HasSubstr("<a href=\"/boards/digits\">Board digits</a> · <a href=\"/\">MASH</a></nav>")));
  EXPECT_THAT(get("/uncovered?board=digits&page=pictures").body, HasSubstr("<a href=\"/uncovered\">Back to"));
  Judgement judgement = gain(2.5);
  judgement.report_html = page;
  const std::int64_t id = publish("ada", "ada/rows", judgement);
  EXPECT_THAT(get(fmt::format("/submissions/{}/report", id)).body,
              AllOf(HasSubstr(fmt::format("<a href=\"/submissions/{0}\">Back to submission {0}</a>", id)),
                    HasSubstr("<a href=\"/heuristics/ada/rows\">ada/rows</a>"),
                    HasSubstr("<a href=\"/boards/digits\">Board digits</a>")));
}

TEST_F(CopiesSite, AddressesOfHeuristicsAreAsTheyAreWritten) {
  publish("ada", "ada/rows", gain(2));
  for (const char* target : {"/boards/digits", "/contributors/ada", "/submissions/1", "/feed.atom"}) {
    EXPECT_THAT(get(target).body, HasSubstr("/heuristics/ada/rows\"")) << target;
    EXPECT_THAT(get(target).body, Not(HasSubstr("/heuristics/ada%2F"))) << target;
  }
  EXPECT_THAT(get("/heuristics/ada%2Frows").body, HasSubstr("/heuristics/ada/rows/badge.svg"))
      << "the former one";
}

}  // namespace
}  // namespace mash::server
