// SPDX-License-Identifier: Apache-2.0
// The runner as a program over a queue: what is handed in comes to the state that it deserves.
#include <csignal>
#include <string>

#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/submissions.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/box.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kBoard = R"yaml(
dataset: {name: digits, train: 1200, test: 600}
heuristics: [{id: grayscale}, {id: gray-histogram}]
booster: {name: adaboost.mh, rounds: 20}
sampler: {name: laminating, budget: 5, features: 32}
)yaml";

// The mean grey value of each row; `body` is what it does in `compute` before.
std::string source_of(const std::string& id, const std::string& version = "1.0.0",
                      const std::string& body = "") {
  return R"cpp(#include <cstdlib>
#include <mash/heuristic.hpp>
               class Rows final : public mash::Heuristic {
                public:
                 std::uint32_t dim(mash::Size size) const override { return size.height; }
                 void compute(const mash::View& view, std::span<const std::uint32_t> features,
                              std::span<float> out) override {
         )cpp" +
         body + R"cpp(
           for (std::size_t i = 0; i < features.size(); ++i) {
             float sum = 0;
             for (std::uint32_t x = 0; x < view.width(); ++x) sum += float(view.gray()(x, features[i]));
             out[i] = sum / float(view.width());
           }
           }
           }
           ;
MASH_HEURISTIC(Rows, ")cpp" +
         id + "\", \"" + version + R"cpp(", " Ada ", " mean grey value of each row ", " MIT ")
  )cpp";
}

class Runner : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  }

  std::int64_t hand_in(const std::string& source, const std::string& file_name = "rows.cpp") {
    return *add_submission(records_, {ada_, board_, "", file_name, source, "MIT"});
  }
  ChildCommand command() const {
    return {{MASH_RUNNER, "--db", folder_ / "mash.db", "--store", folder_ / "store", "--until-empty"}};
  }
  void run() {
    auto child = ChildProcess::start(command());
    ASSERT_TRUE(child.ok());
    const ChildResult result = child->wait();
    EXPECT_TRUE(result.succeeded()) << result.err;
  }
  Submission submission(std::int64_t id) const { return **find_submission(records_, id); }
  std::string told(std::int64_t id) const {
    std::string all;
    const std::vector<SubmissionEvent> events = *read_events(records_, 0, id, 1000);
    for (const SubmissionEvent& event : events)
      all += fmt::format("[{}] {}\n", word_of(event.state), event.text);
    return all;
  }

  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t ada_ = *add_user(records_, {0, "ada", "contributor", ""});
  std::int64_t board_ = *put_board(records_, {0, "digits", kBoard, 4});
};

TEST_F(Runner, EachSubmissionComesToTheStateThatItDeserves) {
  const std::int64_t good = hand_in(source_of("rows")), no_cpp = hand_in(source_of("rows"), "rows.exe"),
                     broken = hand_in("int main( {"),
                     crashes = hand_in(source_of("rows2", "1.0.0", "std::abort();")),
                     random = hand_in(source_of("rows3", "1.0.0", "out[0] = float(std::rand()); return;")),
                     again = hand_in(source_of("rows")), taken = hand_in(source_of("grayscale")),
                     newer = hand_in(source_of("rows", "1.1.0"));
  run();
  const auto expect_rejected = [&](std::int64_t id, const std::string& why) {
    EXPECT_EQ(word_of(submission(id).state), "rejected") << told(id);
    EXPECT_EQ(submission(id).fault, Blame::kContributor);
    EXPECT_THAT(submission(id).reason, HasSubstr(why));
  };
  EXPECT_EQ(word_of(submission(good).state), "superseded") << told(good);
  EXPECT_EQ(submission(good).heuristic, "rows");
  expect_rejected(no_cpp, "name of a C++ source");
  expect_rejected(broken, "compile");
  EXPECT_THAT(told(broken), HasSubstr("submitted.cpp:1:"));
  expect_rejected(crashes, "");
  expect_rejected(random, "");
  expect_rejected(again, "raise the version");
  expect_rejected(taken, "is the id of a heuristic of the board");
  EXPECT_EQ(word_of(submission(newer).state), "published") << told(newer);

  const std::vector<BoardEntry> entries = *read_board_entries(records_, board_);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].version, "1.1.0");
  EXPECT_EQ(entries[0].num_seeds, 4u);
  EXPECT_EQ(entries[0].num_features, 28u);
  // The same code under another version has the same figures.
  EXPECT_EQ(find_judgement(records_, good)->value().gain, entries[0].gain);
  EXPECT_THAT(find_judgement(records_, newer)->value().report_html, HasSubstr("<!DOCTYPE html>"));
  EXPECT_GT(submission(newer).seconds, 0);
}

TEST_F(Runner, OneThatIsKilledLosesNothing) {
  const std::int64_t id = hand_in(source_of("rows"));
  for (const double seconds : {0.3, 1.5}) {
    auto child = ChildProcess::start(command());
    ASSERT_TRUE(child.ok());
    child->wait_for(seconds);
    ::kill(child->pid(), SIGKILL);
    child->wait();
  }
  run();
  EXPECT_EQ(word_of(submission(id).state), "published") << told(id);
  EXPECT_LE(submission(id).num_attempts, 3);
  EXPECT_EQ(sample::database(records_).execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(Runner, ABoardThatCannotBeOpenedIsTheServersFault) {
  board_ = *put_board(records_, {0, "none", "dataset: {name: folder, path: /nowhere}\nheuristics: all\n", 4});
  const std::int64_t id = hand_in(source_of("rows"));
  run();
  EXPECT_EQ(word_of(submission(id).state), "failed");
  EXPECT_EQ(submission(id).fault, Blame::kServer);
}

}  // namespace
}  // namespace mash
