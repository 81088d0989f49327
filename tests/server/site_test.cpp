// SPDX-License-Identifier: Apache-2.0
#include "server/http/site.hpp"

#include <boost/asio.hpp>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "framework/records/accounts.hpp"
#include "framework/records/submissions.hpp"
#include "server/http/listener.hpp"
#include "tests/records/sample.hpp"

namespace mash::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

TEST(ReadTarget, DecodesPathAndQuery) {
  Request request;
  ASSERT_TRUE(read_target("/a%20b/c/?x=1+2&y=%26&x=3&&z", request));
  EXPECT_THAT(request.path, ElementsAre("a b", "c"));
  EXPECT_EQ(request.value("x"), "1 2");
  EXPECT_EQ(request.value("y"), "&");
  EXPECT_EQ(request.value("z"), "");
}

TEST(ReadTarget, RefusesWhatIsNoAddress) {
  for (const char* target : {"", "a", "*", "http://x/", "//", "/../x", "/a/%2e%2e/b", "/%", "/%4", "/%zz",
                             "/%0a", "/%ff", "/a?x=%00", "/\x01"}) {
    Request request;
    EXPECT_FALSE(read_target(target, request)) << target;
  }
}

class SiteTest : public ::testing::Test {
 protected:
  Response ask(const std::string& method, const std::string& target, const std::string& token = "",
               const std::string& body = "", const std::string& key = "") {
    Request request;
    EXPECT_TRUE(read_target(target, request));
    request.method = method;
    request.bearer = token;
    request.body = body;
    request.request_key = key;
    return site_.answer(request);
  }
  Response get(const std::string& target, const std::string& token = "") { return ask("GET", target, token); }
  static std::string submission(bool is_private = false, const std::string& source = "int a;") {
    return Json{{"file_name", "a.cpp"}, {"source", source}, {"licence", "MIT"}, {"private", is_private}}
        .dump();
  }
  std::int64_t submit(const std::string& body) {
    const Response response = ask("POST", "/api/v1/submissions", "ada-token", body);
    EXPECT_EQ(response.status, 201) << response.body;
    return Json::parse(response.body)["id"];
  }
  std::int64_t user(const std::string& name, Scope scope) {
    const std::int64_t id = *add_user(records_, {0, name, "contributor", ""});
    EXPECT_TRUE(add_token(records_, id, {.scope = scope}, name + "-token", 1).ok());
    return id;
  }

  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t ada_ = user("ada", Scope::kSubmit), eve_ = user("eve", Scope::kSubmit),
               reader_ = user("reader", Scope::kRead);
  std::int64_t board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8});
  Site site_ = *Site::open(folder_ / "mash.db");
};

TEST_F(SiteTest, ASubmissionNeedsATokenThatMaySubmit) {
  EXPECT_EQ(ask("POST", "/api/v1/submissions", "", submission()).status, 401);
  EXPECT_EQ(ask("POST", "/api/v1/submissions", "wrong", submission()).status, 401);
  EXPECT_EQ(ask("POST", "/api/v1/submissions", "reader-token", submission()).status, 403);
  EXPECT_TRUE(read_submissions(records_, {})->empty());
  const std::int64_t id = submit(submission());
  const Json document = Json::parse(get(fmt::format("/api/v1/submissions/{}", id)).body);
  EXPECT_EQ(document["state"], "received");
  EXPECT_EQ(document["contributor"], "ada");
  EXPECT_EQ(document["events"].size(), 1u);
}

TEST_F(SiteTest, NoTokenIsTakenAfterItWasRevoked) {
  ASSERT_TRUE(revoke_token(records_, ada_, read_tokens(records_, ada_)->at(0).id).ok());
  EXPECT_EQ(ask("POST", "/api/v1/submissions", "ada-token", submission()).status, 401);
}

TEST_F(SiteTest, TheSameRequestTwiceIsOneSubmission) {
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(ask("POST", "/api/v1/submissions", "ada-token", submission(), "key-1").status, 201);
  EXPECT_EQ(read_submissions(records_, {})->size(), 1u);
}

TEST_F(SiteTest, ABodyThatIsNoSubmissionIsAnErrorThatNamesTheKey) {
  const auto refusal = [&](const std::string& body) {
    const Response response = ask("POST", "/api/v1/submissions", "ada-token", body);
    EXPECT_EQ(response.status, 422);
    return Json::parse(response.body)["error"].get<std::string>();
  };
  EXPECT_THAT(refusal("{"), HasSubstr("JSON object"));
  EXPECT_THAT(refusal("[]"), HasSubstr("JSON object"));
  EXPECT_THAT(refusal(R"({"sauce": "x"})"), HasSubstr("'sauce': is unknown"));
  EXPECT_THAT(refusal(R"({"private": 1})"), HasSubstr("true or false"));
  EXPECT_THAT(refusal(R"({"file_name": "../a.cpp", "source": "x", "licence": "MIT"})"),
              HasSubstr("without a folder"));
  EXPECT_THAT(refusal(R"({"file_name": "a.cpp", "source": "x"})"), HasSubstr("'licence'"));
  EXPECT_THAT(refusal(R"({"file_name": "a.cpp", "licence": "MIT"})"), HasSubstr("'source'"));
  EXPECT_TRUE(read_submissions(records_, {})->empty());
}

TEST_F(SiteTest, APrivateSubmissionIsThereForItsContributorAlone) {
  const std::string place = fmt::format("/api/v1/submissions/{}", submit(submission(true)));
  EXPECT_EQ(get(place, "ada-token").status, 200);
  EXPECT_EQ(get(place).status, 404);
  EXPECT_EQ(get(place, "eve-token").status, 404);
  EXPECT_EQ(get(place).body, get("/api/v1/submissions/999").body);
  EXPECT_EQ(ask("POST", place + "/cancel", "eve-token").status, 404);
}

TEST_F(SiteTest, OnlyItsContributorCancelsASubmissionAndOnce) {
  const std::string place = fmt::format("/api/v1/submissions/{}", submit(submission()));
  EXPECT_EQ(ask("POST", place + "/cancel").status, 401);
  EXPECT_EQ(ask("POST", place + "/cancel", "eve-token").status, 403);
  EXPECT_EQ(Json::parse(ask("POST", place + "/cancel", "ada-token").body)["state"], "cancelled");
  EXPECT_EQ(ask("POST", place + "/cancel", "ada-token").status, 422);
}

TEST_F(SiteTest, ThePageOfASubmissionEscapesItAndRefreshesWhileItIsInWork) {
  const std::int64_t id = submit(submission(false, "<script>alert(1)</script>"));
  const Response response = get(fmt::format("/submissions/{}", id));
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(response.body, Not(HasSubstr("<script>")));
  EXPECT_THAT(response.headers, ElementsAre(std::pair<std::string, std::string>("Refresh", "2")));
  ASSERT_TRUE(cancel_submission(records_, id).ok());
  EXPECT_TRUE(get(fmt::format("/submissions/{}", id)).headers.empty());
}

TEST_F(SiteTest, TheBoardRanksWhatIsPublishedAndReportsAreThere) {
  EXPECT_THAT(get("/").body, HasSubstr("nothing is published yet"));
  for (const auto& [name, gain] : {std::pair("lowest", 1.0), std::pair("highest", 9.0)}) {
    submit(submission());
    const Lease lease = **take_submission(records_, 60);
    ASSERT_TRUE(name_submission(records_, lease, name, "1.0.0", "").ok());
    ASSERT_TRUE(publish_submission(records_, lease,
                                   {.gain = gain,
                                    .standard_error = .1,
                                    .low = gain - .3,
                                    .high = gain + .3,
                                    .num_seeds = 8,
                                    .finding = "adds",
                                    .report_html = "<p>report</p>",
                                    .report_json = "{}"},
                                   1)
                    .ok());
  }
  const std::string html = get("/").body;
  EXPECT_LT(html.find(">highest<"), html.find(">lowest<"));
  EXPECT_THAT(get("/board.csv").body, HasSubstr("\n2,lowest,1.0.0,ada,1.0,"));
  const Json rows = Json::parse(get("/api/v1/board").body)["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["heuristic"], "highest");
  EXPECT_EQ(rows[0]["gain"], 9.0);
  EXPECT_EQ(get("/submissions/1/report").body, "<p>report</p>");
  EXPECT_EQ(get("/submissions/1/report.json").body, "{}");
  EXPECT_EQ(get("/submissions/1/report.pdf").status, 404);
}

TEST_F(SiteTest, WhatIsNotThereIsSaidAsWasAsked) {
  EXPECT_THAT(get("/nowhere").body, HasSubstr("<!DOCTYPE html>"));
  EXPECT_EQ(Json::parse(get("/api/v1/nowhere").body).count("error"), 1u);
  for (const char* place : {"/nowhere", "/api/v1/nowhere", "/api/v2/board", "/submissions/x",
                            "/submissions/-1", "/submissions/99999999999999999999", "/submissions/1"})
    EXPECT_EQ(get(place).status, 404) << place;
  const Response response = ask("DELETE", "/api/v1/board");
  EXPECT_EQ(response.status, 405);
  EXPECT_THAT(response.headers, ElementsAre(std::pair<std::string, std::string>("Allow", "GET")));
}

// A server on a free port, which answers with the path and the length of the body.
class ListenerTest : public ::testing::Test {
 protected:
  ListenerTest() {
    settings_.port = 0;
    settings_.most_body_bytes = 1000;
    settings_.read_seconds = 0.5;
    thread_ = std::thread([this] {
      const Handler handler = [](const Request& request) {
        if (!request.path.empty() && request.path[0] == "throws") throw std::runtime_error("secret");
        return Response{200, "text/plain",
                        fmt::format("{} {} {}", request.method, request.path.size(), request.body.size())};
      };
      const auto on_ready = [this](std::uint16_t port) { port_.set_value(port); };
      EXPECT_TRUE(listen(settings_, handler, on_ready, stop_).ok());
    });
    at_ = port_.get_future().get();
  }
  ~ListenerTest() override {
    stop_.raise();
    thread_.join();
  }
  // All that comes back until the server closes.
  std::string send(const std::string& text) const {
    boost::asio::ip::tcp::iostream stream("127.0.0.1", std::to_string(at_));
    stream << text << std::flush;
    std::ostringstream all;
    all << stream.rdbuf();
    return all.str();
  }

  ListenSettings settings_;
  StopFlag stop_;
  std::promise<std::uint16_t> port_;
  std::uint16_t at_ = 0;
  std::thread thread_;
};

TEST_F(ListenerTest, AnswersOneRequestAfterAnother) {
  const std::string two = send(
      "GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /a/b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
      "Connection: close\r\n\r\nabc");
  EXPECT_THAT(two, HasSubstr("GET 1 0"));
  EXPECT_THAT(two, HasSubstr("POST 2 3"));
  EXPECT_THAT(two, HasSubstr("Content-Security-Policy: default-src 'none'"));
  EXPECT_THAT(two, HasSubstr("X-Content-Type-Options: nosniff"));
}

TEST_F(ListenerTest, RefusesWhatIsNoRequestOrTooLarge) {
  const std::string close = "Connection: close\r\n\r\n";
  EXPECT_THAT(send("nonsense\r\n\r\n"), HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("GET /../etc/passwd HTTP/1.1\r\n" + close), HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("POST / HTTP/1.1\r\nContent-Length: 1001\r\n" + close), HasSubstr("413"));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n" + close), HasSubstr("431"));
  EXPECT_THAT(send("POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              HasSubstr("400 Bad Request"));
}

TEST_F(ListenerTest, AMistakeOfOursTellsNothing) {
  const std::string answer = send("GET /throws HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("500 Internal Server Error"));
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
}

TEST_F(ListenerTest, HeadersCarryNoLineBreakFromAnAddress) {
  EXPECT_THAT(send("GET /a%0d%0aX-Evil:%201 HTTP/1.1\r\nConnection: close\r\n\r\n"),
              Not(HasSubstr("X-Evil")));
}

TEST_F(ListenerTest, SlowClientsHoldUpNobodyAndAreDropped) {
  std::vector<std::unique_ptr<boost::asio::ip::tcp::iostream>> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(std::make_unique<boost::asio::ip::tcp::iostream>("127.0.0.1", std::to_string(at_)));
    *slow.back() << "GET / HTTP/1.1\r\nX: " << std::flush;
  }
  EXPECT_THAT(send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), HasSubstr("GET 0 0"));
  for (const auto& stream : slow) EXPECT_EQ(stream->get(), EOF);  // after read_seconds
}

}  // namespace
}  // namespace mash::server
