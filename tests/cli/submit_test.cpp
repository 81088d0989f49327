// SPDX-License-Identifier: Apache-2.0
// Output of the program on what a server answers, and its exit codes.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/scripted_server.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::http_answer;
using ::testing::Not;
using testing::ProgramResult;
using testing::ScriptedServer;
using Json = nlohmann::json;

const std::string kReceived = http_answer(201, R"({"id": 7, "page": "/submissions/7", "state": "received"})");

std::string submission(const std::string& state, const Json& others = Json::object()) {
  Json document{
      {"id", 7},
      {"state", state},
      {"is_final", state != "judging"},
      {"file_name", "rows.cpp"},
      {"page", "/submissions/7"},
      {"events", {{{"id", 1}, {"at", "2026-11-25T01:02:03Z"}, {"state", state}, {"text", "it is so"}}}}};
  document.update(others);
  return http_answer(200, document.dump());
}

const Json kJudgement{{"heuristic", "rows"},
                      {"version", "1.0.0"},
                      {"judgement",
                       {{"gain", 0.512},
                        {"gain_ci95", 0.03},
                        {"finding", "adds"},
                        {"num_seeds", 16},
                        {"num_features", 28},
                        {"microseconds", 1.25}}}};
const std::string kBoard =
    http_answer(200, R"({"board": "demo", "columns": [{"key": "rank", "title": "rank"}],
                                                "rows": [{"rank": "2–5", "submission": 7}]})");

class Submit : public ::testing::Test {
 protected:
  Submit() {
    std::ofstream(sandbox_.work() / "rows.cpp") << "int x;\n";
    std::ofstream(sandbox_.work() / "token") << "secret\n";
  }
  ProgramResult submit(const ScriptedServer& server, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words{"mash",     "submit",     "rows.cpp",     "--licence", "MIT",
                                   "--server", server.url(), "--token-file", "token"};
    words.insert(words.end(), options.begin(), options.end());
    return sandbox_.run(words);
  }

  testing::Sandbox sandbox_;
};

TEST_F(Submit, SaysWhatItGainsAndWhereItStands) {
  ScriptedServer server({kReceived, submission("judging"), submission("published", kJudgement),
                         submission("published", kJudgement), kBoard});
  const ProgramResult result = submit(server);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(
      result.out,
      "Submission 7 is published: rows 1.0.0\n"
      "  gain      +0.51 ± 0.03 % of the log-loss (adds, 16 seeds; ±: half the width of the 95 % interval)\n"
      "  cost      28 features, 1.25 µs a picture\n"
      "  rank      2–5 of the board demo\n"
      "  page      " +
          server.url() + "/submissions/7\n");
  EXPECT_EQ(result.err,
            "submission 7: " + server.url() + "/submissions/7\njudging: it is so\npublished: it is so\n");
}

TEST_F(Submit, SaysWhatIsLeftOfTheBoard) {
  ScriptedServer server(
      {http_answer(201, R"({"id": 7, "page": "/submissions/7", "state": "received",
      "board": "digits", "board_closes_at": "2026-12-15T22:59:00Z", "attempts": {"used": 2, "most": 3}})"),
       http_answer(409, R"({"error": "the board digits closed on 2026-12-15 22:59 UTC"})")});
  const ProgramResult result = submit(server, {"--no-wait"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err,
            "attempts used in 24 hours: 2 of 3; the board digits closes on 2026-12-15 22:59 UTC\n");
  const ProgramResult closed = submit(server);
  EXPECT_EQ(closed.exit_code, 2);
  EXPECT_EQ(closed.err, "mash: " + server.url() + ": the board digits closed on 2026-12-15 22:59 UTC\n");
}

TEST_F(Submit, PrintsOneDocumentForScripts) {
  ScriptedServer server({kReceived, submission("published"), submission("published")});
  const ProgramResult result = submit(server, {"--json", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(Json::parse(result.out)["state"], "published");
}

TEST_F(Submit, FailsWhereItIsRejected) {
  const std::string rejected = submission("rejected", {{"reason", "rows.cpp:1: \u001b[2J is no type"}});
  ScriptedServer server({kReceived, rejected, rejected, kReceived, rejected, rejected});
  const ProgramResult result = submit(server, {"--quiet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "mash: submission 7 was rejected: rows.cpp:1: ?[2J is no type\n" + server.url() +
                            "/submissions/7\n");
  const ProgramResult document = submit(server, {"--json"});
  EXPECT_EQ(document.exit_code, 1);
  EXPECT_EQ(Json::parse(document.out)["state"], "rejected");
}

TEST_F(Submit, NeedNotWait) {
  const std::string received =
      http_answer(201, R"({"id": 7, "board": "digits", "page": "/submissions/7", "state": "received"})");
  ScriptedServer server({received, received});
  const ProgramResult result = submit(server, {"--no-wait"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Submission 7 for the board digits is received\n  page      " +
                                    server.url() + "/submissions/7\n"));
  EXPECT_EQ(Json::parse(submit(server, {"--no-wait", "--json"}).out)["id"], 7);
}

TEST_F(Submit, SaysHowToGoOnWhereTheTimeIsOver) {
  const std::string judging = submission("judging");
  ScriptedServer server({kReceived, judging, judging, judging});
  const ProgramResult result = submit(server, {"--timeout", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(
      result.err,
      HasSubstr("mash: 1 s are over; submission 7 goes on: mash status 7 --wait --server " + server.url()));
}

TEST_F(Submit, IsStoppedByASignal) {
  std::vector<std::string> answers(20, submission("judging"));
  answers[0] = kReceived;
  ScriptedServer server(answers);
  auto program = sandbox_.start(
      {"mash", "submit", "rows.cpp", "--licence", "MIT", "--server", server.url(), "--token-file", "token"});
  while (server.requests().size() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("mash: stopped; submission 7 goes on: mash status 7"));
}

TEST_F(Submit, AttemptsThatAreUsedUpAreARefusal) {
  ScriptedServer server({http_answer(429, R"({"error": "yours are used up"})", "Retry-After: 43210\r\n")});
  const ProgramResult result = submit(server);
  EXPECT_EQ(result.exit_code, 2) << "as a board that is closed";
  EXPECT_THAT(result.err, HasSubstr(": yours are used up\n"));
}

TEST_F(Submit, ARefusedTokenIsWrongInput) {
  ScriptedServer server({http_answer(401, R"({"error": "who are you?"})")});
  const ProgramResult result = submit(server);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the token of --token-file token does not hold: who are you?"));
  EXPECT_THAT(result.err, Not(HasSubstr("secret")));
}

TEST_F(Submit, StatusShowsOneOrOnesOwn) {
  const std::string
      one = R"({"id": 7, "board": "digits", "state": "judging", "file_name": "rows.cpp"})",
      other = R"({"id": 5, "board": "cells", "state": "rejected", "file_name": "a.cpp", "reason": "why"})";
  const auto list = [](const std::string& items) {
    return http_answer(200, "{\"submissions\": [" + items + "]}");
  };
  const std::string me = http_answer(200, R"({"user": "ada"})");
  ScriptedServer server({submission("rejected", {{"reason", "why"}}), me, list(one), list(one + "," + other),
                         me, list(one), list(other)});
  sandbox_.environment["MASH_TOKEN"] = "secret";
  sandbox_.environment["MASH_SERVER"] = server.url();
  const ProgramResult shown = sandbox_.run({"mash", "status", "7"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out, "Submission 7 is rejected: rows.cpp\n  page      " + server.url() +
                           "/submissions/7\n\nwhy\n\n2026-11-25T01:02:03Z  rejected: it is so\n");
  const ProgramResult listed = sandbox_.run({"mash", "status"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.out,
            "submission  state     board   file      heuristic  version  received  seconds  reason\n"
            "         7  judging   digits  rows.cpp  –          –        –               –  –\n"
            "         5  rejected  cells   a.cpp     –          –        –               –  why\n");
  const Json document = Json::parse(sandbox_.run({"mash", "status", "--json"}).out);
  EXPECT_EQ(document["user"], "ada");
  EXPECT_EQ(document["submissions"].size(), 2u);
  EXPECT_EQ(server.requests()[2].target(), "/api/v1/submissions?user=ada&state=work");
}

// Columns of a server that say nothing of any row are left out.
TEST_F(Submit, GainsBesideOthersAreShownWhereThereAreAny) {
  const auto board = [](const Json& first, const Json& second) {
    const Json columns = {{{"key", "rank"}, {"title", "rank"}},
                          {{"key", "beyond"}, {"title", "beyond"}},
                          {{"key", "beyond_ci95"}, {"title", ""}},
                          {{"key", "beyond_others"}, {"title", "beside others"}},
                          {{"key", "beyond_remark"}, {"title", "remark on beyond"}}};
    return http_answer(200, Json{{"columns", columns}, {"rows", {first, second}}}.dump());
  };
  const auto row = [](const char* rank, const Json& gain, const Json& others, const Json& remark) {
    return Json{{"rank", rank},
                {"beyond", gain},
                {"beyond_ci95", gain.is_null() ? Json() : Json(.25)},
                {"beyond_others", others},
                {"beyond_remark", remark}};
  };
  ScriptedServer server({board(row("1", .5, 3, nullptr), row("2", nullptr, nullptr, "not measured yet")),
                         board(row("1", nullptr, nullptr, nullptr), row("2", nullptr, nullptr, nullptr)),
                         board(row("1", .5, 3, nullptr), row("2", 1, 3, nullptr))});
  std::vector<std::string> command{"mash", "leaderboard", "--server", server.url(), "--wide"};
  EXPECT_THAT(sandbox_.run(command).out,
              AllOf(HasSubstr("0.5 ± 0.25"), HasSubstr("beside others"), HasSubstr("not measured yet")));
  EXPECT_EQ(sandbox_.run(command).out, "rank\n1\n2\n");
  command.pop_back();
  EXPECT_THAT(sandbox_.run(command).out,
              AllOf(Not(HasSubstr("beside others")), EndsWith("%: of the log-loss. All columns: --wide\n")));
}

TEST_F(Submit, TheLeaderboardOfAServerIsShown) {
  ScriptedServer server({kBoard, kBoard, kBoard});
  EXPECT_EQ(sandbox_.run({"mash", "leaderboard", "--server", server.url()}).out, "rank\n2–5\n");
  EXPECT_EQ(sandbox_.run({"mash", "leaderboard", "--server", server.url(), "--csv"}).out, "rank\r\n2–5\r\n");
  const ProgramResult result = sandbox_.run(
      {"mash", "leaderboard", "--server", server.url(), "--board", "demo", "--by", "contributor", "--json"});
  EXPECT_EQ(Json::parse(result.out)["rows"][0]["submission"], 7);
  EXPECT_EQ(server.requests()[2].target(), "/api/v1/leaderboard?board=demo&by=contributor");
}

}  // namespace
}  // namespace mash
