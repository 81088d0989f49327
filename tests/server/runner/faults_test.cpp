// SPDX-License-Identifier: Apache-2.0
// Faults of a machine: programs that are killed, stopped or shut out of the database, a disk that
// is full. Every accepted submission comes to one end, once. MASH_FAULTS=30: that many kills of each program.
#include <arpa/inet.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <thread>

#include "framework/records/submission_queue.hpp"
#include "tests/server/runner/runner_site.hpp"
#include "tests/support/comes.hpp"
#include "tests/support/free_port.hpp"

namespace mash {
namespace {

using testing::comes;
using ::testing::HasSubstr;
using testing::rows_source;
using Json = nlohmann::json;
namespace fs = std::filesystem;
namespace http = boost::beast::http;

int num_kills() {
  const char* text = std::getenv("MASH_FAULTS");
  return text ? std::max(1, std::atoi(text)) : 3;
}

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// The number of the submission; nothing where the server is not there, or ends meanwhile.
std::optional<std::int64_t> post(std::uint16_t port, const std::string& key, const std::string& source) {
  try {
    boost::asio::io_context context;
    boost::beast::tcp_stream stream(context);
    stream.expires_after(std::chrono::seconds(5));
    stream.connect({boost::asio::ip::make_address("127.0.0.1"), port});
    http::request<http::string_body> request{http::verb::post, "/api/v1/submissions", 11};
    request.set(http::field::host, "localhost");
    request.set(http::field::authorization, "Bearer ada-token");
    request.set(http::field::content_type, "application/json");
    request.set("Idempotency-Key", key);
    request.body() = Json{{"file_name", "rows.cpp"}, {"source", source}, {"licence", "MIT"}}.dump();
    request.prepare_payload();
    http::write(stream, request);
    boost::beast::flat_buffer buffer;
    http::response<http::string_body> response;
    http::read(stream, buffer, response);
    if (response.result_int() != 201) return std::nullopt;
    return Json::parse(response.body()).at("id").get<std::int64_t>();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

class Faults : public testing::RunnerSite {
 protected:
  // Each came to one end, once, and the database is whole.
  void expect_one_end_each(const std::vector<std::int64_t>& ids) const {
    for (const std::int64_t id : ids) {
      EXPECT_TRUE(is_final(submission(id).state)) << told(id);
      int num_ends = 0;
      for (const SubmissionEvent& event : events(id))
        num_ends += is_final(event.state) && event.state != SubmissionState::kSuperseded;
      EXPECT_EQ(num_ends, 1) << told(id);
    }
    expect_whole();
  }
  void expect_whole() const {
    EXPECT_EQ(sample::database(records_).execAndGet("PRAGMA integrity_check").getString(), "ok");
    EXPECT_EQ(sample::database(records_)
                  .execAndGet("SELECT COUNT(*) FROM submissions WHERE lease_pid IS NOT NULL")
                  .getInt(),
              0);
  }
  bool is_at(std::int64_t id, SubmissionState state) const { return submission(id).state >= state; }
};

TEST_F(Faults, WhatIsKilledAtAnyMomentLosesAndRepeatsNothing) {
  ASSERT_TRUE(add_token(records_, ada_, {.scope = Scope::kSubmit}, "ada-token", 1).ok());
  const char* given = std::getenv("MASH_FAULTS_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device()();
  fmt::print("moments: MASH_FAULTS_SEED={}\n", seed);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> moment(0.3, 3);
  const std::uint16_t port = testing::free_port();
  const ChildCommand serve{{MASH_SERVER, "--db", folder_ / "mash.db", "--port", std::to_string(port),
                            "--most-waiting", "100", "--quota-seconds", "100000"}};
  std::map<std::string, std::int64_t> accepted;  // by their keys
  for (int i = 0; i < num_kills(); ++i) {
    ChildProcess server = start(serve), runner = start(command({"--lease", "2"}));
    const double server_end = moment(random), runner_end = moment(random);
    const Stopwatch watch;
    const std::string key = fmt::format("k{}", i),
                      source = i % 3 == 2 ? "int a = b;" : rows_source(fmt::format("rows-{}", i));
    while (watch.seconds() < std::max(server_end, runner_end)) {
      if (watch.seconds() >= server_end) testing::send(server, SIGKILL);
      if (watch.seconds() >= runner_end) testing::send(runner, SIGKILL);
      if (const auto id = post(port, key, source)) {
        EXPECT_TRUE(!accepted.contains(key) || accepted.at(key) == *id);
        accepted[key] = *id;
      }
      sleep_for(0.01);
    }
    for (ChildProcess* child : {&server, &runner}) {
      testing::send(*child, SIGKILL);
      child->wait();
    }
  }
  run();
  std::vector<std::int64_t> all;
  const std::vector<Submission> submissions = *read_submissions(records_, {.most = 1000});
  for (const Submission& submission : submissions) all.push_back(submission.id);
  fmt::print("{} kills of each program, {} submissions, {} answered\n", num_kills(), all.size(),
             accepted.size());
  EXPECT_FALSE(accepted.empty());
  EXPECT_GE(all.size(), accepted.size());
  EXPECT_LE(all.size(), std::size_t(num_kills()));
  for (const auto& [key, id] : accepted) EXPECT_THAT(all, ::testing::Contains(id));
  expect_one_end_each(all);
}

TEST_F(Faults, ADatabaseThatIsLockedForAWhileIsWaitedFor) {
  const std::int64_t id = hand_in(rows_source("rows"));
  ChildProcess runner = start(command());
  ASSERT_TRUE(comes([&] { return is_at(id, SubmissionState::kCompiling); }));
  sample::database(records_).exec("BEGIN IMMEDIATE");
  sleep_for(2);
  sample::database(records_).exec("COMMIT");
  const ChildResult result = runner.wait();
  EXPECT_TRUE(result.succeeded()) << result.err;
  EXPECT_EQ(state_of(id), "published") << told(id);
  expect_one_end_each({id});
}

TEST_F(Faults, ARunnerThatHasLostItsLeaseWritesNothing) {
  const std::int64_t id = hand_in(rows_source("rows"));
  ChildProcess stopped = start(command({"--lease", "1"}));
  ASSERT_TRUE(comes([&] { return is_at(id, SubmissionState::kCompiling); }));
  testing::send(stopped, SIGSTOP);
  ASSERT_TRUE(comes([&] { return *is_any_waiting(records_); }));
  ChildProcess other = start(command({"--lease", "60", "--until-empty"}));
  ASSERT_TRUE(comes([&] { return submission(id).num_attempts == 2; }));
  testing::send(stopped, SIGCONT);
  const ChildResult result = other.wait();
  EXPECT_TRUE(result.succeeded()) << result.err;
  testing::send(stopped, SIGTERM);
  EXPECT_TRUE(stopped.wait().succeeded());
  EXPECT_EQ(state_of(id), "published") << told(id);
  expect_one_end_each({id});
  // From the second beginning on, each step is told once, in its order.
  std::vector<SubmissionState> states;
  int num_beginnings = 0;
  for (const SubmissionEvent& event : events(id)) {
    num_beginnings += event.text == "looking at the source";
    if (num_beginnings == 2 && (states.empty() || states.back() != event.state))
      states.push_back(event.state);
  }
  EXPECT_EQ(num_beginnings, 2) << told(id);
  using enum SubmissionState;
  EXPECT_THAT(states,
              ::testing::ElementsAre(kChecking, kCompiling, kValidating, kExtracting, kJudging, kPublished))
      << told(id);
}

TEST_F(Faults, OrderlyStopsCountAsNoAttempts) {
  const std::int64_t id = hand_in(rows_source("rows"));
  for (int i = 0; i < 2 * kMaxAttempts; ++i) {
    ChildProcess runner = start(command({"--lease", "600"}));
    ASSERT_TRUE(comes([&] { return submission(id).num_attempts == 1; }));
    testing::send(runner, SIGTERM);
    EXPECT_TRUE(runner.wait().succeeded());
    ASSERT_FALSE(is_final(submission(id).state)) << told(id);
    EXPECT_EQ(submission(id).num_attempts, 0);
    EXPECT_TRUE(*is_any_waiting(records_));
  }
  EXPECT_THAT(told(id), HasSubstr("another one begins again"));
  run();
  EXPECT_EQ(state_of(id), "published") << told(id);
  expect_one_end_each({id});
}

// The compilers that a program's programs run.
std::vector<int> compilers_of(int ancestor) {
  const auto parent_of = [](int pid) {
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    std::string text;
    std::getline(stat, text);
    int parent = 0;
    char state = 0;
    std::istringstream(text.substr(std::min(text.size(), text.rfind(')') + 1))) >> state >> parent;
    return parent;
  };
  std::vector<int> found;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const int pid = std::atoi(entry.path().filename().c_str());
    std::string name;
    std::ifstream(entry.path() / "comm") >> name;
    if (name != "cc1plus") continue;
    int above = pid;
    while (above > 1 && above != ancestor) above = parent_of(above);
    if (above == ancestor) found.push_back(pid);
  }
  return found;
}

TEST_F(Faults, ACompilerThatTheMachineKillsIsTheServersFault) {
  const std::int64_t id = hand_in(rows_source("rows"));
  ChildProcess runner = start(command());
  ASSERT_TRUE(comes([&] {
    const std::vector<int> compilers = compilers_of(runner.pid());
    for (const int pid : compilers) ::kill(pid, SIGKILL);
    return !compilers.empty();
  }));
  EXPECT_TRUE(runner.wait().succeeded());
  EXPECT_EQ(state_of(id), "failed") << told(id);
  EXPECT_EQ(submission(id).fault, Blame::kServer);
  EXPECT_THAT(submission(id).reason, HasSubstr("the compiler was killed"));
}

// A small disk of its own.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& place) : place_(place) {
    fs::create_directories(place);
    is_there_ = ::mount("tmpfs", place.c_str(), "tmpfs", 0, "size=8m") == 0;
  }
  ~SmallDisk() {
    if (is_there_) ::umount2(place_.c_str(), MNT_DETACH);
  }
  bool is_there() const { return is_there_; }
  void fill() const {
    std::ofstream file(filler(), std::ios::binary);
    const std::string block(4096, 'x');
    while (file.write(block.data(), std::streamsize(block.size())).flush()) {
    }
  }
  void clear() const { fs::remove(filler()); }

 private:
  fs::path filler() const { return place_ / "filler"; }
  fs::path place_;
  bool is_there_ = false;
};

TEST_F(Faults, ADiskThatIsFullStopsWorkUntilThereIsRoom) {
  const SmallDisk disk(folder_ / "disk");
  if (!disk.is_there()) GTEST_SKIP() << "a disk of its own cannot be mounted here: that needs root";
  const fs::path database = folder_ / "disk" / "mash.db";
  {
    records_ = *Records::open(database);
    ada_ = *add_user(records_, {0, "ada", "contributor", ""});
    board_ = *put_board(records_, {0, "digits", testing::kSmallBoard, 4});
    const std::int64_t id = hand_in(rows_source("rows"));
    ChildProcess runner =
        start({{MASH_RUNNER, "--db", database, "--store", folder_ / "store", "--lease", "1"}});
    ASSERT_TRUE(comes([&] { return is_at(id, SubmissionState::kCompiling); }));
    disk.fill();
    EXPECT_TRUE(comes([&] {
      return runner.has_ended() || runner.err_so_far().find("tried again") != std::string::npos;
    })) << runner.err_so_far();
    EXPECT_FALSE(is_final(submission(id).state)) << told(id);
    disk.clear();
    EXPECT_TRUE(comes([&] { return runner.has_ended() || is_final(submission(id).state); }));
    testing::send(runner, SIGTERM);
    const ChildResult result = runner.wait();
    EXPECT_TRUE(result.succeeded()) << result.err;
    EXPECT_EQ(state_of(id), "published") << told(id);
    expect_one_end_each({id});
  }
  records_ = *Records::open(folder_ / "mash.db");  // none is open on the disk when it goes
}

}  // namespace
}  // namespace mash
