// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/supervisor.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "framework/base/utf8.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/isolated_host.hpp"
#include "tests/support/box.hpp"
#include "tests/support/quiet_work.hpp"

namespace mash::checks {
namespace {

// Raises the flag when a check is done.
class StopAfterOneCheck final : public Progress {
 public:
  explicit StopAfterOneCheck(StopFlag& stop) : stop_(stop) {}
  void start(std::string, std::size_t, std::string) override {}
  void advance(std::size_t) override {
    ++num_done;
    stop_.raise();
  }
  void note(std::string) override {}
  void finish() override {}

  int num_done = 0;

 private:
  StopFlag& stop_;
};

// Checks that may take an hour.
CheckTarget patient() {
  CheckTarget target;
  target.num_cycles = 1'000'000;
  target.time_limit_s = 3600;
  return target;
}

CheckSubject subject_of(const std::string& plugin) {
  const auto subjects = find_subjects(plugin, {}, patient(), testing::quiet_work());
  if (!subjects.ok()) throw std::runtime_error(subjects.error().message);
  return subjects->front();
}

template <class T>
void expect_stopped(const Result<T>& result) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kStopped) << result.error().message;
}

TEST(RunChecks, StopsBetweenTheChecksOfALevel) {
  std::vector<const Check*> checks;
  for (const Check& check : all_checks())
    if (check.level == Level::kContract) checks.push_back(&check);
  ASSERT_GT(checks.size(), 2u);
  StopFlag stop;
  StopAfterOneCheck progress(stop);
  expect_stopped(run_checks(subject_of(MASH_SOUND), checks, progress, stop));
  EXPECT_EQ(progress.num_done, 1);
}

// A million calls of a heuristic that takes its time for each.
TEST(RunChecks, StopsWithinACheck) {
  const std::vector<const Check*> checks{*find_check("resources.leak")};
  StopFlag stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.raise();
  });
  const auto result =
      run_checks(subject_of(MASH_FAULTY_DIR "/resources_time.so"), checks, no_progress(), stop);
  stopper.join();
  expect_stopped(result);
}

// It divides by its parameter, whose default is 4.
TEST(RunChecks, LookAtAHeuristicWithItsSettings) {
  const char* plugin = MASH_FAULTY_DIR "/contract_parameters.so";
  const std::vector<const Check*> checks{*find_check("contract.create"), *find_check("determinism.process")};
  const StopFlag never;
  const auto passes = [&](const Settings& settings) {
    CheckTarget target = patient();
    target.settings = settings;
    const auto subjects = find_subjects(plugin, {}, target, testing::quiet_work());
    if (!subjects.ok()) throw std::runtime_error(subjects.error().message);
    const auto report = run_checks(subjects->front(), checks, no_progress(), never);
    if (!report.ok()) throw std::runtime_error(report.error().message);
    return report->passed();
  };
  Settings sound, faulty, unknown;
  sound.add("cell", "8", "--setting cell=8");
  faulty.add("cell", "0", "--setting cell=0");
  unknown.add("sell", "8", "--setting sell=8");
  EXPECT_TRUE(passes({}));
  EXPECT_TRUE(passes(sound));
  EXPECT_FALSE(passes(faulty));
  CheckTarget target = patient();
  target.settings = unknown;
  EXPECT_THAT(find_subjects(plugin, {}, target, testing::quiet_work()).error().message,
              ::testing::HasSubstr("--setting sell=8: heuristic"));
}

TEST(FindSubjects, StopsWhileAPluginIsLoaded) {
  StopFlag stop;
  stop.raise();
  const WorkContext work = testing::quiet_work(stop);
  expect_stopped(find_subjects(MASH_SOUND, {}, patient(), work));
  expect_stopped(find_subjects("some-id", {}, patient(), work));
}

TEST(FindSubjects, StopsWithinTheLoadingOfAPlugin) {
  StopFlag stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.raise();
  });
  CheckTarget target = patient();
  target.time_limit_s = 20;
  const auto subjects =
      find_subjects(MASH_FAULTY_DIR "/load_loads__endless.so", {}, target, testing::quiet_work(stop));
  stopper.join();
  expect_stopped(subjects);
}

// Text that it writes on the channel of its worker.
TEST(RunChecks, WhatAHeuristicWritesBuysItNoTime) {
  const Check* create = *find_check("contract.create");
  for (const auto& [kind, evidence] :
       {std::pair("begin", "wrote to the descriptor of the checks"),
        std::pair("crash", "took longer than 2 s"), std::pair("half", "took longer than 2 s")}) {
    CheckSubject subject = subject_of(std::string(MASH_RESTLESS_DIR "/") + kind + ".so");
    subject.target.time_limit_s = 2;
    const StopFlag never;
    const auto report = run_checks(subject, {&create, 1}, no_progress(), never);
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_EQ(report->results.size(), 1u) << kind;
    EXPECT_THAT(report->results[0].found.evidence, ::testing::HasSubstr(evidence)) << kind;
  }
}

// One check waits for the whole limit, the next for a part of it, and then no other asks it again.
TEST(RunChecks, DoNotWaitAgainAndAgainForAHeuristicThatHangs) {
  std::vector<const Check*> checks;
  for (const Check& check : all_checks())
    if (check.level >= Level::kContract && check.level <= Level::kDeterminism) checks.push_back(&check);
  CheckSubject subject = subject_of(MASH_HANGING);
  subject.target.time_limit_s = 3;
  const StopFlag never;
  const auto report = run_checks(subject, checks, no_progress(), never);
  ASSERT_TRUE(report.ok()) << report.error().message;
  std::vector<std::string> hangs;
  std::size_t num_skipped = 0;
  for (const CheckResult& result : report->results) {
    const std::string& evidence = result.found.evidence;
    if (result.found.symptom == Symptom::kTimeout) hangs.push_back(evidence);
    if (!evidence.starts_with("not checked: ")) continue;
    ++num_skipped;
    EXPECT_EQ(result.found.outcome, Outcome::kSkip);
    EXPECT_THAT(evidence, ::testing::HasSubstr("took longer than 3 s, and "));
    EXPECT_THAT(evidence, ::testing::EndsWith("took longer than 1 s"));
  }
  EXPECT_THAT(hangs, ::testing::ElementsAre("took longer than 3 s", "took longer than 1 s"));
  EXPECT_GT(num_skipped, 10u);
  EXPECT_FALSE(report->passed());
}

TEST(LimitOfNext, IsShortAfterAHang) {
  CheckReport report;
  EXPECT_EQ(limit_of_next(report, 30), 30);
  report.results.push_back({*find_check("contract.sizes"), {Outcome::kFail, "crash", Symptom::kCrash, {}}});
  EXPECT_EQ(limit_of_next(report, 30), 30);
  report.results.push_back({*find_check("contract.views"), {Outcome::kFail, "hangs", Symptom::kTimeout, {}}});
  EXPECT_EQ(limit_of_next(report, 30), 3);
  EXPECT_EQ(limit_of_next(report, 5), 1) << "a second at least";
  EXPECT_EQ(limit_of_next(report, .5), .5) << "never more than it was";
}

// The surroundings of a heuristic as it tells them: "seen: ... .".
std::string seen_in(const std::string& error) {
  const std::size_t begin = error.find("seen:"), end = error.rfind('.');
  return begin == std::string::npos ? "nothing: " + error : error.substr(begin, end - begin);
}

std::string seen_by_a_check(Isolation isolation, const char* id) {
  CheckSubject subject{patient(), "test/faulty", ""};
  subject.target.plugin = MASH_CURIOUS;
  subject.target.isolation = isolation;
  const Check* check = *find_check(id);
  const StopFlag never;
  const auto report = run_checks(subject, {&check, 1}, no_progress(), never);
  return report.ok() ? seen_in(report->results[0].found.evidence) : report.error().message;
}

std::string seen_by_a_host(Isolation isolation) {
  IsolationSettings settings;
  settings.isolation = isolation;
  IsolatedHost host(settings, no_remarks());
  const auto infos = host.describe(*read_plugin_file(MASH_CURIOUS));
  if (!infos.ok()) return infos.error().message;
  const auto instance = host.open(infos->front(), {});
  const auto dim = (*instance)->dim({8, 8});
  return dim.ok() ? "it was created" : seen_in(dim.error().message);
}

// It could behave as long as it is checked.
TEST(RunChecks, ShowAHeuristicNothingThatARunDoesNot) {
  for (const Isolation isolation : {Isolation::kProcess, Isolation::kBox}) {
    if (isolation == Isolation::kBox && !testing::has_box()) continue;
    const std::string seen = seen_by_a_host(isolation);
    EXPECT_THAT(seen, ::testing::HasSubstr("seen: command of "));
    for (const char* id : {"contract.create", "resources.leak", "determinism.threads"})
      EXPECT_EQ(seen_by_a_check(isolation, id), seen) << to_string(isolation) << ", " << id;
  }
}

// A heuristic that owns its process and answers for it, and what is told of a check on it.
struct Impostor {
  const char* kind;
  const char* check;
  const char* evidence;  // a part of it
};
constexpr Impostor kImpostors[] = {
    {"findings", "contract.create", "wrote to the descriptor of the checks"},
    {"nested", "contract.create", "wrote to the descriptor of the checks"},
    {"objects", "contract.create", "wrote to the descriptor of the checks"},
    {"many", "contract.create", "4000000000000000 bytes"},
    {"long", "contract.create", "\\u202e<b>"},
    {"numbers", "contract.create", "a whole number is missing"},
    {"dice", "determinism.repeat", "in call 1 and"},
    {"dice", "contract.indices", "with null indices and"},
    {"dice", "determinism.threads", ""},
};

TEST(RunChecks, BelieveNoHeuristicThatAnswersThem) {
  for (const auto& [kind, id, evidence] : kImpostors) {
    SCOPED_TRACE(fmt::format("{} in {}", kind, id));
    const Check* check = *find_check(id);
    CheckSubject subject = subject_of(std::string(MASH_IMPOSTOR_DIR "/") + kind + ".so");
    subject.target.time_limit_s = 20;
    const StopFlag never;
    const auto report = run_checks(subject, {&check, 1}, no_progress(), never);
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_EQ(report->results.size(), 1u);
    const Finding& found = report->results[0].found;
    EXPECT_EQ(found.outcome, Outcome::kFail) << found.evidence;
    EXPECT_THAT(found.evidence, ::testing::HasSubstr(evidence));
    EXPECT_LE(found.evidence.size(), 4000u);
    EXPECT_TRUE(is_line_of_text(found.evidence)) << found.evidence;
  }
}

}  // namespace
}  // namespace mash::checks
