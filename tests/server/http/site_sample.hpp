// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submission_queue.hpp"
#include "server/http/frame/session.hpp"
#include "server/http/site.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/made_losses.hpp"

namespace mash::server::testing {

// A site with one board and the users ada and eve, who submit, and olga, who operates; each has the token
// "NAME-token".
class SampleSite : public ::testing::Test {
 protected:
  SampleSite() {
    for (const char* name : {"ada", "eve"}) add(name, kContributorRole, Scope::kSubmit);
    add("olga", kOperatorRole, Scope::kOperate);
  }
  std::int64_t add(const std::string& name, std::string_view role, Scope scope) {
    const std::int64_t id = *add_user(records_, {0, name, std::string(role), ""});
    EXPECT_TRUE(add_token(records_, id, {.scope = scope}, name + "-token", 1).ok());
    return id;
  }
  // The secret of a session of that user.
  std::string session_of(const std::string& name, Scope scope = Scope::kSubmit) {
    const std::string secret = "session of " + name;
    EXPECT_TRUE(add_token(records_, id_of(name), {.kind = "session", .scope = scope}, secret, 1).ok());
    return secret;
  }
  std::int64_t id_of(const std::string& name) const { return find_user(records_, name)->value().id; }

  static Request request(const std::string& method, const std::string& target) {
    Request request;
    EXPECT_TRUE(read_target(target, request)) << target;
    request.method = method;
    request.host = "mash.test";
    request.client = "127.0.0.1";
    return request;
  }
  // Also that of a page that is kept for many.
  static Response with_its_body(Response response) {
    response.body = std::string(response.text());
    return response;
  }
  Response get(const std::string& target, const std::string& token = "") {
    Request asked = request("GET", target);
    asked.bearer = token;
    return with_its_body(site_.answer(asked));
  }
  Response post(const std::string& target, const std::string& token, const std::string& body = "") {
    Request asked = request("POST", target);
    asked.bearer = token;
    asked.body = body;
    return with_its_body(site_.answer(asked));
  }
  // As a browser sends it.
  Request form_request(const std::string& target, const std::string& body, const std::string& session = "") {
    Request asked = request("POST", target);
    asked.content_type = "application/x-www-form-urlencoded";
    asked.origin = "http://mash.test";
    asked.body = body;
    asked.has_turn = true;
    if (!session.empty()) asked.cookies.emplace(kSessionCookie, session);
    return asked;
  }
  Response get_in_session(const std::string& target, const std::string& session) {
    Request asked = request("GET", target);
    asked.cookies.emplace(kSessionCookie, session);
    return with_its_body(site_.answer(asked));
  }
  // The token that forms of a session carry, as its pages show it.
  std::string form_token(const std::string& session) {
    const std::string page = get_in_session("/me", session).body, mark = "name=\"form_token\" value=\"";
    const std::size_t begin = page.find(mark) + mark.size();
    return page.substr(begin, page.find('"', begin) - begin);
  }
  static std::string header(const Response& response, const std::string& name) {
    for (const auto& [known, value] : response.headers)
      if (known == name) return value;
    return "";
  }

  std::int64_t hand_in(const std::string& user, NewSubmission submission = {}) {
    submission.user_id = id_of(user);
    submission.board_id = board_;
    if (submission.file_name.empty()) submission.file_name = "a.cpp";
    if (submission.source.empty()) submission.source = "int a;";
    if (submission.licence.empty()) submission.licence = "MIT";
    return *add_submission(records_, submission);
  }
  // Hands one in and publishes it.
  std::int64_t publish(const std::string& user, const std::string& heuristic, Judgement judgement,
                       const std::string& version = "1.0.0", const std::string& summary = "") {
    const std::int64_t id = hand_in(user);
    const Lease lease = **take_submission(records_, 60);
    EXPECT_EQ(lease.submission_id, id);
    EXPECT_TRUE(name_submission(records_, lease, heuristic, version, summary).ok());
    if (judgement.report_html.empty()) judgement.report_html = "<!DOCTYPE html><p>report</p>";
    if (judgement.report_json.empty()) judgement.report_json = "{}";
    if (judgement.finding.empty()) judgement.finding = "adds";
    if (judgement.losses.is_empty()) judgement.losses = mash::testing::made_losses(judgement);
    EXPECT_TRUE(publish_submission(records_, lease, judgement, 1).ok());
    return id;
  }
  static Judgement gain(double gain, double half_width = .3) {
    Judgement judgement{{gain, half_width / 2, gain - half_width, gain + half_width, 8, ""}, 10, 28, "", ""};
    judgement.losses = mash::testing::made_losses(judgement);
    return judgement;
  }

  static SiteSettings open_site() {
    SiteSettings settings;
    settings.registration = Registration::kOpen;
    return settings;
  }

  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8});
  Site site_ = *Site::open(folder_ / "mash.db", open_site());
};

}  // namespace mash::server::testing
