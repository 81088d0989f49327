// SPDX-License-Identifier: Apache-2.0
// A test for each item of the server's list in docs/security.md.
#include <ctime>
#include <regex>

#include "framework/base/percent.hpp"
#include "framework/base/secrets.hpp"
#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Security = testing::SampleSite;

constexpr const char* kScript = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

// "POST /operator/{}" with its open parts filled in.
std::string filled(std::string pattern, const std::string& part) {
  for (std::size_t at = pattern.find("{}"); at != std::string::npos; at = pattern.find("{}"))
    pattern.replace(at, 2, part);
  return pattern;
}

TEST_F(Security, NothingIsChangedWithoutWhoMayChangeIt) {
  const std::int64_t id = hand_in("ada");
  for (const std::string& route : routes_below("/")) {
    const std::string target = filled(route.substr(route.find('/')), std::to_string(id));
    if (!route.starts_with("POST") || target == "/register" || target == "/login" || target == "/logout")
      continue;
    const bool is_api = target.starts_with("/api");
    const Response by_nobody =
        is_api ? post(target, "", "{}") : site_.answer(form_request(target, "id=1&why=x"));
    EXPECT_EQ(by_nobody.status, is_api ? 401 : 303) << route;
    EXPECT_THAT(header(by_nobody, "Location"), HasSubstr(is_api ? "" : "/login")) << route;
    EXPECT_EQ(post(target, "wrong", "{}").status, is_api ? 401 : 400) << route;
  }
  EXPECT_EQ(word_of((*find_submission(records_, id))->state), "received");
  EXPECT_EQ(read_submissions(records_, {})->size(), 1u);
}

TEST_F(Security, AContributorIsNoOperator) {
  const std::int64_t id = hand_in("ada");
  for (const std::string& route : routes_below("/api/v1/"))
    for (const char* verb : {"hold", "release", "rerun", "remove"})
      if (route.ends_with(verb)) {
        const std::string target = filled(route.substr(route.find('/')), std::to_string(id));
        EXPECT_EQ(post(target, "ada-token", R"({"why": "x"})").status, 403) << route;
      }
  const std::string session = session_of("ada");
  EXPECT_EQ(get_in_session("/operator", session).status, 403);
  EXPECT_EQ(
      site_
          .answer(form_request("/operator/remove",
                               fmt::format("id={}&why=x&form_token={}", id, form_token(session)), session))
          .status,
      403);
  // A token that may operate is of no use to somebody who is no operator.
  ASSERT_TRUE(add_token(records_, id_of("ada"), {.scope = Scope::kOperate}, "too-much", 1).ok());
  EXPECT_EQ(post(fmt::format("/api/v1/submissions/{}/hold", id), "too-much").status, 403);
}

TEST_F(Security, WhatIsPrivateIsAsIfItWereNotThere) {
  NewSubmission secret;
  secret.is_private = true;
  const std::int64_t id = hand_in("ada", secret);
  for (const std::string& route : routes_below("/"))
    for (const char* beginning : {"GET /submissions/{}", "GET /api/v1/submissions/{}"}) {
      if (!route.starts_with(beginning)) continue;
      const std::string target = route.substr(route.find('/'));
      for (const char* token : {"", "eve-token"}) {
        const Response there = get(filled(target, std::to_string(id)), token);
        EXPECT_EQ(there.status, 404) << route;
        EXPECT_EQ(there.body, get(filled(target, "99999"), token).body) << route;
      }
    }
  EXPECT_EQ(get(fmt::format("/api/v1/submissions/{}", id), "ada-token").status, 200);
  EXPECT_EQ(post(fmt::format("/api/v1/submissions/{}/cancel", id), "eve-token").status, 404);
  for (const char* list :
       {"/submissions", "/api/v1/submissions", "/contributors/ada", "/api/v1/submissions?user=ada"})
    EXPECT_THAT(get(list, "eve-token").body, Not(HasSubstr("a.cpp"))) << list;
  EXPECT_THAT(get("/api/v1/submissions?user=ada", "ada-token").body, HasSubstr("a.cpp"));
}

TEST_F(Security, AFormOfAnotherSiteIsRefused) {
  const std::string session = session_of("ada"), other = session_of("eve");
  const std::string body = "file_name=a.cpp&source=int&licence=MIT";
  const auto status = [&](const std::string& more, const std::string& as) {
    return site_.answer(form_request("/submit", body + more, as)).status;
  };
  EXPECT_EQ(status("", session), 403);
  EXPECT_EQ(status("&form_token=", session), 403);
  EXPECT_EQ(status("&form_token=" + form_token(other), session), 403);
  EXPECT_EQ(status("&form_token=" + form_token(session), session), 303);
  // Logging somebody in as somebody else is a forgery too.
  Request login = form_request("/login", "name=ada&password=x");
  login.origin = "https://evil.test";
  EXPECT_EQ(site_.answer(login).status, 403);
  login.origin.clear();
  EXPECT_EQ(site_.answer(login).status, 403);
  // Cookies count for nothing in the API.
  Request by_cookie = request("POST", "/api/v1/submissions");
  by_cookie.cookies.emplace(kSessionCookie, session);
  by_cookie.body = R"({"file_name": "a.cpp", "source": "x", "licence": "MIT"})";
  EXPECT_EQ(site_.answer(by_cookie).status, 401);
  EXPECT_EQ(read_submissions(records_, {})->size(), 1u);
}

// A site on which all that strangers may write is hostile, and the name of ada too.
class HostileSite : public Security {
 protected:
  HostileSite() {
    const std::int64_t ada = id_of("ada");
    published_ = hand_in("ada", hostile());
    const Lease lease = **take_submission(records_, 60);
    EXPECT_TRUE(add_event(records_, lease, kScript).ok());  // what a compiler says
    EXPECT_TRUE(put_findings(records_, lease, {{1, 1, "error", kScript}, {0, 0, "check", kScript}}).ok());
    EXPECT_TRUE(name_submission(records_, lease, kScript, kScript, kScript).ok());
    Judgement judgement = gain(1);
    judgement.finding = kScript;
    judgement.report_html = "<!DOCTYPE html>";
    judgement.report_json = "{}";
    EXPECT_TRUE(publish_submission(records_, lease, judgement, 1).ok());
    refused_ = hand_in("ada", hostile());
    const Lease second = **take_submission(records_, 60);
    EXPECT_TRUE(
        end_submission(records_, second, SubmissionState::kRejected, kScript, Blame::kContributor, 1).ok());
    EXPECT_TRUE(add_token(records_, ada, {.label = kScript}, "labelled", 1).ok());
    SQLite::Statement rename(sample::database(records_), "UPDATE users SET name = ? WHERE id = ?");
    rename.bind(1, kScript);
    rename.bind(2, ada);
    rename.exec();
  }
  static NewSubmission hostile() {
    NewSubmission submission;
    submission.file_name = submission.source = submission.licence = kScript;
    return submission;
  }
  // Where a route shows something; of submissions, both.
  std::vector<std::string> targets_of(const std::string& route) const {
    const std::string pattern = route.substr(route.find('/'));
    if (pattern.find("/submissions/{}") != std::string::npos)
      return {filled(pattern, std::to_string(published_)), filled(pattern, std::to_string(refused_))};
    if (pattern == "/compare")
      return {fmt::format("/compare?submission={}&submission={}", published_, refused_)};
    const bool is_of_board = pattern.starts_with("/boards/") || pattern.starts_with("/experiments/");
    return {filled(pattern, is_of_board ? "digits" : percent_encoded(kScript))};
  }
  // Asks as everybody may. True: somebody was shown it.
  bool shows_no_markup(const std::string& target) {
    bool is_shown = false;
    for (const Response& response : {get(target), get(target, "ada-token"), get_in_session(target, own_),
                                     get_in_session(target, operator_)}) {
      is_shown = is_shown || response.status == 200;
      EXPECT_LT(response.status, 500) << target;
      for (const auto& [name, value] : response.headers)
        EXPECT_THAT(value, Not(HasSubstr("<script>"))) << target;
      // Other types are no markup to a browser, which is told not to guess.
      const std::string& type = response.content_type;
      if (type.find("html") == std::string::npos && type.find("xml") == std::string::npos) continue;
      EXPECT_THAT(response.body, Not(HasSubstr("<script>alert"))) << target;
      EXPECT_THAT(response.body, Not(HasSubstr("<img src=x"))) << target;
    }
    return is_shown;
  }

  std::int64_t published_ = 0, refused_ = 0;
  const std::string own_ = session_of("ada"), operator_ = session_of("olga", Scope::kOperate);
};

TEST_F(HostileSite, TextOfStrangersIsNeverMarkup) {
  for (const std::string& route : routes_below("/")) {
    // A report is sent as the runner made it (tests/reports/heuristic/page_test.cpp); the script is our own.
    if (!route.starts_with("GET") || route.ends_with("/submissions/{}/report") ||
        route.ends_with("/submissions/{}/report.json") || route == "GET /live.js")
      continue;
    for (const std::string& target : targets_of(route)) EXPECT_TRUE(shows_no_markup(target)) << target;
  }
}

TEST_F(HostileSite, TextOfAnAddressIsNeverMarkup) {
  const std::string name = percent_encoded(kScript);
  for (const std::string& target :
       {"/" + name, "/boards/" + name, "/experiments/" + name, "/?find=" + name, "/boards/digits?by=" + name,
        "/boards/digits?sort=" + name,
        fmt::format("/boards/digits?find={0}&contributor={0}&finding={0}", name),
        std::string("/boards/digits?by=contributor"), "/heuristics/" + name + "?version=" + name,
        "/heuristics/" + name + "?board=" + name, "/compare?submission=" + name, "/login?to=/" + name,
        "/register?invitation=" + name, "/uncovered?board=" + name})
    shows_no_markup(target);
}

// A site on which strangers have written as much as they can, some of it before there were bounds.
class FloodedSite : public Security {
 protected:
  // Characters that take six bytes on a page each.
  static std::string flood(std::size_t num_bytes) { return std::string(num_bytes, '"'); }

  FloodedSite() {
    NewSubmission submission;
    submission.source = flood(kUsualSourceBytes / 2) + std::string(kUsualSourceBytes / 2, '\n');
    id_ = hand_in("ada", submission);
    const Lease lease = **take_submission(records_, 60);
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(add_event(records_, lease, flood(100'000)).ok());
    const std::vector<SourceFinding> findings(5000, {1, 1, "error", flood(100'000)});
    EXPECT_TRUE(put_findings(records_, lease, findings).ok());
    EXPECT_TRUE(
        end_submission(records_, lease, SubmissionState::kRejected, flood(1'000'000), Blame::kContributor, 1)
            .ok());
    for (const char* sql :
         {"INSERT INTO submission_events (submission_id, state, text) VALUES (?, 'rejected', ?)",
          "INSERT INTO submission_findings (submission_id, line, column, kind, text) "
          "VALUES (?, 1, 1, 'check', ?)"}) {
      SQLite::Statement old(sample::database(records_), sql);
      old.bind(1, id_);
      old.bind(2, flood(50'000'000));
      old.exec();
    }
  }

  std::int64_t id_ = 0;
};

TEST_F(FloodedSite, PagesOfAHostileSiteAreShort) {
  for (const std::string& route : routes_below("/")) {
    if (!route.starts_with("GET")) continue;
    const std::string target = filled(route.substr(route.find('/')), std::to_string(id_));
    for (const Response& response : {get(target), get(target, "ada-token")}) {
      EXPECT_LT(response.status, 500) << target;
      EXPECT_LE(response.body.size(), kMaxPageBytes) << target;
    }
  }
  EXPECT_EQ(get(fmt::format("/submissions/{}", id_)).status, 200);
}

TEST_F(FloodedSite, WhatIsKeptIsBounded) {
  const auto size_of = [&](const char* sql) {
    SQLite::Statement row(sample::database(records_), sql);
    row.bind(1, id_);
    row.executeStep();
    return row.getColumn(0).getInt64();
  };
  EXPECT_LE(read_events(records_, 0, id_, 100'000)->size(), kMaxEventsOfOne + 5);
  EXPECT_LE(read_findings(records_, id_)->size(), kMaxFindings);
  EXPECT_LE(size_of("SELECT LENGTH(reason) FROM submissions WHERE id = ?"), std::int64_t(kMaxReasonBytes));
  EXPECT_LE(size_of("SELECT SUM(LENGTH(text)) FROM submission_events WHERE submission_id = ? AND "
                    "LENGTH(text) < 50000000"),
            std::int64_t(2 * kMaxEventsOfOne * kMaxEventBytes));
}

// A contributor whose code looks like a fault of the server's each time.
TEST_F(Security, FaultsOfTheServerAreNotWithoutEnd) {
  const auto status = [&] {
    return post("/api/v1/submissions", "ada-token",
                R"({"file_name": "a.cpp", "source": "int a;", "licence": "MIT"})")
        .status;
  };
  const double quota = SiteSettings().quota_seconds;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(status(), 201) << i;
    const Lease lease = **take_submission(records_, 60);
    EXPECT_TRUE(
        end_submission(records_, lease, SubmissionState::kFailed, "x", Blame::kServer, quota + 1).ok());
    EXPECT_EQ(*seconds_used(records_, id_of("ada"), 1), 0);
  }
  EXPECT_EQ(status(), 429);
}

TEST_F(Security, NoAnswerBeginsAHeaderOfAStranger) {
  const std::string hash = *hash_password("long enough");
  ASSERT_TRUE(add_user(records_, {0, "carl", std::string(kContributorRole), hash}).ok());
  for (const char* to :
       {"/x%0d%0aSet-Cookie:%20a=b", "//evil.test/", "https://evil.test/", "/%5Cevil.test", "\\\\evil"}) {
    const Response response =
        site_.answer(form_request("/login", fmt::format("name=carl&password=long+enough&to={}", to)));
    EXPECT_EQ(response.status, 303);
    EXPECT_EQ(header(response, "Location"), "/me") << to;
  }
}

TEST_F(Security, TextOfStrangersIsNeverSql) {
  publish("ada", "rows", gain(1));
  const std::string attack = percent_encoded("x' OR '1'='1'; DROP TABLE submissions; --");
  for (const char* target :
       {"/boards/", "/heuristics/", "/contributors/", "/api/v1/heuristics/",
        "/?find=", "/boards/digits?contributor=", "/api/v1/submissions?user=", "/compare?submission=",
        "/api/v1/submissions?heuristic=", "/api/v1/leaderboard?board="})
    EXPECT_LT(get(target + attack).status, 500) << target;
  EXPECT_EQ(get("/api/v1/submissions/1%20OR%201=1").status, 404);
  EXPECT_EQ(Json::parse(get("/api/v1/submissions?heuristic=" + attack).body)["submissions"].size(), 0u);
  EXPECT_EQ(Json::parse(get("/api/v1/submissions").body)["submissions"].size(), 1u);
}

TEST_F(Security, ATokenAndASessionThatEndedAreOfNoUse) {
  EXPECT_EQ(get("/api/v1/me", "ada-token").status, 200);
  ASSERT_TRUE(revoke_token(records_, id_of("ada"), read_tokens(records_, id_of("ada"))->at(0).id).ok());
  EXPECT_EQ(get("/api/v1/me", "ada-token").status, 401);

  const std::string session = session_of("eve");
  EXPECT_EQ(get_in_session("/me", session).status, 200);
  EXPECT_EQ(get("/api/v1/me", session).status, 401);  // it is no token
  EXPECT_EQ(site_.answer(form_request("/logout", "form_token=" + form_token(session), session)).status, 303);
  EXPECT_EQ(get_in_session("/me", session).status, 303);

  const std::string other = session_of("ada");
  ASSERT_TRUE(disable_user(records_, id_of("ada")).ok());
  EXPECT_EQ(get_in_session("/me", other).status, 303);
}

TEST_F(Security, TheHolderOfATokenReadsThatTheAccountIsDisabled) {
  ASSERT_TRUE(disable_user(records_, id_of("ada")).ok());
  const Response refused = get("/api/v1/me", "ada-token");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(Json::parse(refused.body)["error"], "the account ada is disabled by an operator");
  EXPECT_EQ(get("/api/v1/boards", "ada-token").status, 200) << "what everybody sees";
  EXPECT_EQ(get("/api/v1/me", "another-token").status, 401);
  ASSERT_TRUE(revoke_token(records_, id_of("ada"), read_tokens(records_, id_of("ada"))->at(0).id).ok());
  EXPECT_EQ(get("/api/v1/me", "ada-token").status, 401) << "a token that does not hold tells nothing";
}

TEST_F(Security, WhoHasThePasswordReadsThatTheAccountIsDisabled) {
  const std::int64_t carl =
      *add_user(records_, {0, "carl", std::string(kContributorRole), *hash_password("long enough")});
  ASSERT_TRUE(disable_user(records_, carl).ok());
  const auto login = [&](const std::string& password) {
    return with_its_body(site_.answer(form_request("/login", "name=carl&password=" + password)));
  };
  EXPECT_EQ(login("long+enough").status, 403);
  EXPECT_THAT(login("long+enough").body, HasSubstr("This account is disabled by an operator."));
  EXPECT_EQ(login("another+one").status, 401);
  EXPECT_THAT(login("another+one").body, HasSubstr("Name and password do not belong together."));
}

TEST_F(Security, ASessionIsNewAtEachLogin) {
  ASSERT_TRUE(
      add_user(records_, {0, "carl", std::string(kContributorRole), *hash_password("long enough")}).ok());
  const std::string given = "a session that an attacker chose";
  const Response response = site_.answer(form_request("/login", "name=carl&password=long+enough", given));
  const std::string cookie = header(response, "Set-Cookie");
  EXPECT_THAT(cookie, ::testing::MatchesRegex(
                          "mash_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1209600"));
  EXPECT_EQ(get_in_session("/me", given).status, 303);
  const std::string secret = cookie.substr(cookie.find('=') + 1, 43);
  const Response again = site_.answer(form_request(
      "/login", fmt::format("name=carl&password=long+enough&form_token={}", form_token(secret)), secret));
  EXPECT_NE(header(again, "Set-Cookie"), cookie);
  EXPECT_EQ(get_in_session("/me", secret).status, 303);  // the former one has ended
}

TEST_F(Security, ALoginByATokenGivesNoMoreThanTheToken) {
  ASSERT_TRUE(add_token(records_, id_of("olga"), {.scope = Scope::kRead}, "read-only", 1).ok());
  const auto session = [&](const std::string& name, const std::string& token) {
    const Response response =
        site_.answer(form_request("/login", fmt::format("name={}&password={}", name, token)));
    return response.status == 303 ? header(response, "Set-Cookie").substr(13, 43)
                                  : std::to_string(response.status);
  };
  EXPECT_EQ(get_in_session("/operator", session("olga", "olga-token")).status, 200);
  const std::string reader = session("olga", "read-only");
  EXPECT_EQ(get_in_session("/me", reader).status, 200);
  EXPECT_EQ(get_in_session("/operator", reader).status, 403);
  EXPECT_EQ(session("ada", "olga-token"), "401");
  EXPECT_EQ(session("olga", session_of("olga", Scope::kOperate)), "401");  // a session is no token
}

TEST_F(Security, RevokingATokenEndsTheSessionsThatItBegan) {
  const Response login = site_.answer(form_request("/login", "name=ada&password=ada-token"));
  const std::string thief = header(login, "Set-Cookie").substr(13, 43), own = session_of("ada");
  EXPECT_EQ(get_in_session("/me", thief).status, 200);
  // A token makes and revokes no others.
  const std::string target =
      fmt::format("/me/tokens/{}/revoke", read_tokens(records_, id_of("ada"))->at(0).id);
  for (const std::string& forged : {target, std::string("/me/tokens")}) {
    Request by_token = form_request(forged, "label=x&scope=submit");
    by_token.bearer = "ada-token";
    EXPECT_EQ(site_.answer(by_token).status, 403);
  }
  const Response revoked = site_.answer(form_request(target, "form_token=" + form_token(own), own));
  EXPECT_EQ(revoked.status, 303);
  EXPECT_EQ(get_in_session("/me", thief).status, 303);
  EXPECT_EQ(get_in_session("/me", header(revoked, "Set-Cookie").substr(13, 43)).status, 200);
}

TEST_F(Security, APasswordIsChangedByWhoKnowsItAndEndsOtherSessions) {
  ASSERT_TRUE(
      add_user(records_, {0, "carl", std::string(kContributorRole), *hash_password("long enough")}).ok());
  ASSERT_TRUE(add_token(records_, id_of("carl"), {.scope = Scope::kSubmit}, "carl-token", 1).ok());
  const std::string own = session_of("carl"), other = "a session elsewhere";
  ASSERT_TRUE(
      add_token(records_, id_of("carl"), {.kind = "session", .scope = Scope::kSubmit}, other, 1).ok());
  EXPECT_THAT(get_in_session("/me", own).body, HasSubstr("action=\"/me/password\""));
  const auto change = [&](const std::string& fields, const std::string& session) {
    return site_.answer(form_request("/me/password", fields + "&form_token=" + form_token(session), session));
  };
  EXPECT_EQ(change("old_password=wrong+one&password=a+longer+one", own).status, 403);
  EXPECT_EQ(change("old_password=carl-token&password=a+longer+one", own).status, 403);  // it is no password
  EXPECT_EQ(change("old_password=long+enough&password=short", own).status, 422);
  Request waiting = form_request(
      "/me/password", "old_password=long+enough&password=a+longer+one&form_token=" + form_token(own), own);
  waiting.has_turn = false;
  EXPECT_TRUE(site_.answer(waiting).wants_turn);
  Request by_token = form_request("/me/password", "old_password=long+enough&password=a+longer+one");
  by_token.bearer = "carl-token";
  EXPECT_EQ(site_.answer(by_token).status, 403);
  EXPECT_EQ(get_in_session("/me", other).status, 200);

  const Response changed = change("old_password=long+enough&password=a+longer+one", own);
  EXPECT_EQ(changed.status, 303);
  EXPECT_EQ(get_in_session("/me", header(changed, "Set-Cookie").substr(13, 43)).status, 200);
  for (const std::string& ended : {own, other}) EXPECT_EQ(get_in_session("/me", ended).status, 303);
  const auto login = [&](const std::string& password) {
    return site_.answer(form_request("/login", "name=carl&password=" + password)).status;
  };
  EXPECT_EQ(login("long+enough"), 401);
  EXPECT_EQ(login("a+longer+one"), 303);
  EXPECT_EQ(login("carl-token"), 303);

  // A user without a password gets none: a token that leaked would become one.
  const std::string without = session_of("ada");
  EXPECT_THAT(get_in_session("/me", without).body, Not(HasSubstr("/me/password")));
  EXPECT_EQ(change("old_password=&password=a+longer+one", without).status, 403);
}

TEST_F(Security, AStreamIsNotMovedByTheNumberOfAClient) {
  const std::int64_t id = hand_in("ada");
  const Response stream = get(fmt::format("/api/v1/submissions/{}/events?after=9223372036854775807", id));
  EXPECT_EQ(stream.stream->after_id, *newest_event(records_));
}

TEST_F(Security, WhatTheDatabaseSaysIsNobodysBusiness) {
  sample::database(records_).exec(
      "PRAGMA foreign_keys = OFF; DROP TABLE invitations; DROP TABLE submission_events");
  const Response response =
      post("/api/v1/submissions", "ada-token", R"({"file_name": "a.cpp", "source": "x", "licence": "MIT"})");
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body, Not(HasSubstr("mash.db")));
}

TEST_F(Security, ARefusedFormKeepsWhatWasTyped) {
  const std::string session = session_of("ada");
  const Response refused = site_.answer(form_request(
      "/submit", "file_name=a.cpp&source=long+work&licence=&form_token=" + form_token(session), session));
  EXPECT_EQ(refused.status, 422);
  EXPECT_THAT(refused.body, HasSubstr("long work"));
  EXPECT_THAT(refused.body, HasSubstr("found none, expected the SPDX name of a free licence"));
}

TEST_F(Security, NobodyLearnsWhichNamesThereAre) {
  ASSERT_TRUE(
      add_user(records_, {0, "carl", std::string(kContributorRole), *hash_password("long enough")}).ok());
  std::string bodies[2];
  std::clock_t work[2] = {};  // of the processor, without that of others
  for (int i = 0; i < 4; ++i) {
    const std::clock_t begin = std::clock();
    const Response response = site_.answer(
        form_request("/login", fmt::format("name={}&password=wrong+one", i % 2 == 0 ? "carl" : "dora")));
    work[i % 2] = std::clock() - begin;  // the second time, when all is made that is made once
    EXPECT_EQ(response.status, 401);
    bodies[i % 2] = std::regex_replace(response.body, std::regex("carl|dora"), "NAME");
  }
  EXPECT_EQ(bodies[0], bodies[1]);
  EXPECT_GT(4 * work[1], work[0]);  // without a password to compare it would be a hundredth
}

// With a ladder only its steps are told: not the gain on the private part, nor its last digits.
TEST_F(Security, TheBoardTellsOnlyWhatIsReleased) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, .5});
  publish("ada", "rows", gain(1.2345678), "1.0.0");
  publish("ada", "rows", gain(1.3456789), "1.1.0");  // not a step better
  for (const char* target :
       {"/", "/boards/digits", "/boards/digits.csv", "/boards/digits.json", "/api/v1/leaderboard",
        "/heuristics/rows", "/api/v1/heuristics/rows", "/submissions/2", "/api/v1/submissions/2",
        "/contributors/ada", "/compare?submission=1&submission=2", "/boards/digits/front.svg",
        "/heuristics/rows/badge.svg", "/feed.atom"}) {
    const std::string body = get(target).body;
    EXPECT_THAT(body, Not(HasSubstr("1.23"))) << target;
    EXPECT_THAT(body, Not(HasSubstr("1.34"))) << target;
    EXPECT_THAT(body, Not(HasSubstr("1.35"))) << target;
  }
  EXPECT_EQ(Json::parse(get("/api/v1/leaderboard").body)["rows"][0]["gain"], 1.0);
}

TEST_F(Security, ABodyIsNeverUnpacked) {
  const std::string packed("\x1f\x8b\x08\x00\x00\x00\x00\x00", 8);
  EXPECT_EQ(post("/api/v1/submissions", "ada-token", packed).status, 422);
  EXPECT_EQ(post("/api/v1/submissions", "ada-token", std::string(100'000, '[')).status, 422);
  EXPECT_TRUE(read_submissions(records_, {})->empty());
}

}  // namespace
}  // namespace mash::server
