// SPDX-License-Identifier: Apache-2.0
#include "server/http/site.hpp"

#include <boost/asio.hpp>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submission_queue.hpp"
#include "server/http/limits.hpp"
#include "server/http/listener.hpp"
#include "tests/records/sample.hpp"

namespace mash::server {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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
    Response response = site_.answer(request);
    response.body = std::string(response.text());
    return response;
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
  // Takes the oldest submission that waits, and publishes it.
  void publish(const std::string& heuristic, double gain) {
    const Lease lease = **take_submission(records_, 60);
    ASSERT_TRUE(name_submission(records_, lease, heuristic, "1.0.0", "").ok());
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
  Site site_ = *Site::open(folder_ / "mash.db", {});
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
  EXPECT_THAT(refusal(R"({"file_name": "a hole.cpp", "source": "x", "licence": "MIT"})"),
              HasSubstr("key 'file_name': expected the name of a C++ source"));
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

TEST_F(SiteTest, ThePageOfASubmissionEscapesItAndGoesOnWithoutAScriptWhileItIsInWork) {
  const std::int64_t id = submit(submission(false, "<script>alert(1)</script>"));
  const std::string place = fmt::format("/submissions/{}", id), refresh = "http-equiv=\"refresh\"";
  const Response response = get(place);
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(response.body, Not(HasSubstr("<script>")));
  EXPECT_THAT(response.body, HasSubstr(refresh));
  EXPECT_THAT(response.body, HasSubstr("<script src=\"/live.js\""));
  ASSERT_TRUE(cancel_submission(records_, id).ok());
  EXPECT_THAT(get(place).body, Not(HasSubstr(refresh)));
}

TEST_F(SiteTest, EventsThatAreThereAreSentAndLaterOnesComeAsNews) {
  const std::int64_t id = submit(submission());
  const std::string place = fmt::format("/api/v1/submissions/{}/events", id);
  const Response stream = get(place);
  EXPECT_EQ(stream.content_type, "text/event-stream");
  EXPECT_THAT(stream.body, HasSubstr("event: step\ndata: {\"id\":1,"));
  ASSERT_TRUE(stream.stream.has_value());
  EXPECT_EQ(stream.stream->topic, id);
  EXPECT_TRUE(site_.news(stream.stream->after_id).empty());

  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(enter_state(records_, lease, SubmissionState::kCompiling, "compiling\n\nevent: evil").ok());
  ASSERT_TRUE(cancel_submission(records_, id).ok());
  const std::vector<News> news = site_.news(stream.stream->after_id);
  ASSERT_EQ(news.size(), 2u);
  EXPECT_EQ(news[0].topic, id);
  EXPECT_FALSE(news[0].is_last);
  EXPECT_THAT(news[0].text, Not(HasSubstr("\nevent: evil")));
  EXPECT_TRUE(news[1].is_last);
  EXPECT_THAT(news[1].text, HasSubstr("event: end"));

  const Response whole = get(place + "?after=1");
  EXPECT_FALSE(whole.stream.has_value());
  EXPECT_THAT(whole.body, Not(HasSubstr("id: 1\n")));
  EXPECT_THAT(whole.body, HasSubstr("event: end"));
}

TEST_F(SiteTest, ReportsAreThereOnceJudged) {
  submit(submission());
  EXPECT_EQ(get("/submissions/1/report").status, 404);
  publish("rows", 2.5);
  EXPECT_EQ(get("/submissions/1/report").body, "<p>report</p>");
  EXPECT_EQ(get("/submissions/1/report.json").body, "{}");
  EXPECT_EQ(get("/submissions/1/report.pdf").status, 404);
  const Json document = Json::parse(get("/api/v1/submissions/1").body);
  EXPECT_EQ(document["judgement"]["gain"], 2.5);
  EXPECT_NEAR(document["judgement"]["gain_ci95"].get<double>(), .3, 1e-12);
}

TEST_F(SiteTest, NothingOfWhatWasRemovedIsShown) {
  submit(submission(false, "secret source"));
  publish("rows", 2.5);
  ASSERT_TRUE(remove_submission(records_, 1, "not theirs").ok());
  EXPECT_EQ(get("/submissions/1").status, 410);
  EXPECT_THAT(get("/submissions/1").body, HasSubstr("not theirs"));
  for (const char* place : {"/submissions/1/source", "/submissions/1/report",
                            "/api/v1/submissions/1/report.json", "/api/v1/submissions/1/events"})
    EXPECT_EQ(get(place).status, 404) << place;
  EXPECT_THAT(get("/api/v1/submissions/1").body, Not(HasSubstr("2.5")));
}

TEST_F(SiteTest, AQuotaThatIsUsedUpIsSaidAndCostsNothingElse) {
  for (int i = 0; i < 10; ++i) submit(submission());
  const Response many = ask("POST", "/api/v1/submissions", "ada-token", submission());
  EXPECT_EQ(many.status, 429);
  EXPECT_THAT(many.body, HasSubstr("10 of your submissions"));
  EXPECT_EQ(ask("POST", "/api/v1/submissions", "eve-token", submission()).status, 201);
  ASSERT_TRUE(set_quota(records_, eve_, 0).ok());
  EXPECT_THAT(ask("POST", "/api/v1/submissions", "eve-token", submission()).body,
              HasSubstr("0 s of the 0 s"));
  EXPECT_EQ(read_submissions(records_, {})->size(), 11u);
}

TEST_F(SiteTest, WhatIsNotThereIsSaidAsWasAsked) {
  EXPECT_THAT(get("/nowhere").body, HasSubstr("<!DOCTYPE html>"));
  EXPECT_EQ(Json::parse(get("/api/v1/nowhere").body).count("error"), 1u);
  for (const char* place : {"/nowhere", "/api/v1/nowhere", "/api/v2/boards", "/submissions/x",
                            "/submissions/-1", "/submissions/99999999999999999999", "/submissions/1"})
    EXPECT_EQ(get(place).status, 404) << place;
  const Response response = ask("DELETE", "/api/v1/submissions");
  EXPECT_EQ(response.status, 405);
  EXPECT_THAT(response.headers, ElementsAre(std::pair<std::string, std::string>("Allow", "GET, POST")));
}

// A server on a free port, which answers with the path and the length of the body.
class ListenerTest : public ::testing::Test {
 protected:
  ListenerTest() {
    settings_.port = 0;
    settings_.most_body_bytes = 1000;
    settings_.most_connections_per_client = 20;
    settings_.read_seconds = 0.5;
    thread_ = std::thread([this] {
      const Service service{[](const Request& request) { return answer(request); },
                            [this](std::int64_t after_id) { return news_after(after_id); },
                            [](const AnsweredRequest&) {}};
      const auto on_ready = [this](std::uint16_t port) { port_.set_value(port); };
      EXPECT_TRUE(listen(settings_, service, meters_, on_ready, stop_).ok());
    });
    at_ = port_.get_future().get();
  }
  static Response answer(const Request& request) {
    const std::string first = request.path.empty() ? "" : request.path[0];
    if (first == "throws") throw std::runtime_error("secret");
    if (first == "ahead") return {200, "text/event-stream", "", {}, Subscription{9, std::int64_t(1) << 60}};
    if (first == "stream") return {200, "text/event-stream", "data: begin\n\n", {}, Subscription{7, 1}};
    return {200, "text/plain",
            fmt::format("{} {} {}", request.method, request.path.size(), request.body.size())};
  }
  // Topic 7 is told three things, the last of them after topic 8 was told one.
  static std::vector<News> all_news() {
    return {{7, 1, "data: old\n\n"},
            {7, 2, "data: two\n\n"},
            {8, 3, "data: other\n\n"},
            {7, 4, "data: end\n\n", true}};
  }
  std::vector<News> news_after(std::int64_t after_id) const {
    std::vector<News> news;
    for (const News& piece : all_news())
      if (piece.id > after_id) news.push_back(piece);
    return news;
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
  Meters meters_;
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
  for (int i = 0; i < 15; ++i) {
    slow.push_back(std::make_unique<boost::asio::ip::tcp::iostream>("127.0.0.1", std::to_string(at_)));
    *slow.back() << "GET / HTTP/1.1\r\nX: " << std::flush;
  }
  EXPECT_THAT(send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), HasSubstr("GET 0 0"));
  for (const auto& stream : slow) EXPECT_EQ(stream->get(), EOF);  // after read_seconds
}

TEST_F(ListenerTest, AStreamTellsWhatIsNewOfItsTopicAndEnds) {
  for (int i = 0; i < 2; ++i) {  // the second one subscribes to what is known already
    const std::string told = send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_THAT(told, HasSubstr("200 OK"));
    EXPECT_THAT(told, HasSubstr("Content-Security-Policy"));
    const std::string body = told.substr(told.find("\r\n\r\n") + 4);
    EXPECT_EQ(body, "data: begin\n\ndata: two\n\ndata: end\n\n");
  }
}

// A number of a client's own choosing moves nobody else's place in the news.
TEST_F(ListenerTest, AStreamFromFarAheadSilencesNoOther) {
  boost::asio::ip::tcp::iostream ahead("127.0.0.1", std::to_string(at_));
  ahead << "GET /ahead HTTP/1.1\r\nHost: x\r\n\r\n" << std::flush;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_THAT(send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"), HasSubstr("data: end"));
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyConnections) {
  std::vector<std::unique_ptr<boost::asio::ip::tcp::iostream>> idle;
  for (int i = 0; i < 30; ++i) {
    idle.push_back(std::make_unique<boost::asio::ip::tcp::iostream>("127.0.0.1", std::to_string(at_)));
    *idle.back() << "GET / HTTP/1.1\r\nHost: x\r\n\r\n" << std::flush;
  }
  int num_answered = 0;
  for (const auto& stream : idle) {
    std::string line;
    num_answered += std::getline(*stream, line) && line.find("200") != std::string::npos;
  }
  EXPECT_EQ(num_answered, 20);
}

TEST_F(ListenerTest, StreamsOfClientsThatWentAreForgotten) {
  for (int i = 0; i < 300; ++i) {
    boost::asio::ip::tcp::iostream stream("127.0.0.1", std::to_string(at_));
    stream << "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n" << std::flush;
    std::string line;
    std::getline(stream, line);
    EXPECT_THAT(line, AnyOf(HasSubstr("200"), HasSubstr("503"), ""));  // so many may not be open at once
  }
  for (int i = 0; i < 100 && meters_.text().find("mash_http_streams 0") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_THAT(meters_.text(), HasSubstr("mash_http_streams 0"));
}

TEST(RateLimits, ABucketFillsAtItsRate) {
  RateLimit limit(2, 3);
  const auto begin = RateLimit::Clock::now();
  const auto at = [&](double seconds) {
    return begin +
           std::chrono::duration_cast<RateLimit::Clock::duration>(std::chrono::duration<double>(seconds));
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.take("a", begin), 0);
  EXPECT_DOUBLE_EQ(limit.take("a", begin), .5);
  EXPECT_EQ(limit.take("b", begin), 0);  // another client
  EXPECT_NEAR(limit.take("a", at(.25)), .25, 1e-6);
  EXPECT_EQ(limit.take("a", at(.5)), 0);
  EXPECT_EQ(limit.take("a", at(100)), 0);
  EXPECT_EQ(limit.take("a", at(100)), 0);
  EXPECT_EQ(limit.take("a", at(100)), 0);
  EXPECT_GT(limit.take("a", at(100)), 0);
}

TEST(Forms, OfEitherKindAreRead) {
  const auto plain = read_form("application/x-www-form-urlencoded; charset=UTF-8", "a=1+2&b=%0Ax&a=3");
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(value_of(*plain, "a"), "1 2");
  EXPECT_EQ(value_of(*plain, "b"), "\nx");
  const auto parts = read_form("multipart/form-data; boundary=\"xy\"",
                               "--xy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--xx\r\n"
                               "--xy\r\ncontent-disposition: form-data; name=\"f\"; filename=\"b.cpp\"\r\n"
                               "Content-Type: text/x-c++\r\n\r\nint b;\r\n--xy--\r\n");
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(value_of(*parts, "a"), "one\r\n--xx");
  EXPECT_EQ(value_of(*parts, "f"), "int b;");
  EXPECT_EQ(value_of(*parts, "f.file_name"), "b.cpp");
}

TEST(Forms, WhatIsNoneIsRefused) {
  const std::string type = "multipart/form-data; boundary=xy";
  EXPECT_FALSE(read_form("application/json", "{}"));
  EXPECT_FALSE(read_form("application/x-www-form-urlencoded", "a=%f"));
  EXPECT_FALSE(read_form("application/x-www-form-urlencoded", "a=%00"));
  EXPECT_FALSE(read_form("multipart/form-data", "--xy--"));
  EXPECT_FALSE(read_form("multipart/form-data; boundary=", "----"));
  for (const char* body :
       {"", "--xy", "--xy\r\n", "--xy\r\n\r\n--xy--", "x--xy--", "--xy\r\nname=a\r\n\r\nx\r\n--xy--",
        "--xy\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--xy--",
        "--xy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\xff\r\n--xy--",
        "--xy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx"})
    EXPECT_FALSE(read_form(type, body)) << body;
  std::string many;
  for (int i = 0; i < 101; ++i) many += fmt::format("a{}=1&", i);
  EXPECT_FALSE(read_form("application/x-www-form-urlencoded", many));
}

}  // namespace
}  // namespace mash::server
