// SPDX-License-Identifier: Apache-2.0
// Boards with times and attempts, and accounts that end.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "framework/base/amounts.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/utc_time.hpp"
#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHandedIn = R"({"file_name": "a.cpp", "source": "int a;", "licence": "MIT"})";

class Course : public testing::SampleSite {
 protected:
  void put_terms(const BoardTerms& terms) { ASSERT_TRUE(put_board_terms(records_, "digits", terms).ok()); }
  Response submit(const std::string& user = "ada") {
    return post("/api/v1/submissions", user + "-token", kHandedIn);
  }
  Response submit_form(const std::string& session) {
    return with_its_body(site_.answer(form_request(
        "/submit", "source=int+a;&file_name=a.cpp&licence=MIT&form_token=" + form_token(session), session)));
  }
  Json board_document() { return Json::parse(get("/api/v1/boards").body)["boards"][0]; }
  std::int64_t add_with_password(const std::string& name) {
    return *add_user(records_, {0, name, std::string(kContributorRole), *hash_password("long enough")});
  }
  Response close(const std::string& session, const std::string& fields) {
    return with_its_body(
        site_.answer(form_request("/me/close", fields + "&form_token=" + form_token(session), session)));
  }
  int login(const std::string& name) {
    return site_.answer(form_request("/login", "name=" + name + "&password=long+enough")).status;
  }
};

TEST_F(Course, ABoardThatIsNotOpenRefusesWithItsTime) {
  put_terms({.opens_at = "2999-12-01T07:00:00Z"});
  const std::string session = session_of("ada");
  for (const Response& refused : {submit(), submit_form(session)}) {
    EXPECT_EQ(refused.status, 409);
    EXPECT_THAT(refused.body,
                HasSubstr("the board digits opens on 2999-12-01 07:00 UTC; nothing is taken before"));
    EXPECT_EQ(header(refused, "Retry-After"), "");
  }
  put_terms({.closes_at = "2020-12-15T22:59:59Z"});
  EXPECT_EQ(submit("olga").status, 409) << "nobody is let in behind the others";
  const Response refused = submit_form(session);
  EXPECT_THAT(refused.body, AllOf(HasSubstr("closed on 2020-12-15 22:59:59 UTC; nothing more is taken"),
                                  HasSubstr("int a;")));
  EXPECT_TRUE(read_submissions(records_, {})->empty());
  put_terms({.opens_at = "2020-12-01T07:00:00Z", .closes_at = "2999-12-15T22:59:59Z"});
  EXPECT_EQ(submit().status, 201);
}

TEST_F(Course, TheSameRequestIsTheSameSubmissionOnceTheBoardIsClosed) {
  Request asked = request("POST", "/api/v1/submissions");
  asked.bearer = "ada-token";
  asked.body = kHandedIn;
  asked.request_key = "key-1";
  ASSERT_EQ(site_.answer(asked).status, 201);
  put_terms({.closes_at = "2020-12-15T22:59:59Z"});
  EXPECT_EQ(site_.answer(asked).status, 201) << "the answer was lost, not the submission";
  asked.request_key = "key-2";
  EXPECT_EQ(site_.answer(asked).status, 409);
}

TEST_F(Course, AttemptsThatAreUsedUpSayWhenTheNextIsPossible) {
  put_terms({.attempts_a_day = 1});
  const Response taken = submit();
  EXPECT_EQ(taken.status, 201);
  const Json own = Json::parse(taken.body)["attempts"];
  EXPECT_EQ(own["used"], 1);
  EXPECT_EQ(own["most"], 1);
  EXPECT_EQ(Json::parse(get("/api/v1/submissions/1").body)["attempts"], nullptr) << "nobody else's business";
  const Response refused = submit();
  EXPECT_EQ(refused.status, 429);
  EXPECT_THAT(refused.body, HasSubstr(moment_in_words(own["next_at"].get<std::string>())));
  EXPECT_THAT(
      Json::parse(refused.body)["error"].get<std::string>(),
      ::testing::MatchesRegex("the board digits takes 1 attempt of each contributor in 24 hours, and "
                              "yours are used up; the next is possible on "
                              "....-..-.. ..:..(:..)? UTC; sooner if the one that waits or is checked "
                              "now does not compile or fails a check, which is no attempt"));
  const int seconds = std::stoi(header(refused, "Retry-After"));
  EXPECT_GT(seconds, 24 * 3600 - 60);
  EXPECT_LE(seconds, 24 * 3600);
  EXPECT_EQ(submit("eve").status, 201);
  EXPECT_THAT(get_in_session("/submit", session_of("ada")).body,
              HasSubstr("You used 1 of 1 attempts in the last 24 hours. The next is possible on "));
  EXPECT_THAT(get_in_session("/submit", session_of("olga")).body, HasSubstr("You used 0 of 1 attempts"));
  put_terms({.closes_at = iso_time(SystemTime::clock::now() + std::chrono::hours(1)), .attempts_a_day = 1});
  EXPECT_THAT(get_in_session("/submit", "session of ada").body,
              AllOf(HasSubstr("24 hours. The board closes on "), HasSubstr(", before the next is possible"),
                    Not(HasSubstr("The next is possible on "))));
  put_terms({.attempts_a_day = 2});
  EXPECT_EQ(submit().status, 201);
  put_terms({.attempts_a_day = 1});
  EXPECT_THAT(
      get_in_session("/submit", "session of ada").body,
      HasSubstr("You used 2 attempts in the last 24 hours; 1 is taken now. The next is possible on "));
}

TEST_F(Course, PagesAndDocumentsTellTheTerms) {
  for (const char* page : {"/", "/boards/digits"})
    EXPECT_THAT(get(page).body, Not(HasSubstr("About this board"))) << page;
  EXPECT_EQ(board_document()["is_open"], true);
  EXPECT_EQ(board_document()["closes_at"], nullptr);
  put_terms({"Holes & strokes", "Work <alone>.", "ada@example.org", "2020-12-01T07:00:00Z",
             "2999-12-15T22:59:59Z", 3, "0=1, 2=3"});
  for (const std::string& body :
       {get("/").body, get("/boards/digits").body, get_in_session("/submit", session_of("ada")).body})
    for (const char* words :
         {"digits: Holes &amp; strokes", "Work &lt;alone&gt;.", "ada@example.org", "2020-12-01 07:00 UTC",
          "2999-12-15 22:59:59 UTC", "3 of each contributor in 24 hours",
          "1 from a gain of 0 %, 3 from 2 %; none below"})
      EXPECT_THAT(body, HasSubstr(words));
  const Json board = board_document();
  EXPECT_EQ(board["title"], "Holes & strokes");
  EXPECT_EQ(board["opens_at"], "2020-12-01T07:00:00Z");
  EXPECT_EQ(board["attempts_a_day"], 3);
  EXPECT_EQ(board["points"], "0=1, 2=3");
}

// Pages are kept for those who come next: a change of the terms is seen at once.
TEST_F(Course, AKeptPageIsNotThatOfFormerTerms) {
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr("Closed on")));
  put_terms({.closes_at = "2020-12-15T22:59:59Z"});
  for (const char* page : {"/", "/boards/digits"})
    EXPECT_THAT(get(page).body, HasSubstr("Closed on 2020-12-15 22:59:59 UTC: nothing more is taken."))
        << page;
  EXPECT_EQ(board_document()["is_open"], false);
  put_terms({});
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr("Closed on")));
}

TEST_F(Course, TheStartPageLeadsToAllBoards) {
  EXPECT_THAT(get("/").body, Not(HasSubstr("id=\"boards\"")));
  ASSERT_TRUE(put_board(records_, {0, "letters", "dataset: {name: letters}", 8}).ok());
  ASSERT_TRUE(
      put_board_terms(records_, "letters", {.title = "Second sheet", .opens_at = "2999-01-01T00:00:00Z"})
          .ok());
  EXPECT_THAT(get("/").body, AllOf(HasSubstr("<a href=\"/boards/letters\">Board letters: Second sheet</a>"),
                                   HasSubstr("opens on 2999-01-01 00:00 UTC")));
}

TEST_F(Course, AnAccountIsClosedByItsOwnerWithThePassword) {
  const std::int64_t id = add_with_password("carl");
  ASSERT_TRUE(add_token(records_, id, {.scope = Scope::kSubmit}, "carl-token", 1).ok());
  const std::int64_t published = publish("carl", "carl/rows", gain(2));
  NewSubmission secret;
  secret.is_private = true;
  secret.source = "int unpublished;";
  const std::int64_t waiting = hand_in("carl", secret);
  const std::string own = session_of("carl"), other = "a session elsewhere";
  ASSERT_TRUE(add_token(records_, id, {.kind = "session", .scope = Scope::kSubmit}, other, 1).ok());
  EXPECT_THAT(get_in_session("/me", own).body, HasSubstr("action=\"/me/close\""));

  const std::string good = "published=stays&password=long+enough";
  EXPECT_EQ(close(own, "published=stays&password=wrong+one").status, 403);
  EXPECT_EQ(close(own, "published=stays&password=carl-token").status, 403);
  EXPECT_EQ(close(own, "published=sold&password=long+enough").status, 422);
  EXPECT_EQ(site_.answer(form_request("/me/close", good, own)).status, 403)
      << "without the token of the form";
  Request by_token = form_request("/me/close", good);
  by_token.bearer = "carl-token";
  EXPECT_EQ(site_.answer(by_token).status, 403);
  Request waiting_turn = form_request("/me/close", good + "&form_token=" + form_token(own), own);
  waiting_turn.has_turn = false;
  EXPECT_TRUE(site_.answer(waiting_turn).wants_turn);
  EXPECT_EQ(get_in_session("/me", other).status, 200);

  const Response closed = close(own, good);
  EXPECT_EQ(closed.status, 200);
  EXPECT_THAT(closed.body, HasSubstr(fmt::format(
                               "1 published submission stands by closed-{}; 1 submission was removed", id)));
  EXPECT_THAT(header(closed, "Set-Cookie"), HasSubstr("mash_session=; "));
  for (const std::string& session : {own, other}) EXPECT_EQ(get_in_session("/me", session).status, 303);
  EXPECT_EQ(get("/api/v1/me", "carl-token").status, 401);
  EXPECT_EQ(login("carl"), 401);
  EXPECT_EQ(login(fmt::format("closed-{}", id)), 401);
  EXPECT_EQ(word_of((*find_submission(records_, waiting))->state), "cancelled");
  EXPECT_EQ(sample::database(records_)
                .execAndGet("SELECT COUNT(*) FROM submissions WHERE source LIKE '%unpub%'")
                .getInt(),
            0);
  const std::string board = get("/boards/digits").body;
  EXPECT_THAT(board, AllOf(HasSubstr("carl/rows"), HasSubstr(fmt::format("closed-{}", id))));
  EXPECT_THAT(board, Not(HasSubstr("/contributors/carl\"")));
  EXPECT_EQ(get("/contributors/carl").status, 404);
  EXPECT_EQ(get(fmt::format("/contributors/closed-{}", id)).status, 200);
  EXPECT_EQ(get(fmt::format("/submissions/{}/source", published)).status, 200);
  EXPECT_EQ(get(fmt::format("/submissions/{}", waiting)).status, 404) << "it was private";
  EXPECT_THAT(with_its_body(site_.answer(form_request("/register", "name=carl&password=long+enough"))).body,
              HasSubstr("is taken"));
}

TEST_F(Course, WhatWasPublishedIsRemovedWhereItsOwnerWants) {
  add_with_password("carl");
  const std::int64_t published = publish("carl", "carl/rows", gain(2));
  const Response closed = close(session_of("carl"), "published=removed&password=long+enough");
  EXPECT_THAT(closed.body, HasSubstr("1 submission was removed"));
  const Response gone = get(fmt::format("/submissions/{}", published));
  EXPECT_EQ(gone.status, 410);
  EXPECT_THAT(gone.body, HasSubstr("It was removed: the account of its contributor was closed"));
  EXPECT_EQ(get(fmt::format("/submissions/{}/source", published)).status, 404);
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr("carl")));
}

TEST_F(Course, AnAccountWithoutAPasswordIsClosedByAnOperator) {
  const std::string session = session_of("ada");
  EXPECT_THAT(get_in_session("/me", session).body,
              AllOf(Not(HasSubstr("action=\"/me/close\"")), HasSubstr("ask an operator to close")));
  EXPECT_EQ(close(session, "published=stays&password=").status, 403);
  EXPECT_EQ(get_in_session("/me", session).status, 200);

  const std::string operates = session_of("olga", Scope::kOperate);
  const auto act = [&](const std::string& action, const std::string& fields) {
    return site_
        .answer(form_request("/operator/" + action, fields + "&form_token=" + form_token(operates), operates))
        .status;
  };
  EXPECT_EQ(act("close", "name=nobody&published=stays"), 422);
  EXPECT_EQ(act("close", "name=ada&published="), 422);
  EXPECT_EQ(act("close", "name=olga&published=stays"), 422) << "the last operator";
  EXPECT_EQ(act("close", "name=ada&published=stays"), 303);
  EXPECT_EQ(get_in_session("/me", session).status, 303);
  EXPECT_EQ(act("enable", fmt::format("id={}", id_of("closed-1"))), 422) << "it is closed for good";
  EXPECT_EQ(get_in_session("/operator", operates).status, 200);
}

TEST_F(Course, ARenamedUserKeepsIdsSessionsAndTheFormerName) {
  publish("ada", "ada/rows", gain(2));
  const std::string session = session_of("ada"), operates = session_of("olga", Scope::kOperate);
  EXPECT_THAT(get("/boards/digits").body, HasSubstr("/contributors/ada\""));
  EXPECT_EQ(
      site_
          .answer(form_request("/operator/rename",
                               "name=ada&new_name=lovelace&form_token=" + form_token(operates), operates))
          .status,
      303);
  EXPECT_THAT(get_in_session("/me", session).body, HasSubstr("lovelace"));
  EXPECT_THAT(get("/boards/digits").body,
              AllOf(HasSubstr("/contributors/lovelace\""), Not(HasSubstr("/contributors/ada\""))));
  const Response former = get("/contributors/ada");
  EXPECT_EQ(former.status, 308);
  EXPECT_EQ(header(former, "Location"), "/contributors/lovelace");
  EXPECT_EQ(get("/contributors/Lovelace").status, 200);
  publish("lovelace", "ada/columns", gain(3));
  // The beginning "ada/" stays lovelace's, with a name that nobody can take.
  const std::int64_t id = hand_in("eve");
  const Lease lease = **take_submission(records_, 60);
  ASSERT_EQ(lease.submission_id, id);
  EXPECT_THAT(name_submission(records_, lease, "ada/other", "1.0.0", "").error().message,
              HasSubstr("belong to lovelace"));
  EXPECT_EQ(site_.answer(form_request("/register", "name=ada&password=long+enough")).status, 422);
}

TEST_F(Course, AFormerNameLeadsNowhereOnceItsAccountIsClosedOrWhereNothingIsPublic) {
  publish("ada", "ada/rows", gain(2));
  for (const char* name : {"ada", "eve"})
    ASSERT_TRUE(rename_user(records_, id_of(name), std::string("other-") + name).ok());
  EXPECT_EQ(get("/contributors/ada").status, 308);
  EXPECT_EQ(get("/contributors/eve").status, 404);
  ASSERT_TRUE(close_account(records_, id_of("other-ada"), ClosedWork::kStays).ok());
  EXPECT_EQ(get("/contributors/ada").status, 404);
  EXPECT_EQ(get("/contributors/other-ada").status, 404);
}

// The oldest board is closed: nobody is led to it.
TEST_F(Course, WithoutANameTheOldestOpenBoardIsMeant) {
  ASSERT_TRUE(put_board(records_, {0, "letters", "dataset: {name: letters}", 8}).ok());
  ASSERT_TRUE(put_board(records_, {0, "signs", "dataset: {name: signs}", 8}).ok());
  EXPECT_THAT(get("/").body, HasSubstr("\">Board digits</h2>"));
  put_terms({.closes_at = "2020-12-15T22:59:59Z"});
  EXPECT_THAT(get("/").body, HasSubstr("\">Board letters</h2>"));
  EXPECT_THAT(get_in_session("/submit", session_of("ada")).body,
              HasSubstr("<option value=\"letters\" selected>"));
  EXPECT_EQ(Json::parse(get("/api/v1/leaderboard").body)["board"], "letters");
  const Response taken = submit();
  EXPECT_EQ(taken.status, 201) << taken.body;
  EXPECT_EQ(Json::parse(taken.body)["board"], "letters");
  for (const char* board : {"letters", "signs"})
    ASSERT_TRUE(put_board_terms(records_, board, {.closes_at = "2020-12-15T22:59:59Z"}).ok());
  EXPECT_THAT(submit("eve").body, HasSubstr("the board digits closed on")) << "none is open";
}

TEST_F(Course, IdsThatBeginWithAFormerNameAreItsUsers) {
  ASSERT_TRUE(rename_user(records_, id_of("ada"), "lovelace").ok());
  hand_in("eve");
  const Lease lease = **take_submission(records_, 60);
  EXPECT_THAT(name_submission(records_, lease, "ada/rows", "1.0.0", "").error().message,
              HasSubstr("ids that begin with 'ada/' belong to lovelace"));
}

}  // namespace
}  // namespace mash::server
