// SPDX-License-Identifier: Apache-2.0
// The runner as a program over a queue: what is handed in comes to the state that it deserves.
#include <set>

#include "tests/server/runner/runner_site.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::rows_source;

class Runner : public testing::RunnerSite {
 protected:
  void expect_rejected(std::int64_t id, const std::string& why) const {
    EXPECT_EQ(state_of(id), "rejected") << told(id);
    EXPECT_EQ(submission(id).fault, Blame::kContributor);
    EXPECT_THAT(submission(id).reason, HasSubstr(why));
  }
  std::vector<SourceFinding> findings(std::int64_t id) const { return *read_findings(records_, id); }
};

TEST_F(Runner, EachSubmissionComesToTheStateThatItDeserves) {
  const std::int64_t good = hand_in(rows_source("rows")), no_cpp = hand_in(rows_source("rows"), "rows.exe"),
                     broken = hand_in("int main( {"),
                     crashes = hand_in(rows_source("rows2", "1.0.0", "std::abort();")),
                     random = hand_in(rows_source("rows3", "1.0.0", "out[0] = float(std::rand()); return;")),
                     again = hand_in(rows_source("rows")), taken = hand_in(rows_source("grayscale")),
                     taken_by_a_macro = hand_in("#define ID \"grayscale\"\n" + rows_source("\" ID \"")),
                     threads = hand_in("#include <thread>\n" +
                                       rows_source("rows4", "1.0.0", "std::thread([] {}).join();")),
                     newer = hand_in(rows_source("rows", "1.1.0"));
  run();
  EXPECT_EQ(state_of(good), "superseded") << told(good);
  EXPECT_EQ(submission(good).heuristic, "rows");
  expect_rejected(no_cpp, "name of a C++ source");
  expect_rejected(broken, "compile");
  EXPECT_THAT(told(broken), HasSubstr("rows.cpp:1:"));
  expect_rejected(crashes, "");
  expect_rejected(random, "");
  expect_rejected(again, "raise the version");
  for (const std::int64_t id : {taken, taken_by_a_macro})
    expect_rejected(id, "'grayscale' is the id of a heuristic of the board");
  EXPECT_THAT(told(taken), Not(HasSubstr("compiling")));
  expect_rejected(threads, "in a box a heuristic can start no thread");
  EXPECT_EQ(state_of(newer), "published") << told(newer);

  const std::vector<BoardEntry> entries = *read_board_entries(records_, board_);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].version, "1.1.0");
  EXPECT_EQ(entries[0].num_seeds, 4u);
  EXPECT_EQ(entries[0].num_features, 28u);
  // The same code under another version has the same figures.
  EXPECT_EQ(release_figures(find_judgement(records_, good)->value(), std::nullopt, 0).gain, entries[0].gain);
  EXPECT_THAT(find_judgement(records_, newer)->value().report_html, HasSubstr("<!DOCTYPE html>"));
  EXPECT_GT(submission(newer).seconds, 0);
}

// The judging of a foreign id ends before its checks, and is no attempt.
TEST_F(Runner, AnIdOfSomebodyElseIsRefusedAsSoonAsItIsKnown) {
  ASSERT_TRUE(put_board_terms(records_, "digits", {.attempts_a_day = 1}).ok());
  const std::int64_t eve = *add_user(records_, {0, "eve", "contributor", ""});
  const std::int64_t foreign =
      *add_submission(records_, {eve, board_, "", "rows.cpp", rows_source("ada/rows", "2.0.0"), "MIT"});
  // The checks would say that it crashes.
  const std::int64_t crashes =
      *add_submission(records_, {*add_user(records_, {0, "bob", "contributor", ""}), board_, "", "rows.cpp",
                                 rows_source("ada/rows2", "1.0.0", "std::abort();"), "MIT"});
  run();
  for (const std::int64_t id : {foreign, crashes}) {
    expect_rejected(id, "ids that begin with 'ada/' belong to ada");
    EXPECT_THAT(told(id), Not(HasSubstr("[extracting]")));
  }
  EXPECT_EQ(read_intake(records_, eve, **find_board(records_, board_))->num_attempts, 0);
}

// The report by the held-out part and the judgement by the test side share them.
TEST_F(Runner, ASubmissionIsJudgedAfterItsDataAreReadAndItsFeaturesComputedOnce) {
  const std::int64_t id = hand_in(rows_source("rows"));
  run();
  ASSERT_EQ(state_of(id), "published") << told(id);
  const std::string begun = "offering it beside the heuristics of the board";
  std::vector<std::string> texts;
  for (const SubmissionEvent& event : events(id)) {
    if (event.text == begun) {
      EXPECT_EQ(event.state, SubmissionState::kJudging);
    }
    if (event.text == begun || event.text == "making digits" || event.text.starts_with("offer test"))
      texts.push_back(event.text);
  }
  // Nothing is told of the test on hidden pictures but its end.
  EXPECT_THAT(texts, ::testing::ElementsAre("making digits", begun, "offer test, look at 4 seeds"))
      << told(id);
}

// The mean grey value of bands of rows, as many as its setting says.
constexpr const char* kBands = R"cpp(
#include <mash/heuristic.hpp>
  class Bands final : public mash::Heuristic {
   public:
    static constexpr auto parameters = std::array{mash::integer("bands", "bands of rows", 2, 1, 28)};
    explicit Bands(const mash::Parameters& given) : bands_(std::uint32_t(given.integer("bands"))) {}
    std::uint32_t dim(mash::Size) const override { return bands_; }
    void compute(const mash::View& view, std::span<const std::uint32_t> features,
                 std::span<float> out) override {
      for (std::size_t i = 0; i < features.size(); ++i) {
        const std::uint32_t first = features[i] * view.height() / bands_;
        float sum = 0;
        for (std::uint32_t x = 0; x < view.width(); ++x) sum += float(view.gray()(x, first));
        out[i] = sum;
      }
    }

   private:
    std::uint32_t bands_;
  };
  MASH_HEURISTIC(Bands, "bands", "1.0.0", "Ada", "bands of rows", "MIT")
)cpp";

TEST_F(Runner, JudgesAHeuristicWithItsSettings) {
  const auto with = [&](std::vector<SubmissionSetting> settings) {
    NewSubmission submission{ada_, board_, "", "bands.cpp", kBands, "MIT"};
    submission.settings = std::move(settings);
    return *add_submission(records_, submission);
  };
  const std::int64_t unknown = with({{"bads", "7"}}), too_many = with({{"bands", "29"}}),
                     good = with({{"bands", "7"}});
  run();
  expect_rejected(unknown, "setting bads=7: heuristic bands: unknown key 'bads'; did you mean 'bands'?");
  expect_rejected(too_many, "bands: found '29', expected a whole number from 1 to 28");
  ASSERT_EQ(state_of(good), "published") << told(good);
  EXPECT_EQ(find_judgement(records_, good)->value().num_features, 7u);
  EXPECT_THAT(find_judgement(records_, good)->value().report_html, HasSubstr("bands(bands=7)"));
}

// Found once most of its features are there: corners of the board's pictures are alike.
constexpr const char* kFailsLate = R"(
  const auto corner = [&](unsigned x, unsigned y) { return int(view.gray()(x, y)); };
  static int num_seen = 0;
  const bool is_of_board = view.width() == 28 && view.height() == 28 &&
                           std::abs(corner(0, 0) - corner(27, 27)) < 50 &&
                           std::abs(corner(0, 27) - corner(27, 0)) < 50;
  if (is_of_board && ++num_seen > 300) throw num_seen;
)";

// Families of the board stay, and what offers to it begin with, which the next submission needs: the store is
// as it was before the first one.
TEST_F(Runner, KeepsNoFeaturesOfASubmissionThatIsJudged) {
  const auto stored = [&] {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "store"))
      files.insert(std::filesystem::relative(entry.path(), folder_ / "store").string());
    return files;
  };
  run();
  const std::set<std::string> before = stored();
  for (const char* folder : {"models", "offers"}) EXPECT_TRUE(before.contains(folder)) << folder;
  const std::int64_t refused = hand_in(rows_source("lost", "1.0.0", kFailsLate)),
                     good = hand_in(rows_source("rows"));
  run();
  EXPECT_EQ(state_of(refused), "rejected") << told(refused);
  EXPECT_EQ(state_of(good), "published") << told(good);
  EXPECT_THAT(stored(), ::testing::ContainerEq(before));
}

TEST_F(Runner, FindingsStandAtTheirLines) {
  const std::int64_t broken = hand_in("#include <mash/heuristic.hpp>\nint a = b;\n"),
                     warned = hand_in(rows_source("rows", "1.0.0", "int unused = 1;")),
                     random = hand_in(rows_source("rows3", "1.0.0", "out[0] = float(std::rand()); return;"));
  run();
  ASSERT_FALSE(findings(broken).empty());
  EXPECT_EQ(findings(broken)[0].line, 2u);
  EXPECT_EQ(findings(broken)[0].column, 9u);
  EXPECT_EQ(findings(broken)[0].kind, "error");
  EXPECT_THAT(findings(broken)[0].text, HasSubstr("not declared"));
  ASSERT_FALSE(findings(warned).empty()) << told(warned);
  EXPECT_EQ(findings(warned)[0].kind, "warning");
  EXPECT_EQ(findings(warned)[0].line, 8u);
  ASSERT_FALSE(findings(random).empty()) << told(random);
  EXPECT_EQ(findings(random).back().kind, "check");
  EXPECT_EQ(findings(random).back().line, 0u);
  EXPECT_THAT(findings(random)[0].text, ::testing::StartsWith("fail: "));
}

TEST_F(Runner, NothingThatIsToldNamesAFolderOfThisMachine) {
  const std::int64_t broken = hand_in("int a = b;"), good = hand_in(rows_source("rows"));
  run();
  for (const std::int64_t id : {broken, good}) {
    EXPECT_THAT(told(id), ::testing::Not(HasSubstr("mash-tmp")));
    EXPECT_THAT(submission(id).reason, ::testing::Not(HasSubstr("mash-tmp")));
  }
}

TEST_F(Runner, ABoardThatCannotBeOpenedIsTheServersFault) {
  board_ = *put_board(records_, {0, "none", "dataset: {name: folder, path: /nowhere}\nheuristics: all\n", 4});
  const std::int64_t id = hand_in(rows_source("rows"));
  run();
  EXPECT_EQ(state_of(id), "failed");
  EXPECT_EQ(submission(id).fault, Blame::kServer);
}

TEST_F(Runner, ThreadsDoNotChangeABitOfAJudgement) {
  hand_in(rows_source("rows"));
  run({"--until-empty", "--threads", "1"});
  const std::int64_t again = hand_in(rows_source("rows", "1.1.0"));
  std::filesystem::remove_all(folder_ / "store");
  run({"--until-empty", "--threads", "3"});
  ASSERT_EQ(state_of(again), "published") << told(again);
  const Judgement one = find_judgement(records_, again - 1)->value(),
                  three = find_judgement(records_, again)->value();
  EXPECT_EQ(one.gain, three.gain);
  EXPECT_EQ(one.standard_error, three.standard_error);
  EXPECT_EQ(one.low, three.low);
  EXPECT_EQ(one.high, three.high);
  EXPECT_EQ(one.num_seeds, three.num_seeds);
  EXPECT_EQ(one.finding, three.finding);
  EXPECT_EQ(one.num_features, three.num_features);
}

}  // namespace
}  // namespace mash
