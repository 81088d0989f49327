// SPDX-License-Identifier: Apache-2.0
#include "server/http/site.hpp"

#include <boost/asio.hpp>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "server/http/wire/limits.hpp"
#include "server/http/wire/listener.hpp"
#include "tests/server/http/site_sample.hpp"

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

constexpr const char* kSubmission = R"({"file_name": "a.cpp", "source": "int a;", "licence": "MIT"})";

class SiteTest : public testing::SampleSite {
 protected:
  SiteTest() { add("reader", kContributorRole, Scope::kRead); }
  Response submit(const std::string& token, const std::string& key = "") {
    Request asked = request("POST", "/api/v1/submissions");
    asked.bearer = token;
    asked.body = kSubmission;
    asked.request_key = key;
    return site_.answer(asked);
  }
};

TEST_F(SiteTest, ASubmissionNeedsATokenThatMaySubmit) {
  EXPECT_EQ(submit("").status, 401);
  EXPECT_EQ(submit("wrong").status, 401);
  EXPECT_EQ(submit("reader-token").status, 403);
  EXPECT_TRUE(read_submissions(records_, {})->empty());
  const Response taken = submit("ada-token");
  EXPECT_EQ(taken.status, 201);
  const std::int64_t id = Json::parse(taken.body)["id"];
  const Json document = Json::parse(get(fmt::format("/api/v1/submissions/{}", id)).body);
  EXPECT_EQ(document["state"], "received");
  EXPECT_EQ(document["contributor"], "ada");
  EXPECT_EQ(document["events"].size(), 1u);
}

TEST_F(SiteTest, TheSameRequestTwiceIsOneSubmission) {
  for (int i = 0; i < 2; ++i) EXPECT_EQ(submit("ada-token", "key-1").status, 201);
  EXPECT_EQ(read_submissions(records_, {})->size(), 1u);
}

TEST_F(SiteTest, ABodyThatIsNoSubmissionIsAnErrorThatNamesTheKey) {
  const auto refusal = [&](const std::string& body) {
    const Response response = post("/api/v1/submissions", "ada-token", body);
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

TEST_F(SiteTest, OnlyItsContributorCancelsASubmissionAndOnce) {
  const std::string place = fmt::format("/api/v1/submissions/{}", hand_in("ada"));
  EXPECT_EQ(post(place + "/cancel", "").status, 401);
  EXPECT_EQ(post(place + "/cancel", "eve-token").status, 403);
  EXPECT_EQ(Json::parse(post(place + "/cancel", "ada-token").body)["state"], "cancelled");
  EXPECT_EQ(post(place + "/cancel", "ada-token").status, 422);
}

TEST_F(SiteTest, ThePageOfASubmissionEscapesItAndGoesOnWithoutAScriptWhileItIsInWork) {
  NewSubmission submission;
  submission.source = "<script>alert(1)</script>";
  const std::int64_t id = hand_in("ada", submission);
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
  const std::int64_t id = hand_in("ada");
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
  const std::int64_t waiting = hand_in("ada");
  EXPECT_EQ(get(fmt::format("/submissions/{}/report", waiting)).status, 404);
  ASSERT_TRUE(cancel_submission(records_, waiting).ok());
  publish("ada", "rows", gain(2.5));
  EXPECT_THAT(get("/submissions/2/report").body, HasSubstr("<p>report</p>"));
  EXPECT_EQ(get("/submissions/2/report.json").body, "{}");
  EXPECT_EQ(get("/submissions/2/report.pdf").status, 404);
  const Json document = Json::parse(get("/api/v1/submissions/2").body);
  EXPECT_EQ(document["judgement"]["gain"], 2.5);
  EXPECT_NEAR(document["judgement"]["gain_ci95"].get<double>(), .3, 1e-12);
}

TEST_F(SiteTest, NothingOfWhatWasRemovedIsShown) {
  publish("ada", "rows", gain(2.5));
  ASSERT_TRUE(remove_submission(records_, 1, "not theirs").ok());
  EXPECT_EQ(get("/submissions/1").status, 410);
  EXPECT_THAT(get("/submissions/1").body, HasSubstr("not theirs"));
  for (const char* place : {"/submissions/1/source", "/submissions/1/report",
                            "/api/v1/submissions/1/report.json", "/api/v1/submissions/1/events"})
    EXPECT_EQ(get(place).status, 404) << place;
  EXPECT_THAT(get("/api/v1/submissions/1").body, Not(HasSubstr("2.5")));
}

TEST_F(SiteTest, AQuotaThatIsUsedUpIsSaidAndCostsNothingElse) {
  for (int i = 0; i < 10; ++i) hand_in("ada");
  const Response many = submit("ada-token");
  EXPECT_EQ(many.status, 429);
  EXPECT_THAT(many.body, HasSubstr("10 of your submissions"));
  EXPECT_EQ(submit("eve-token").status, 201);
  ASSERT_TRUE(set_quota(records_, id_of("eve"), 0).ok());
  EXPECT_THAT(submit("eve-token").body, HasSubstr("0 s of the 0 s"));
  EXPECT_EQ(read_submissions(records_, {})->size(), 11u);
}

TEST_F(SiteTest, WhatIsNotThereIsSaidAsWasAsked) {
  EXPECT_THAT(get("/nowhere").body, HasSubstr("<!DOCTYPE html>"));
  EXPECT_EQ(Json::parse(get("/api/v1/nowhere").body).count("error"), 1u);
  for (const char* place : {"/nowhere", "/api/v1/nowhere", "/api/v2/boards", "/submissions/x",
                            "/submissions/-1", "/submissions/99999999999999999999", "/submissions/1"})
    EXPECT_EQ(get(place).status, 404) << place;
  const Response response = site_.answer(request("DELETE", "/api/v1/submissions"));
  EXPECT_EQ(response.status, 405);
  EXPECT_THAT(response.headers, ElementsAre(std::pair<std::string, std::string>("Allow", "GET, POST")));
}

using Connection = boost::asio::ip::tcp::iostream;

// A server on a free port, which answers with the path and the length of the body. The first connection
// starts it: a test changes the settings before.
class ListenerTest : public ::testing::Test {
 protected:
  ListenerTest() {
    settings_.port = 0;
    settings_.most_body_bytes = 1000;
    settings_.most_connections_per_client = 20;
    settings_.read_seconds = 0.5;
  }
  void start() {
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
    if (thread_.joinable()) thread_.join();
  }
  // Over which that was sent; a client that waits longer for an answer gives up.
  std::unique_ptr<Connection> connect(const std::string& text) {
    if (!thread_.joinable()) start();
    auto stream = std::make_unique<Connection>("127.0.0.1", std::to_string(at_));
    stream->expires_after(std::chrono::seconds(60));
    *stream << text << std::flush;
    return stream;
  }
  static std::string first_line(Connection& stream) {
    std::string line;
    std::getline(stream, line);
    return line;
  }
  // All that comes back until the server closes.
  std::string send(const std::string& text) {
    std::ostringstream all;
    all << connect(text)->rdbuf();
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
  EXPECT_THAT(send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n" + close), HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("POST / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 3\r\n" + close),
              HasSubstr("400 Bad Request"));
}

TEST_F(ListenerTest, AMistakeOfOursTellsNothing) {
  const std::string answer = send("GET /throws HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("500 Internal Server Error"));
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
}

TEST_F(ListenerTest, SlowClientsHoldUpNobody) {
  settings_.read_seconds = 1000;  // none of them ends before the quick one has given up
  std::vector<std::unique_ptr<Connection>> slow;
  for (int i = 0; i < 15; ++i) slow.push_back(connect("GET / HTTP/1.1\r\nX: "));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), HasSubstr("GET 0 0"));
}

TEST_F(ListenerTest, SlowClientsAreDropped) {
  const auto slow = connect("GET / HTTP/1.1\r\nX: ");
  EXPECT_EQ(slow->get(), EOF);
  EXPECT_EQ(slow->error(), boost::asio::error::eof) << "the client gave up";
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
  const auto ahead = connect("GET /ahead HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_THAT(send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"), HasSubstr("data: end"));
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyConnections) {
  std::vector<std::unique_ptr<Connection>> idle;
  for (int i = 0; i < 30; ++i) idle.push_back(connect("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  int num_answered = 0;
  for (const auto& stream : idle) num_answered += first_line(*stream).find("200") != std::string::npos;
  EXPECT_EQ(num_answered, 20);
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyRequests) {
  settings_.requests_per_second = 0.5;  // one at once, and another one 2 s later
  const std::string request = "GET / HTTP/1.1\r\nHost: x\r\n";
  const std::string three = send(request + "\r\n" + request + "\r\n" + request + "Connection: close\r\n\r\n");
  EXPECT_THAT(three, ::testing::StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(three, HasSubstr("HTTP/1.1 429"));
  EXPECT_THAT(three, HasSubstr("Retry-After: "));
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyPosts) {
  settings_.posts_per_minute = 1;
  const std::string close = " / HTTP/1.1\r\nConnection: close\r\n\r\n";
  EXPECT_THAT(send("POST" + close), HasSubstr("HTTP/1.1 200"));
  EXPECT_THAT(send("POST" + close), HasSubstr("HTTP/1.1 429"));
  EXPECT_THAT(send("GET" + close), HasSubstr("HTTP/1.1 200"));
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyStreams) {
  settings_.most_streams_per_client = 1;
  const std::string request = "GET /ahead HTTP/1.1\r\nHost: x\r\n\r\n";
  const auto open = connect(request);
  EXPECT_THAT(first_line(*open), HasSubstr("200"));
  EXPECT_THAT(send(request), HasSubstr("HTTP/1.1 503"));
}

TEST_F(ListenerTest, StreamsOfClientsThatWentAreForgotten) {
  for (int i = 0; i < 300; ++i) {
    // More than may be open at once.
    EXPECT_THAT(first_line(*connect("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")),
                AnyOf(HasSubstr("200"), HasSubstr("503"), ""));
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
