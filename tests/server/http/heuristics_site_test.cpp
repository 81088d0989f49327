// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/badge.hpp"
#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HeuristicsSite : public testing::SampleSite {
 protected:
  // As publish does, with a source of its own.
  std::int64_t publish_source(const std::string& source, const std::string& version, double its_gain,
                              const std::vector<SourceFinding>& findings = {}) {
    NewSubmission submission;
    submission.source = source;
    const std::int64_t id = hand_in("ada", submission);
    const Lease lease = **take_submission(records_, 60);
    EXPECT_TRUE(name_submission(records_, lease, "ada/holes", version, "counts holes").ok());
    EXPECT_TRUE(put_findings(records_, lease, findings).ok());
    Judgement judgement = gain(its_gain);
    judgement.finding = "adds";
    EXPECT_TRUE(publish_submission(records_, lease, judgement, 1).ok());
    return id;
  }
  std::string page(const std::string& query = "", const std::string& token = "") {
    const Response response = get("/heuristics/ada%2Fholes" + query, token);
    EXPECT_EQ(response.status, 200);
    return response.body;
  }
  Json document() { return Json::parse(get("/api/v1/heuristics/ada%2Fholes").body); }
};

// Elements of XML that are opened and closed in order.
bool is_balanced(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string_view::npos) return false;
    const std::string tag(xml.substr(at + 1, end - at - 1));
    if (tag.starts_with("?") || tag.ends_with("/")) continue;
    const std::string name = tag.substr(0, tag.find(' '));
    if (!name.starts_with("/")) {
      open.push_back(name);
    } else {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

TEST_F(HeuristicsSite, APageShowsWhereTheNewestVersionStands) {
  publish("eve", "eve/rows", gain(9));
  publish_source("int first;", "1.0.0", 1.23);
  const std::int64_t id = publish_source("int second;", "1.1.0", 2.5);
  const std::string body = page();
  EXPECT_THAT(body, HasSubstr("<h1>ada/holes</h1>"));
  EXPECT_THAT(body, HasSubstr("<dd>2<small>of 2 on digits</small>"));
  EXPECT_THAT(body, HasSubstr("<dd>+2.5 ± 0.3 %<small>"));
  EXPECT_THAT(body, HasSubstr(fmt::format("href=\"/submissions/{}/report\"", id)));
  EXPECT_THAT(body, HasSubstr(fmt::format("href=\"/submissions/{}/report.json\"", id)));
  EXPECT_THAT(body, HasSubstr("counts holes"));
  EXPECT_THAT(body, HasSubstr("1.1.0 (newest)"));
  EXPECT_THAT(body, HasSubstr("not yet"));
  EXPECT_THAT(body, HasSubstr("<td>int second;</td>"));
  EXPECT_THAT(body, Not(HasSubstr("<td>int first;</td>")));
  EXPECT_THAT(page("?version=1.0.0"), HasSubstr("<td>int first;</td>"));
}

TEST_F(HeuristicsSite, WhatIsNotThereIsNotFound) {
  publish_source("int a;", "1.0.0", 1);
  for (const char* target : {"/heuristics/nobody", "/heuristics/ada%2Fholes?version=9",
                             "/heuristics/ada%2Fholes?board=other", "/heuristics/ada%2Fholes?from=1&to=99",
                             "/heuristics/ada%2Fholes?from=1", "/api/v1/heuristics/nobody"})
    EXPECT_EQ(get(target).status, 404) << target;
}

TEST_F(HeuristicsSite, ANameIsNobodysUntilAVersionIsPublished) {
  hand_in("ada");
  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(name_submission(records_, lease, "ada/holes", "1.0.0", "").ok());
  EXPECT_EQ(get("/heuristics/ada%2Fholes").status, 404);
  EXPECT_EQ(get("/heuristics/ada%2Fholes/badge.svg").status, 404);
}

TEST_F(HeuristicsSite, TwoVersionsAreComparedLineByLine) {
  const auto first = publish_source("int a;\nint <b>;\nint c;\n", "1.0.0", 1);
  const auto second = publish_source("int a;\nint d;\nint c;\n", "1.1.0", 2);
  EXPECT_THAT(page(), HasSubstr(fmt::format("<option value=\"{}\" selected>1.0.0", first)));
  const std::string body = page(fmt::format("?from={}&to={}", first, second));
  EXPECT_THAT(body, HasSubstr("<tr class=\"removed\"><td class=\"line\">2</td><td class=\"line\"></td>"
                              "<td class=\"line\">−</td><td>int &lt;b&gt;;</td></tr>"));
  EXPECT_THAT(body, HasSubstr("<tr class=\"added\"><td class=\"line\"></td><td class=\"line\">2</td>"
                              "<td class=\"line\">+</td><td>int d;</td></tr>"));
  EXPECT_THAT(body, HasSubstr("1 line added (+), 1 line removed (−)"));
}

TEST_F(HeuristicsSite, FindingsStandAtTheirLinesAndAreEscaped) {
  publish_source("int a;\nint b;\n", "1.0.0", 1,
                 {{2, 5, "warning", "unused <b>"}, {0, 0, "check", "slow"}, {77, 0, "note", "beyond"}});
  const std::string body = page();
  EXPECT_THAT(
      body, HasSubstr("<tr id=\"line-2\"><td class=\"line\">2</td><td>int b;</td></tr>\n<tr class=\"found\">"
                      "<td colspan=\"2\"><b>warning</b>, column 5: unused &lt;b&gt;</td></tr>"));
  EXPECT_THAT(body, HasSubstr("<li><b>check</b>: slow</li>"));
  EXPECT_THAT(body, HasSubstr("<li>line 77: <b>note</b>: beyond</li>"));
  EXPECT_THAT(body, HasSubstr("of these lines: <a href=\"#line-2\">2</a>"));
}

TEST_F(HeuristicsSite, LongSourcesAreShownInPart) {
  publish_source(std::string(6000, '\n'), "1.0.0", 1);
  const std::string body = page();
  EXPECT_THAT(body, HasSubstr("6000 lines, of which the first 5000 are shown"));
  EXPECT_THAT(body, HasSubstr("id=\"line-5000\""));
  EXPECT_THAT(body, Not(HasSubstr("id=\"line-5001\"")));
}

TEST_F(HeuristicsSite, OfWhatIsRemovedOnlyTheReasonIsShown) {
  const auto first = publish_source("int secret;", "1.0.0", 1);
  publish_source("int b;", "1.1.0", 2);
  ASSERT_TRUE(remove_submission(records_, first, "not <theirs>").ok());
  const std::string body = page();
  EXPECT_THAT(body, HasSubstr("removed: not &lt;theirs&gt;"));
  EXPECT_THAT(body, Not(HasSubstr("1.0.0")));
  EXPECT_EQ(get(fmt::format("/heuristics/ada%2Fholes?from={}&to={}", first, first + 1)).status, 404);
  EXPECT_EQ(get("/heuristics/ada%2Fholes?version=1.0.0").status, 404);
  ASSERT_TRUE(remove_submission(records_, first + 1, "also").ok());
  const Response response = get("/heuristics/ada%2Fholes");
  EXPECT_EQ(response.status, 410);
  EXPECT_THAT(response.body, HasSubstr("also"));
  EXPECT_THAT(response.body, Not(HasSubstr("int ")));
}

TEST_F(HeuristicsSite, PrivateVersionsAreThereForTheirContributorAndOperatorsOnly) {
  publish_source("int a;", "1.0.0", 1);
  NewSubmission submission;
  submission.is_private = true;
  const auto id = hand_in("ada", submission);
  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(name_submission(records_, lease, "ada/holes", "1.1.0", "").ok());
  const std::string place = fmt::format("href=\"/submissions/{}\"", id);
  EXPECT_THAT(page(), Not(HasSubstr(place)));
  EXPECT_THAT(page("", "eve-token"), Not(HasSubstr(place)));
  EXPECT_THAT(page("", "ada-token"), HasSubstr(place));
  EXPECT_THAT(page("", "olga-token"), HasSubstr(place));
  EXPECT_EQ(document()["versions"].size(), 1u);
  ASSERT_TRUE(publish_submission(records_, lease, gain(2), 1).ok());
  EXPECT_THAT(page(), HasSubstr(place));
}

TEST_F(HeuristicsSite, FormerVersionsOfABoardAreHistory) {
  const auto first = publish_source("int a;", "1.0.0", 1);
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits, train: 100}", 8});
  EXPECT_THAT(page(), HasSubstr("On former versions of the board"));
  EXPECT_THAT(page(), HasSubstr("on no board now"));
  EXPECT_EQ(get("/heuristics/ada%2Fholes/badge.svg").status, 404);
  const auto again = *rerun_submission(records_, first);
  const Lease lease = **take_submission(records_, 60);
  ASSERT_EQ(lease.submission_id, again);
  ASSERT_TRUE(name_submission(records_, lease, "ada/holes", "1.0.0", "").ok());
  ASSERT_TRUE(publish_submission(records_, lease, gain(3), 1).ok());
  EXPECT_THAT(page(), HasSubstr("<dd>1<small>of 1 on digits</small>"));
  EXPECT_THAT(page(), HasSubstr("On former versions of the board"));
  EXPECT_THAT(page(), Not(HasSubstr("id=\"changes\"")));  // one source
  const Json versions = document()["versions"];
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[0]["board_version"], 2);
  EXPECT_EQ(versions[1]["board_version"], 1);
}

TEST_F(HeuristicsSite, AnotherRunOnTheSameBoardVerifiesAndIsNoVersion) {
  const auto first = publish_source("int a;", "1.0.0", 1);
  ASSERT_TRUE(rerun_submission(records_, first).ok());
  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(name_submission(records_, lease, "ada/holes", "1.0.0", "").ok());
  Judgement same = gain(1);
  same.finding = "adds";
  ASSERT_TRUE(publish_submission(records_, lease, same, 1).ok());
  EXPECT_THAT(page(), HasSubstr("a second run gave the same figures"));
  EXPECT_THAT(page(), HasSubstr(fmt::format("submission {} run again", first)));
  const Json versions = document()["versions"];
  ASSERT_EQ(versions.size(), 1u);
  EXPECT_EQ(versions[0]["submission"], first);
  EXPECT_NE(versions[0]["verified_at"], "");
  const std::string feed = get("/feed.atom").body;
  EXPECT_EQ(feed.find("<entry>"), feed.rfind("<entry>"));
}

TEST_F(HeuristicsSite, TheApiTellsAllVersions) {
  publish_source("int a;", "1.0.0", 1);
  publish_source("int b;", "1.1.0", 2);
  const Json found = document();
  EXPECT_EQ(found["heuristic"], "ada/holes");
  EXPECT_EQ(found["board"], "digits");
  ASSERT_EQ(found["versions"].size(), 2u);
  EXPECT_EQ(found["versions"][0]["version"], "1.1.0");
  EXPECT_EQ(found["versions"][0]["state"], "published");
  EXPECT_EQ(found["versions"][1]["state"], "superseded");
  EXPECT_DOUBLE_EQ(found["versions"][1]["gain"], 1);
  EXPECT_NEAR(found["versions"][1]["gain_ci95"], .3, 1e-12);
}

TEST_F(HeuristicsSite, ABadgeSaysRankAndGain) {
  publish_source("int a;", "1.0.0", 1.23);
  const Response response = get("/heuristics/ada%2Fholes/badge.svg");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "image/svg+xml");
  EXPECT_EQ(header(response, "Cache-Control"), "max-age=300");
  EXPECT_THAT(response.body, HasSubstr(">rank 1, +1.2 ± 0.3 %</text>"));
  EXPECT_TRUE(is_balanced(response.body));
  const Response unknown = get("/heuristics/nobody/badge.svg");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(unknown.body, HasSubstr(">not found</text>"));
}

TEST(Badge, IsAsWideAsItsTextAndEscapesIt) {
  const std::string plain = badge("ab", BadgeMood::kPlain), longer = badge("abcd", BadgeMood::kPlain);
  EXPECT_THAT(plain, HasSubstr("width=\"66\""));
  EXPECT_THAT(longer, HasSubstr("width=\"80\""));
  EXPECT_THAT(badge("<&\"", BadgeMood::kGood), HasSubstr(">&lt;&amp;&quot;</text>"));
}

TEST_F(HeuristicsSite, TheFeedTellsPublicationsTheLatestFirst) {
  EXPECT_TRUE(is_balanced(get("/feed.atom").body));
  publish("ada", "ada/<one>", gain(1), "1.0.0", "tags & more");
  publish("eve", "eve/two", gain(2));
  hand_in("ada");
  const Response response = get("/feed.atom");
  EXPECT_EQ(response.content_type, "application/atom+xml; charset=utf-8");
  const std::string& feed = response.body;
  EXPECT_TRUE(is_balanced(feed));
  EXPECT_LT(feed.find("eve/two"), feed.find("ada/&lt;one&gt;"));
  EXPECT_THAT(feed, HasSubstr("tags &amp; more"));
  EXPECT_THAT(feed, HasSubstr("href=\"http://mash.test/heuristics/ada/%3Cone%3E\""));
  Request elsewhere = request("GET", "/feed.atom");
  elsewhere.host = "other.test";
  const std::string other = site_.answer(elsewhere).body;
  const auto ids = [](std::string_view text) {
    std::vector<std::string> found;
    for (std::size_t at = text.find("<id>"); at != std::string_view::npos; at = text.find("<id>", at + 1))
      found.emplace_back(text.substr(at, text.find("</id>", at) - at));
    return found;
  };
  EXPECT_EQ(ids(feed).size(), 3u);
  EXPECT_EQ(ids(feed), ids(other));
}

}  // namespace
}  // namespace mash::server
