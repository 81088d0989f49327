// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/client.hpp"

#include <gmock/gmock.h>

#include "framework/base/child_process.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/scripted_server.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::http_answer;
using testing::kCutOff;
using testing::kSilence;
using testing::ScriptedServer;

const SourceToSubmit kSource{"rows.cpp", "int main() { return \"é\"[0]; }\n", "MIT", "demo", true};

class AServerClient : public ::testing::Test {
 protected:
  ServerClient client_of(const std::string& url, const std::string& token = "secret") {
    return std::move(*ServerClient::open({url, token, "$MASH_TOKEN"}, patience_, work_));
  }
  ServerClient client_of(const ScriptedServer& server) { return client_of(server.url()); }

  template <class T>
  static void expect_error(const Result<T>& result, ErrorKind kind, const std::string& text) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, kind) << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(text));
  }

  ServerPatience patience_;
  StopFlag stop_;
  testing::HeardRemarks remarks_;
  const Workers workers_{1};
  const WorkContext work_{workers_, no_progress(), remarks_, stop_};
};

TEST_F(AServerClient, HandsASourceIn) {
  ScriptedServer server({http_answer(201, R"({"id": 7, "page": "/submissions/7", "state": "received"})")});
  ServerClient client = client_of(server.url() + "//");
  const auto made = client.submit(kSource);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ((*made)["id"], 7);
  EXPECT_EQ(client.address_of("/submissions/7"), server.url() + "/submissions/7");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].method_string(), "POST");
  EXPECT_EQ(requests[0].target(), "/api/v1/submissions");
  EXPECT_EQ(requests[0]["Authorization"], "Bearer secret");
  EXPECT_EQ(requests[0]["Content-Type"], "application/json");
  EXPECT_EQ(nlohmann::json::parse(requests[0].body()), (nlohmann::json{{"file_name", "rows.cpp"},
                                                                       {"source", kSource.source},
                                                                       {"licence", "MIT"},
                                                                       {"board", "demo"},
                                                                       {"private", true}}));
}

// A document of many levels would overflow the stack of a program that copies or prints it.
TEST_F(AServerClient, RefusesAnswersThatAreNestedWithoutEnd) {
  constexpr std::size_t kLevels = 300'000;
  const auto levels = [](std::string_view text) {
    std::string all;
    for (std::size_t i = 0; i < kLevels; ++i) all += text;
    return all;
  };
  for (const std::string& answer : {levels("[") + levels("]"), levels("{\"user\":") + "1" + levels("}"),
                                    "{\"user\": \"ada\", \"more\": " + levels("[") + levels("]") + "}"}) {
    ScriptedServer server({http_answer(200, answer)});
    expect_error(client_of(server).me(), ErrorKind::kFailure, "the answer is no JSON object");
    ScriptedServer refusing({http_answer(404, answer)});
    EXPECT_FALSE(client_of(refusing).me().ok());
  }
}

TEST_F(AServerClient, TriesAgainWithTheSameKey) {
  ScriptedServer server({http_answer(503, R"({"error": "the database is busy"})"), kCutOff,
                         http_answer(201, R"({"id": 7})"), http_answer(201, R"({"id": 8})")});
  ServerClient client = client_of(server);
  const auto first = client.submit(kSource), second = client.submit(kSource);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ((*first)["id"], 7);
  EXPECT_EQ((*second)["id"], 8);
  std::vector<std::string> keys;
  for (const auto& request : server.requests()) keys.push_back(std::string(request["Idempotency-Key"]));
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_GE(keys[0].size(), 32u);
  EXPECT_EQ(keys[0], keys[1]);
  EXPECT_EQ(keys[0], keys[2]);
  EXPECT_NE(keys[0], keys[3]);
  EXPECT_THAT(remarks_.told, ElementsAre(HasSubstr("the database is busy; trying again in 0.25 s"),
                                         HasSubstr("trying again in 0.5 s")));
}

TEST_F(AServerClient, ComesBackWhenItIsToldTo) {
  ScriptedServer server({http_answer(429, R"({"error": "too many requests"})", "Retry-After: 1\r\n"),
                         http_answer(200, R"({"user": "ada"})")});
  const Stopwatch watch;
  const auto me = client_of(server).me();
  ASSERT_TRUE(me.ok()) << me.error().message;
  EXPECT_EQ((*me)["user"], "ada");
  EXPECT_GE(watch.seconds(), 1);
  EXPECT_EQ(server.requests()[1].target(), "/api/v1/me");
}

TEST_F(AServerClient, DoesNotWaitForHours) {
  for (const auto& [wait, told] :
       {std::pair(3600, "; it may be asked again in 3600 s"), std::pair(43210, ".")}) {
    ScriptedServer server(
        {http_answer(429, R"({"error": "the quota is used up."})", fmt::format("Retry-After: {}\r\n", wait))});
    const Stopwatch watch;
    const auto refused = client_of(server).submit(kSource);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kInput) << "the server does not take it";
    EXPECT_THAT(refused.error().message, ::testing::EndsWith(std::string("the quota is used up") + told));
    EXPECT_LT(watch.seconds(), 5);
    EXPECT_EQ(server.requests().size(), 1u);
  }
}

TEST_F(AServerClient, ABoardThatIsClosedIsSaidAtOnce) {
  ScriptedServer server(
      {http_answer(409, R"({"error": "the board digits closed on 2026-12-15 22:59 UTC"})")});
  expect_error(client_of(server).submit(kSource), ErrorKind::kInput,
               server.url() + ": the board digits closed on 2026-12-15 22:59 UTC");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(AServerClient, GivesUpWhereNobodyAnswers) {
  patience_.retry_seconds = 1;
  const Stopwatch watch;
  expect_error(client_of("http://127.0.0.1:1").me(), ErrorKind::kFailure, "http://127.0.0.1:1: ");
  EXPECT_EQ(remarks_.told.size(), 2u);
  EXPECT_GE(watch.seconds(), 0.7);
  EXPECT_LT(watch.seconds(), 5);
}

TEST_F(AServerClient, SaysWhatTheServerSays) {
  ScriptedServer server(
      {http_answer(422, R"({"error": "key 'licence': expected a\u001b[2J licence"})"),
       http_answer(401, R"({"error": "who are you?"})"), http_answer(401, R"({"error": "who are you?"})"),
       http_answer(403, R"({"error": "it may only read"})"), http_answer(404, R"({"error": "nothing"})"),
       http_answer(500, "<html>", "", "text/html")});
  ServerClient client = client_of(server);
  expect_error(client.submit(kSource), ErrorKind::kInput, ": key 'licence': expected a?[2J licence");
  expect_error(
      client.me(), ErrorKind::kInput,
      "the token of $MASH_TOKEN does not hold: who are you?; the page " + server.url() + "/me makes one");
  expect_error(client_of(server.url(), "").me(), ErrorKind::kInput, "no token was given");
  expect_error(client.submit(kSource), ErrorKind::kInput,
               "not with the token of $MASH_TOKEN: it may only read");
  expect_error(client.status(9), ErrorKind::kInput, "there is no submission 9");
  expect_error(client.me(), ErrorKind::kFailure, "status 500");
  EXPECT_EQ(server.requests().size(), 6u);
  EXPECT_EQ(server.requests()[2].count("Authorization"), 0u);
}

TEST_F(AServerClient, NamesThePageOfTokensOnce) {
  ScriptedServer server({http_answer(401, R"({"error": "a page of your account (/me) makes one"})")});
  const auto refused = client_of(server).me();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, server.url() +
                                         ": the token of $MASH_TOKEN does not hold: a page of your "
                                         "account (/me) makes one");
}

TEST_F(AServerClient, NoticesThatTheAddressIsOfAnotherSite) {
  ScriptedServer server({http_answer(404, "<html>", "", "text/html"),
                         http_answer(200, "<html>", "", "text/html"),
                         http_answer(302, "", "Location: https://mash.example.org/api/v1/submissions\r\n")});
  ServerClient client = client_of(server);
  expect_error(client.me(), ErrorKind::kInput, "there is no MASH server at this address");
  expect_error(client.me(), ErrorKind::kInput, "found text/html, expected the documents of a MASH server");
  expect_error(client.submit(kSource), ErrorKind::kInput,
               "the server is at another address: https://mash.example.org/api/v1/submissions");
}

TEST_F(AServerClient, FollowsARedirectOfAGet) {
  ScriptedServer server(
      {http_answer(301, "", "Location: /elsewhere\r\n"), http_answer(200, R"({"user": "ada"})")});
  EXPECT_TRUE(client_of(server).me().ok());
  EXPECT_EQ(server.requests()[1].target(), "/elsewhere");
}

TEST_F(AServerClient, RefusesBrokenDocuments) {
  patience_.limits.body_bytes = 300;
  ScriptedServer server({http_answer(200, "{\"user\": "), http_answer(200, R"({"user": 7})"),
                         http_answer(200, R"({"state": "judging", "is_final": false, "events": [{}]})"),
                         http_answer(200, R"({"rows": []})"), http_answer(201, R"(["id"])"),
                         http_answer(200, std::string(301, ' '))});
  ServerClient client = client_of(server);
  expect_error(client.me(), ErrorKind::kFailure, "the answer is no JSON object");
  expect_error(client.me(), ErrorKind::kFailure, "the answer has no text 'user'");
  expect_error(client.status(7), ErrorKind::kFailure, "an event has no number 'id'");
  expect_error(client.leaderboard({}), ErrorKind::kFailure, "the answer has no list 'columns'");
  expect_error(client.submit(kSource), ErrorKind::kFailure, "no JSON object");
  expect_error(client.me(), ErrorKind::kFailure, "the answer is too large");
}

TEST_F(AServerClient, AsksForBoardsAndSubmissions) {
  ScriptedServer server({http_answer(200, R"({"columns": [], "rows": []})"),
                         http_answer(200, R"({"submissions": []})"),
                         http_answer(200, R"({"submissions": []})")});
  ServerClient client = client_of(server);
  EXPECT_TRUE(client.leaderboard({.board = "a&b", .by = "contributor"}).ok());
  EXPECT_TRUE(client.submissions("ada", true).ok());
  EXPECT_TRUE(client.submissions("ada", false).ok());
  const auto requests = server.requests();
  EXPECT_EQ(requests[0].target(), "/api/v1/leaderboard?board=a%26b&by=contributor");
  EXPECT_EQ(requests[1].target(), "/api/v1/submissions?user=ada&state=work");
  EXPECT_EQ(requests[2].target(), "/api/v1/submissions?user=ada&state=all");
}

TEST_F(AServerClient, IsStoppedWhileItWaits) {
  for (const auto& answer : {http_answer(503, "{}", "Retry-After: 30\r\n"), kSilence}) {
    ScriptedServer server({answer});
    StopFlag stop;
    const WorkContext work{workers_, no_progress(), remarks_, stop};
    ServerClient client = *ServerClient::open({server.url()}, patience_, work);
    std::thread stopper([&] {
      while (server.requests().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      stop.raise();
    });
    const Stopwatch watch;
    expect_error(client.me(), ErrorKind::kStopped, "stopped");
    EXPECT_LT(watch.seconds(), 5);
    stopper.join();
  }
}

TEST_F(AServerClient, WaitsForTheEndAndHearsOfEachEventOnce) {
  const auto answer = [](bool is_final, const std::string& events) {
    return http_answer(200, fmt::format(R"({{"state": "{}", "is_final": {}, "events": [{}]}})",
                                        is_final ? "published" : "judging", is_final, events));
  };
  ScriptedServer server({answer(false, R"({"id": 3}, {"id": 5})"), answer(false, ""), kCutOff,
                         answer(true, R"({"id": 6})"), answer(true, R"({"id": 3}, {"id": 5}, {"id": 6})")});
  ServerClient client = client_of(server);
  std::vector<int> heard;
  const auto ended = wait_for_end(client, 7, 60, work_, [&](const ServerClient::Document& submission) {
    for (const auto& event : submission["events"]) heard.push_back(event["id"]);
  });
  ASSERT_TRUE(ended.ok()) << ended.error().message;
  EXPECT_EQ((*ended)["events"].size(), 3u);
  EXPECT_THAT(heard, ElementsAre(3, 5, 6));
  std::vector<std::string> targets;
  for (const auto& request : server.requests()) targets.push_back(std::string(request.target()));
  const std::string path = "/api/v1/submissions/7?after=";
  EXPECT_THAT(targets, ElementsAre(path + "0", path + "5", path + "5", path + "5", path + "0"));
}

TEST_F(AServerClient, WaitsNoLongerThanItMay) {
  const std::string answer = http_answer(200, R"({"state": "judging", "is_final": false, "events": []})");
  ScriptedServer server({answer, answer, answer});
  ServerClient client = client_of(server);
  const Stopwatch watch;
  const auto ended = wait_for_end(client, 7, 0.3, work_, [](const auto&) {});
  ASSERT_TRUE(ended.ok()) << ended.error().message;
  EXPECT_EQ((*ended)["state"], "judging");
  EXPECT_GE(watch.seconds(), 0.3);
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(AServerClient, TakesAddressesOfServersAlone) {
  for (const char* url : {"", "mash.example.org", "ftp://mash.example.org", "file:///etc/passwd", "http://",
                          "https://ada:secret@mash.example.org", "http://a b", "http://a?b=c", "http://a#b",
                          "http://a:99999", "http://a\r\nHost: b"})
    expect_error(ServerClient::open({url}, patience_, work_), ErrorKind::kInput, "'");
  for (const char* url : {"http://localhost:8080", "https://mash.example.org/below/", "http://[::1]:80"})
    EXPECT_TRUE(ServerClient::open({url}, patience_, work_).ok()) << url;
  expect_error(ServerClient::open({"http://localhost", "a\nb", "--token-file x"}, patience_, work_),
               ErrorKind::kInput, "--token-file x: found blanks");
  EXPECT_EQ(remarks_.warnings.size(), 0u);
  client_of("http://localhost"), client_of("https://mash.example.org"),
      client_of("http://mash.example.org", "");
  EXPECT_EQ(remarks_.warnings.size(), 0u);
  client_of("http://mash.example.org");
  EXPECT_THAT(remarks_.warnings, ElementsAre(HasSubstr("the token is sent without encryption")));
}

// The port that a program of OpenSSL says it listens on.
std::string port_of(ChildProcess& program) {
  for (int i = 0; i < 100; ++i) {
    program.wait_for(0.1);
    const std::string& out = program.out_so_far();
    const auto line = out.find("ACCEPT "), end = out.find('\n', line);
    if (line == std::string::npos || end == std::string::npos) continue;
    const auto colon = out.rfind(':', end);
    return out.substr(colon + 1, end - colon - 1);
  }
  return "";
}

TEST_F(AServerClient, TrustsNoCertificateThatNobodySigned) {
  const testing::ScratchFolder folder;
  const std::string key = folder / "key.pem", certificate = folder / "certificate.pem";
  auto made =
      ChildProcess::start({.arguments = {"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
                                         "/CN=localhost", "-keyout", key, "-out", certificate}});
  if (!made.ok() || !made->wait().succeeded()) GTEST_SKIP() << "there is no openssl here";
  auto server = ChildProcess::start(
      {.arguments = {"openssl", "s_server", "-accept", "0", "-cert", certificate, "-key", key, "-www"}});
  ASSERT_TRUE(server.ok());
  const std::string port = port_of(*server);
  ASSERT_NE(port, "") << server->err_so_far();
  expect_error(client_of("https://localhost:" + port).me(), ErrorKind::kFailure, "certificate");
  EXPECT_THAT(remarks_.told, ElementsAre());
}

}  // namespace
}  // namespace mash
