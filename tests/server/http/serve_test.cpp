// SPDX-License-Identifier: Apache-2.0
// One command, and a heuristic goes from its source to the board.
#include <signal.h>
#include <sys/resource.h>

#include <boost/asio.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "framework/base/child_process.hpp"
#include "tests/support/box.hpp"
#include "tests/support/comes.hpp"
#include "tests/support/other_user.hpp"
#include "tests/support/rows_source.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using testing::comes;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class Serve : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::has_box()) GTEST_SKIP() << testing::kNoBox;
    // As root, mash serve starts its programs as another user.
    if (::geteuid() == 0 && !testing::anyone_can_run_this()) GTEST_SKIP() << testing::kNotForOthers;
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    std::ofstream(folder_ / "board.yaml") << "dataset: {name: digits, train: 1200, test: 600}\n"
                                             "heuristics: [{id: grayscale}, {id: gray-histogram}]\n"
                                             "sampler: {name: laminating, budget: 5, features: 32}\n";
  }
  ChildProcess start() const {
    return start({(folder_ / "site").string() + "/", "--port", "0", "--seeds", "4", "--board",
                  folder_ / "board.yaml"});
  }
  static ChildProcess start(const std::vector<std::string>& options) {
    ChildCommand command;
    command.arguments = {MASH_PROGRAM, "serve"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    command.group = ChildCommand::Group::kOwn;
    command.patience_seconds = 20;
    return std::move(*ChildProcess::start(command));
  }
  // The match of a pattern in what the program says.
  static std::string said(ChildProcess& program, const std::string& pattern) {
    std::smatch match;
    std::string all;
    const auto is_said = [&] {
      program.wait_for(0);
      all = program.out_so_far() + program.err_so_far();
      return std::regex_search(all, match, std::regex(pattern));
    };
    comes(is_said, 30);
    return match.empty() ? "" : match[1].str();
  }
  // The body of the answer.
  static std::string ask(const std::string& port, const std::string& head, const std::string& body = "") {
    boost::asio::ip::tcp::iostream stream("127.0.0.1", port);
    stream << head << " HTTP/1.0\r\nContent-Length: " << body.size() << "\r\n\r\n" << body << std::flush;
    std::ostringstream all;
    all << stream.rdbuf();
    const std::string text = all.str();
    return text.substr(std::min(text.size(), text.find("\r\n\r\n")) + 4);
  }
  static std::string submit(const std::string& port, const std::string& token, const std::string& source) {
    boost::asio::ip::tcp::iostream stream("127.0.0.1", port);
    const std::string body = Json{{"file_name", "rows.cpp"}, {"source", source}, {"licence", "MIT"}}.dump();
    stream << "POST /api/v1/submissions HTTP/1.0\r\nAuthorization: Bearer " << token
           << "\r\nContent-Length: " << body.size() << "\r\n\r\n"
           << body << std::flush;
    std::ostringstream all;
    all << stream.rdbuf();
    return all.str();
  }

  testing::ScratchFolder folder_;
};

TEST_F(Serve, OneCommandTakesJudgesAndRanksAHeuristic) {
  ChildProcess program = start();
  const std::string token = said(program, "shown this once: ([A-Za-z0-9_-]{43})"),
                    port = said(program, "http://127.0.0.1:([0-9]+)/");
  ASSERT_FALSE(token.empty() || port.empty()) << program.err_so_far();
  EXPECT_THAT(submit(port, token, testing::rows_source("rows")), HasSubstr("201 Created"));
  const bool is_final = comes([&] {
    program.wait_for(0);
    return Json::parse(ask(port, "GET /api/v1/submissions/1"))["is_final"].get<bool>();
  });
  EXPECT_TRUE(is_final);
  EXPECT_EQ(Json::parse(ask(port, "GET /api/v1/submissions/1"))["state"], "published")
      << ask(port, "GET /api/v1/submissions/1") << program.err_so_far();
  EXPECT_EQ(Json::parse(ask(port, "GET /api/v1/leaderboard"))["rows"][0]["heuristic"], "rows");
  EXPECT_THAT(ask(port, "GET /"), HasSubstr("rows"));
  EXPECT_THAT(ask(port, "GET /submissions/1/report"), HasSubstr("<!DOCTYPE html>"));
  ::kill(program.pid(), SIGTERM);
  EXPECT_TRUE(program.wait().succeeded());

  // It goes on where it was, without another operator.
  ChildProcess again = start();
  const std::string other_port = said(again, "http://127.0.0.1:([0-9]+)/");
  EXPECT_EQ(Json::parse(ask(other_port, "GET /api/v1/leaderboard"))["rows"].size(), 1u);
  EXPECT_EQ(again.out_so_far(), "");
  ::kill(again.pid(), SIGTERM);
  EXPECT_TRUE(again.wait().succeeded());
}

// The processes that a process has started, by the beginning of their names.
std::vector<pid_t> children_of(pid_t parent, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) {
    std::ifstream comm("/proc/" + std::to_string(child) + "/comm");
    std::string said;
    std::getline(comm, said);
    if (said.starts_with(name)) children.push_back(child);
  }
  return children;
}

TEST_F(Serve, ASettingsFileSaysHowManyRunnersAndKilledPartsComeBack) {
  std::ofstream(folder_ / "server.yaml") << "folder: site\nport: 0\nrunners: 2\nrunner_niceness: 7\n"
                                            "limits: {free_disk: 3G}\n"
                                            "boards: [{name: digits, experiment: ./board.yaml, seeds: 4}]\n";
  ChildProcess program = start({"--config", folder_ / "server.yaml"});
  const std::string port = said(program, "http://127.0.0.1:([0-9]+)/");
  ASSERT_FALSE(port.empty()) << program.err_so_far();
  EXPECT_EQ(Json::parse(ask(port, "GET /api/v1/boards"))["boards"][0]["name"], "digits");
  EXPECT_EQ(Json::parse(ask(port, "GET /healthz.json"))["store"]["wanted_bytes"], std::uint64_t(3) << 30);
  const std::vector<pid_t> runners = children_of(program.pid(), "mash-runner");
  ASSERT_EQ(runners.size(), 2u);
  for (const pid_t runner : runners)
    EXPECT_EQ(::getpriority(PRIO_PROCESS, id_t(runner)), std::min(::getpriority(PRIO_PROCESS, 0) + 7, 19));
  // Oftener than what ends by itself may right after its start.
  for (int i = 0; i < 6; ++i) {
    const auto servers = children_of(program.pid(), "mash-server");
    ASSERT_EQ(servers.size(), 1u) << i;
    ::kill(servers[0], SIGKILL);
    EXPECT_TRUE(comes([&] {
      const auto others = children_of(program.pid(), "mash-server");
      return others.size() == 1 && others != servers;
    }));
  }
  ::kill(runners[0], SIGKILL);
  EXPECT_TRUE(comes([&] {
    const auto others = children_of(program.pid(), "mash-runner");
    return others.size() == 2 && others[0] != runners[0] && others[1] != runners[0];
  }));
  ::kill(program.pid(), SIGTERM);
  EXPECT_TRUE(program.wait().succeeded());
}

TEST_F(Serve, APortThatIsTakenEndsItWithTheReason) {
  boost::asio::io_context context;
  const boost::asio::ip::tcp::acceptor taken(context, {boost::asio::ip::address_v4::loopback(), 0});
  const std::string port = std::to_string(taken.local_endpoint().port());
  ChildProcess program = start({folder_ / "site", "--port", port, "--board", folder_ / "board.yaml"});
  ASSERT_TRUE(program.wait_for(60));
  const ChildResult result = program.wait();
  EXPECT_EQ(result.status.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("mash-server: ended 5 times right after its start"));
}

}  // namespace
}  // namespace mash
