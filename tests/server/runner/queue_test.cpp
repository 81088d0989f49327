// SPDX-License-Identifier: Apache-2.0
// How a runner goes about its queue: runs again, pages of boards, and what takes too long.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "framework/isolation/box_layers.hpp"
#include "framework/records/submission_queue.hpp"
#include "server/runner/beat.hpp"
#include "server/runner/judging.hpp"
#include "tests/server/runner/runner_site.hpp"
#include "tests/support/comes.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using testing::comes;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::rows_source;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class RunnerQueue : public testing::RunnerSite {
 protected:
  std::int64_t published(const std::string& id) {
    const std::int64_t submission = hand_in(rows_source(id));
    run();
    EXPECT_EQ(state_of(submission), "published") << told(submission);
    return submission;
  }
};

TEST_F(RunnerQueue, AnotherRunUsesNothingOfTheFirstAndVerifiesIt) {
  const std::int64_t first = published("rows");
  fs::remove_all(folder_ / "store");
  const std::int64_t again = *rerun_submission(records_, first);
  run();
  EXPECT_EQ(state_of(again), "superseded") << told(again);
  EXPECT_NE(submission(first).verified_at, "");
  EXPECT_EQ(state_of(first), "published");
  EXPECT_FALSE(fs::exists(folder_ / "store"));
}

TEST(SourceFolders, AreThoseOfTheIdWhereThereIsOne) {
  Submission submission;
  submission.contributor = "lovelace";
  EXPECT_EQ(server::source_folder(submission), "lovelace");
  submission.heuristic = "rows";
  EXPECT_EQ(server::source_folder(submission), "lovelace");
  submission.heuristic = "ada/rows";
  EXPECT_EQ(server::source_folder(submission), "ada");
}

// The id of a classic heuristic is made of its folder, and the folder of the name of its user.
TEST_F(RunnerQueue, AClassicHeuristicKeepsItsIdWhenItsUserIsRenamed) {
  const std::int64_t first =
      hand_in(*read_file(testing::source_folder() + "/sdk/template/classic/random_boxes.cpp"), "boxes.cpp");
  run();
  ASSERT_EQ(state_of(first), "published") << told(first);
  ASSERT_EQ(submission(first).heuristic, "ada/boxes");
  ASSERT_TRUE(rename_user(records_, ada_, "lovelace").ok());
  const std::int64_t again = *rerun_submission(records_, first);
  run();
  EXPECT_EQ(state_of(again), "superseded") << told(again);
  EXPECT_EQ(submission(again).heuristic, "ada/boxes");
  EXPECT_NE(submission(first).verified_at, "");
}

TEST_F(RunnerQueue, AnotherRunThatComesToSomethingElseIsTheServersFault) {
  const std::int64_t first = published("rows");
  sample::database(records_).exec("UPDATE judgements SET gain = gain + 0.001");
  const std::int64_t other_gain = *rerun_submission(records_, first);
  run();
  sample::database(records_).exec("UPDATE submissions SET source = 'int a = b;' WHERE id = " +
                                  std::to_string(first));
  const std::int64_t other_end = *rerun_submission(records_, first);
  run();
  for (const std::int64_t id : {other_gain, other_end}) {
    EXPECT_EQ(state_of(id), "failed") << told(id);
    EXPECT_EQ(submission(id).fault, Blame::kServer);
  }
  EXPECT_THAT(submission(other_gain).reason, HasSubstr("gave other figures"));
  EXPECT_THAT(submission(other_end).reason, HasSubstr("was rejected"));
  EXPECT_EQ(submission(first).verified_at, "");
}

// The same features under another name have the same gain, and are known as a copy.
TEST_F(RunnerQueue, CopiesHaveOneGain) {
  const std::int64_t first = published("rows"), copy = published("a-better-name");
  const Judgement of_first = **find_judgement(records_, first), of_copy = **find_judgement(records_, copy);
  EXPECT_EQ(of_first.num_seeds, 4u) << "those of the board, no matter what they say";
  EXPECT_EQ(of_first.gain, of_copy.gain);
  EXPECT_EQ(of_first.standard_error, of_copy.standard_error);
  const auto copied = *read_board_entries(records_, board_);
  ASSERT_EQ(copied.size(), 2u);
  EXPECT_EQ(copied[0].features_digest, copied[1].features_digest);
  const std::int64_t other = hand_in(rows_source("other") + "// another source\n");
  run();
  ASSERT_EQ(state_of(other), "published") << told(other);
  EXPECT_EQ((**find_judged(records_, other)).features_digest, copied[0].features_digest)
      << "another source, the same features";
}

TEST_F(RunnerQueue, UncertainRanksAreMeasuredWithMoreSeedsWhileNothingWaits) {
  const std::int64_t rows = published("rows");
  const std::int64_t columns = hand_in(rows_source("upright", "1.0.0", R"cpp(
    for (std::size_t i = 0; i < features.size(); ++i) {
      out[i] = 0;
      for (std::uint32_t y = 0; y < view.height(); ++y)
        out[i] += float(view.gray()(features[i] % view.width(), y));
    }
    if (view.width() > 0) return;
  )cpp"));
  run();
  ASSERT_EQ(state_of(columns), "published") << told(columns);
  const Judgement before = **find_judgement(records_, rows);
  ChildProcess service = start(command({"--most-seeds", "8"}));
  EXPECT_TRUE(comes([&] {
    return service.has_ended() || (read_measured_seeds(records_, rows)->size() == 2 &&
                                   read_measured_seeds(records_, columns)->size() == 2);
  }));
  testing::send(service, SIGTERM);
  EXPECT_TRUE(service.wait().succeeded());
  for (const std::int64_t id : {rows, columns}) {
    EXPECT_EQ((**find_judgement(records_, id)).num_seeds, 8u);
    EXPECT_THAT(*read_measured_seeds(records_, id), ::testing::ElementsAre(4u, 8u));
  }
  const Judgement after = **find_judgement(records_, rows);
  EXPECT_EQ(after.report_json, before.report_json) << "the report stays";
  EXPECT_NE(after.gain, before.gain);
  // A second run is compared with what was measured with as many seeds.
  const std::int64_t again = *rerun_submission(records_, rows);
  run();
  EXPECT_EQ(state_of(again), "superseded") << told(again);
  EXPECT_NE(submission(rows).verified_at, "");
}

TEST_F(RunnerQueue, ANewVersionOfABoardIsAnotherJudging) {
  const std::int64_t first = published("rows");
  const std::int64_t former_board = board_;
  board_ = *put_board(records_, {0, "digits", testing::kSmallBoard, 8});
  ASSERT_EQ(rerun_board(records_, "digits")->num_submissions, 1u);
  run();
  EXPECT_EQ(state_of(first), "superseded");
  const std::vector<BoardEntry> entries = *read_board_entries(records_, board_);
  ASSERT_EQ(entries.size(), 1u) << told(first + 1);
  EXPECT_EQ(entries[0].version, "1.0.0");
  EXPECT_EQ(read_board_entries(records_, former_board)->at(0).submission_id, first);
}

TEST_F(RunnerQueue, NamesTheWallsThatAreMissingHere) {
  const ChildResult result = start(command()).wait();
  for (const BoxLayer& layer : try_box_layers()) {
    const bool is_named = result.err.find("no wall '" + layer.name + "'") != std::string::npos;
    EXPECT_EQ(is_named, !layer.is_active) << layer.name << ": " << result.err;
  }
}

// More than any disk has; then less.
TEST_F(RunnerQueue, NothingIsTakenWhereTheDiskHasNoRoom) {
  const std::int64_t id = hand_in("int a = b;");
  const ChildResult full = start(command({"--until-empty", "--free-disk", "4096T"})).wait();
  EXPECT_EQ(full.status.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("expected at least 4.0 PiB (--free-disk)"));
  EXPECT_EQ(state_of(id), "received");
  ChildProcess service = start(command({"--free-disk", "4096T"}));
  EXPECT_TRUE(comes(
      [&] { return service.has_ended() || service.err_so_far().find("--free-disk") != std::string::npos; }));
  testing::send(service, SIGTERM);
  EXPECT_TRUE(service.wait().succeeded());
  EXPECT_EQ(state_of(id), "received");
  run({"--until-empty", "--free-disk", "0"});
  EXPECT_EQ(state_of(id), "rejected");
}

TEST_F(RunnerQueue, AFloorThatIsNoSizeIsRefusedByBothPrograms) {
  for (const char* program : {MASH_RUNNER, MASH_SERVER}) {
    const ChildCommand command{
        {program, "--db", folder_ / "mash.db", "--store", folder_ / "store", "--free-disk", "much"}};
    const ChildResult result = start(command).wait();
    EXPECT_EQ(result.status.exit_code, 2) << program;
    EXPECT_THAT(result.err, HasSubstr(": --free-disk: found 'much', expected a size such as 512M or 4G\n"));
  }
}

TEST_F(RunnerQueue, WhyNothingIsKnownOfWhatABoardCanTellApartIsSaid) {
  ASSERT_TRUE(put_board(records_, {0, "alone", R"yaml(
dataset: {name: digits, train: 600, test: 400}
heuristics: [{id: grayscale}]
booster: {name: adaboost.mh, rounds: 20}
sampler: {name: laminating, budget: 5, features: 32}
)yaml",
                                   4})
                  .ok());
  const ChildResult result = start(command()).wait();
  EXPECT_TRUE(result.succeeded()) << result.err;
  EXPECT_THAT(result.err, HasSubstr("board alone: what it can tell apart is not known: "));
  EXPECT_THAT(result.err, HasSubstr("found 1 families, expected two at least"));
}

TEST_F(RunnerQueue, PagesOfTheBoardAreMade) {
  run();
  const Json dataset = Json::parse(page("dataset.json"));
  EXPECT_EQ(dataset["name"], "digits");
  EXPECT_EQ(dataset["num_train"], 600);
  EXPECT_EQ(int(dataset["num_test_public"]) + int(dataset["num_test_private"]), 400);
  EXPECT_GT(dataset["num_test_private"], 100);
  EXPECT_LT(dataset["num_test_private"], 300);
  EXPECT_EQ(dataset["classes"].size(), 10u);
  EXPECT_EQ(dataset["width"], 28);

  const Json resolution = Json::parse(page("resolution.json"));
  EXPECT_EQ(resolution["pictures"], dataset["num_test_private"]);
  EXPECT_EQ(resolution["offered"], 2);
  EXPECT_EQ(resolution["at"].size(), 3u);
  EXPECT_THAT(std::string(resolution["words"]), HasSubstr("judging pictures wrong"));

  const Json uncovered = Json::parse(page("uncovered.json"));
  EXPECT_GT(uncovered["num_uncovered"], 0);
  EXPECT_EQ(uncovered["families"].size(), 2u);
  std::size_t num_examples = 0;
  for (const Json& cluster : uncovered["clusters"])
    for (const Json& example : cluster["examples"]) {
      ++num_examples;
      EXPECT_LT(example["train_idx"], 600);
    }
  EXPECT_EQ(num_examples, uncovered["num_uncovered"]);
  EXPECT_THAT(page("uncovered.html"), HasSubstr("data:image/png"));
  EXPECT_THAT(page("uncovered.html"), HasSubstr("held-out training pictures"));

  EXPECT_TRUE(Json::parse(page("experiment.json")).contains("runs")) << page("experiment.json");
  EXPECT_EQ(Json::parse(page("experiment.json"))["test"][0]["examples"],
            Json::parse(page("dataset.json"))["num_test_public"])
      << "nothing is told of the private part";
  EXPECT_THAT(page("experiment.html"), HasSubstr("Learning curve"));
  EXPECT_THAT(page("experiment.html"), Not(HasSubstr("data:image")));
  EXPECT_THAT(page("experiment.html"), Not(HasSubstr("Worst mistakes")));
  // They are made once.
  const auto made_at = [&] {
    return sample::database(records_)
        .execAndGet("SELECT COUNT(*) || MAX(rowid) FROM board_pages")
        .getString();
  };
  const std::string before = made_at();
  run();
  EXPECT_EQ(made_at(), before);
}

TEST_F(RunnerQueue, WhatOffersBeginWithIsTrainedWhileNothingWaits) {
  const auto num_files = [&] {
    std::size_t count = 0;
    std::error_code code;
    for (fs::directory_iterator file(folder_ / "store/offers", code), end; !code && file != end;
         file.increment(code))
      ++count;
    return count;
  };
  run();
  constexpr std::size_t kSeeds = 4, kWaysToJudge = 2, kOffers = 8, kFamilies = 2;
  // Eight offers of each of its families tell what the board can tell apart; four begin with what is there.
  constexpr std::size_t kOfBoard = kSeeds * kWaysToJudge + kOffers * kFamilies + (kOffers - kSeeds);
  EXPECT_EQ(num_files(), kOfBoard);
  published("rows");
  EXPECT_EQ(num_files(), kOfBoard) << "files of the newcomer go";
}

TEST_F(RunnerQueue, PagesThatThisMachineCannotMakeNowAreTriedAgain) {
  // A folder is where a runner keeps what it trained for offers.
  std::ofstream(folder_ / "store-offers") << "no folder";
  fs::create_directories(folder_ / "store");
  fs::create_symlink(folder_ / "store-offers", folder_ / "store/offers");
  ChildProcess runner = start(command({}));
  ASSERT_TRUE(comes([&] {
    return runner.has_ended() || runner.err_so_far().find("without its pages") != std::string::npos;
  })) << runner.err_so_far();
  EXPECT_EQ(page("uncovered.html"), "");
  fs::remove(folder_ / "store/offers");
  EXPECT_TRUE(comes([&] { return !page("experiment.html").empty(); })) << runner.err_so_far();
  testing::send(runner, SIGTERM);
  EXPECT_TRUE(runner.wait().succeeded());
}

TEST_F(RunnerQueue, WhereFamiliesCannotBeTrainedAlonePagesSayWhy) {
  board_ = *put_board(records_, {0, "bandit", R"yaml(
dataset: {name: digits, train: 100, test: 200}
heuristics: [{id: grayscale}]
booster: {name: adaboost.mh, rounds: 5}
)yaml",
                                 4});
  run();
  EXPECT_THAT(page("uncovered.json"), HasSubstr("training pictures are held out to judge on"));
  EXPECT_THAT(page("uncovered.html"), HasSubstr("Why there is nothing here"));
  EXPECT_THAT(page("experiment.html"), HasSubstr("Learning curve"));
}

TEST_F(RunnerQueue, AsAServiceItReportsTakesAndEndsWhenItIsToldTo) {
  ChildProcess runner = start(command({}));
  const auto seen = [&] { return *read_runners(records_); };
  ASSERT_TRUE(comes([&] { return !seen().empty(); }));
  EXPECT_EQ(seen()[0].pid, runner.pid());
  const std::int64_t id = hand_in(rows_source("rows"));
  EXPECT_TRUE(comes([&] { return !seen().empty() && seen()[0].submission_id == id; }));
  EXPECT_TRUE(comes([&] { return is_final(submission(id).state); }));
  EXPECT_EQ(state_of(id), "published") << told(id);
  EXPECT_TRUE(comes([&] { return !page("experiment.html").empty(); }));
  EXPECT_TRUE(comes([&] { return seen().at(0).submission_id == std::nullopt; }));
  EXPECT_LT(seen()[0].seconds_ago, 6);
  testing::send(runner, SIGTERM);
  EXPECT_TRUE(runner.wait().succeeded());
  EXPECT_TRUE(seen().empty());
}

TEST_F(RunnerQueue, CodeThatTakesTooLongFailsByItsContributorsFaultAndTheNextIsTaken) {
  run();  // the board is prepared
  std::string slow = rows_source("rows");
  for (const char* header : {"regex", "filesystem", "random", "iostream", "future", "unordered_map"})
    slow = fmt::format("#include <{}>\n", header) + slow;
  for (int i = 0; i < 40; ++i) slow += fmt::format("std::regex r{}(\"a*b|c{}\");\n", i, i);
  const std::int64_t id = hand_in(slow), next = hand_in("int a = b;");
  run({"--until-empty", "--patience", "1"});
  EXPECT_EQ(state_of(id), "failed") << told(id);
  EXPECT_EQ(submission(id).fault, Blame::kContributor);
  EXPECT_GE(*seconds_used(records_, ada_, 7), 1);
  EXPECT_THAT(submission(id).reason, HasSubstr("took longer than 1 s"));
  EXPECT_EQ(state_of(next), "rejected") << told(next);
}

// A runner that is stuck: its program ends, and what it was at fails.
[[noreturn]] void be_stuck(const fs::path& database, SubmissionState state) {
  Records records = *Records::open(database);
  const Lease lease = **take_submission(records, 60);
  server::QueueSettings settings;
  settings.places.database = database;
  settings.patience_seconds = 0.2;
  const Workers workers(1);
  StopFlag never, work;
  const WorkContext runner{workers, no_progress(), no_remarks(), never};
  server::Heartbeat heartbeat(settings, lease, runner, work, 0.3);
  heartbeat.enter(state);
  ::sleep(60);  // it looks at no flag
  std::_Exit(9);
}

// The end of a submission whose runner is stuck in that state.
Submission after_being_stuck(SubmissionState state) {
  const sample::Folder folder;
  std::int64_t id = 0;
  {
    Records records = *Records::open(folder / "mash.db");
    const std::int64_t user = *add_user(records, {0, "ada", "contributor", ""}),
                       board = *put_board(records, {0, "digits", testing::kSmallBoard, 4});
    id = *add_submission(records, {user, board, "", "a.cpp", "int a;", "MIT"});
  }
  const pid_t child = ::fork();
  if (child == 0) be_stuck(folder / "mash.db", state);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  Records records = *Records::open(folder / "mash.db");
  EXPECT_FALSE(take_submission(records, 60)->has_value());
  return **find_submission(records, id);
}

TEST(Heartbeat, WorkThatDoesNotStopIsGivenUpWithItsProgram) {
  const Submission submission = after_being_stuck(SubmissionState::kChecking);
  EXPECT_EQ(word_of(submission.state), "failed");
  EXPECT_EQ(submission.fault, Blame::kServer);
  EXPECT_THAT(submission.reason, HasSubstr("took longer than 0.2 s"));
}

TEST(Heartbeat, WhatTheContributorsCodeTakesIsTheirFault) {
  EXPECT_EQ(after_being_stuck(SubmissionState::kReceived).fault, Blame::kServer);
  EXPECT_EQ(after_being_stuck(SubmissionState::kExtracting).fault, Blame::kContributor);
  EXPECT_EQ(after_being_stuck(SubmissionState::kJudging).fault, Blame::kContributor);
}

}  // namespace
}  // namespace mash
