// SPDX-License-Identifier: Apache-2.0
// Gains of entries beside all others of their board.
#include <algorithm>
#include <csignal>
#include <optional>

#include "framework/operations/workshop/boxed_compile.hpp"
#include "framework/records/submission_queue.hpp"
#include "server/runner/beyond_turns.hpp"
#include "tests/server/runner/runner_site.hpp"
#include "tests/support/comes.hpp"

namespace mash {
namespace {

using testing::columns_source;
using testing::comes;
using ::testing::HasSubstr;
using testing::rows_source;

constexpr double kSecondsToBuildAndOffer = 150;  // of some groups

class RunnerBeyond : public testing::RunnerSite {
 protected:
  std::int64_t judged(std::int64_t user, const std::string& source) {
    const std::int64_t id = *add_submission(records_, {user, board_, "", "rows.cpp", source, "MIT"});
    run(options_);
    EXPECT_EQ(state_of(id), "published") << told(id);
    return id;
  }
  // Nothing: not measured yet.
  std::optional<BeyondGain> beyond(std::int64_t id) {
    const std::vector<EntryBeyond> all = *read_beyond(records_, board_);
    const auto found = std::ranges::find(all, id, &EntryBeyond::submission_id);
    return found == all.end() ? std::nullopt : found->gain;
  }
  double number(const std::string& sql) { return sample::database(records_).execAndGet(sql).getDouble(); }
  void break_source(std::int64_t id) {
    sample::database(records_).exec(
        fmt::format("UPDATE submissions SET source = 'int a = b;' WHERE id = {}", id));
  }

  std::int64_t eve_ = *add_user(records_, {0, "eve", "contributor", ""});
  std::vector<std::string> options_ = {"--until-empty"};
};

// The largest grey value of each row.
std::string brightest_source(const std::string& id) {
  return rows_source(id, "1.0.0", R"cpp(
    for (std::size_t i = 0; i < features.size(); ++i) {
      out[i] = 0;
      for (std::uint32_t x = 0; x < view.width(); ++x)
        if (const float grey = float(view.gray()(x, features[i])); grey > out[i]) out[i] = grey;
    }
    if (view.width() > 0) return;
  )cpp");
}

TEST_F(RunnerBeyond, AnEntryIsOfferedBesideTheBaseAndAllOthersWhileNothingWaits) {
  const std::int64_t rows = judged(ada_, rows_source("rows")),
                     columns = judged(eve_, columns_source("uprights")),
                     broken = judged(eve_, brightest_source("brightest"));
  break_source(broken);
  EXPECT_FALSE(beyond(rows)) << "not where a runner ends when nothing waits";
  ChildProcess service = start(command({"--most-seeds", "4"}));
  EXPECT_TRUE(comes([&] { return service.has_ended() || (beyond(rows) && beyond(columns)); },
                    kSecondsToBuildAndOffer))
      << service.err_so_far();
  const std::string refused = fmt::format("submission {}: cannot be measured beside others", broken);
  const auto is_refused = [&] {
    return service.has_ended() || service.err_so_far().find(refused) != std::string::npos;
  };
  EXPECT_TRUE(comes(is_refused, kSecondsToBuildAndOffer)) << service.err_so_far();
  testing::send(service, SIGTERM);
  const ChildResult result = service.wait();
  EXPECT_TRUE(result.succeeded());
  EXPECT_THAT(result.err,
              HasSubstr(fmt::format("submission {} beside others: submission {} is left out", rows, broken)));
  for (const std::int64_t id : {rows, columns}) {
    const std::optional<BeyondGain> gain = beyond(id);
    ASSERT_TRUE(gain);
    EXPECT_EQ(gain->num_others, 1u);
    EXPECT_EQ(gain->num_left_out, 1u);
    EXPECT_EQ(gain->num_seeds, 4u);
    EXPECT_TRUE(gain->is_current);
  }
  EXPECT_FALSE(beyond(broken));
  // The same beside a base that has the other one.
  const std::string source = folder_ / "uprights.cpp", plugins = folder_ / "plugins";
  std::filesystem::create_directories(plugins);
  ASSERT_TRUE(write_file_atomically(source, columns_source("uprights")).ok());
  const StopFlag never;
  const BoxedCompilation compiled =
      compile_in_box({source, false}, std::filesystem::path(plugins) / "uprights.so", {}, never);
  ASSERT_TRUE(compiled.status.ok()) << compiled.status.error().message;
  std::string wide = testing::kSmallBoard;
  const std::string last = "{id: gray-histogram}";
  wide.insert(wide.find(last) + last.size(), ", {id: uprights}");
  board_ = *put_board(records_, {0, "wide", wide, 4});
  options_ = {"--until-empty", "--heuristics", plugins};
  const std::int64_t beside = judged(ada_, rows_source("rows"));
  for (const char* figure : {"gain", "standard_error", "low", "high"})
    EXPECT_EQ(number(fmt::format("SELECT {} FROM beyond_gains WHERE submission_id = {}", figure, rows)),
              number(fmt::format("SELECT {} FROM judgements WHERE submission_id = {}", figure, beside)))
        << figure;
  EXPECT_NE(number(fmt::format("SELECT gain FROM judgements WHERE submission_id = {}", rows)),
            number(fmt::format("SELECT gain FROM judgements WHERE submission_id = {}", beside)));
}

class Turns : public ::testing::Test {
 protected:
  std::int64_t published(std::int64_t board, const std::string& heuristic) {
    const std::string source = "int a = " + std::to_string(num_handed_in_++) + ";";
    const std::int64_t id = *add_submission(records_, {ada_, board, "", "a.cpp", source, "MIT"});
    const Lease lease = **take_submission(records_, 60);
    EXPECT_TRUE(name_submission(records_, lease, heuristic, "1.0.0", "").ok());
    EXPECT_TRUE(publish_submission(records_, lease, Judgement{{1, .25, .5, 1.5, 8, "adds"}}, 1).ok());
    return id;
  }
  std::int64_t next() {
    const auto turn = *turns_.next(records_);
    return turn ? turn->wanted.submission_id : 0;
  }
  void measure_next(const std::string& at) {
    const auto turn = *turns_.next(records_);
    ASSERT_TRUE(turn);
    ASSERT_TRUE(
        keep_beyond(records_, turn->board, turn->wanted, Judgement{{1, .25, .5, 1.5, 8, "adds"}}, {}).ok());
    sample::database(records_).exec(fmt::format(
        "UPDATE beyond_gains SET measured_at = '{}' WHERE id = (SELECT MAX(id) FROM beyond_gains)", at));
  }

  int num_handed_in_ = 0;
  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t ada_ = *add_user(records_, {0, "ada", "contributor", ""});
  std::int64_t one_ = *put_board(records_, {0, "one", "dataset: {name: digits}", 8}),
               two_ = *put_board(records_, {0, "two", "dataset: {name: mnist}", 8});
  server::BeyondTurns turns_;
};

TEST_F(Turns, GoToTheOldestOfAllBoards) {
  EXPECT_EQ(next(), 0);
  const std::int64_t a = published(one_, "a"), b = published(one_, "b");
  const std::int64_t c = published(two_, "c"), d = published(two_, "d");
  EXPECT_EQ(next(), a);
  measure_next("2026-01-04T00:00:00Z");
  EXPECT_EQ(next(), b) << "never measured";
  measure_next("2026-01-02T00:00:00Z");
  EXPECT_EQ(next(), c);
  measure_next("2026-01-01T00:00:00Z");
  measure_next("2026-01-03T00:00:00Z");
  EXPECT_EQ(next(), 0) << "beside the same others once";
  const std::int64_t e = published(one_, "e"), f = published(two_, "f");
  for (const std::int64_t never : {e, f}) {
    EXPECT_EQ(next(), never);
    turns_.leave_out(never);
  }
  for (const std::int64_t id : {c, b, d, a}) {
    EXPECT_EQ(next(), id);
    measure_next("2026-01-05T00:00:00Z");
  }
  EXPECT_EQ(next(), 0);
}

}  // namespace
}  // namespace mash
