// SPDX-License-Identifier: Apache-2.0
// The costs of a look at the queue do not grow with what has ended. Counted in steps of SQLite's machine,
// which are the same on every computer.
#include <sqlite3.h>

#include <functional>

#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

class QueueEffort : public sample::QueueTest {
 protected:
  // One of each kind for each of many, as a site has them that has run for long: submissions of eve that were
  // rejected, with five events each, and others that were published on another board.
  void grow(int num_more) {
    SQLite::Database& database = sample::database(records_);
    SQLite::Transaction transaction(database);
    for (int i = 0; i < num_more; ++i, ++num_ended_) {
      const std::string id = std::to_string(1000 + 2 * num_ended_),
                        next = std::to_string(1001 + 2 * num_ended_);
      database.exec(
          "INSERT INTO submissions (id, user_id, board_id, file_name, source, source_sha256, licence, "
          "heuristic, version, state) VALUES (" +
          id + ", " + std::to_string(eve_) + ", " + std::to_string(board_) +
          ", 'a.cpp', '', '', 'MIT', 'old-" + id + "', '1.0.0', 'rejected'), (" + next + ", " +
          std::to_string(eve_) + ", " + std::to_string(other_board_) + ", 'a.cpp', '', '', 'MIT', 'old-" +
          next + "', '1.0.0', 'published')");
      for (int event = 0; event < 5; ++event)
        database.exec("INSERT INTO submission_events (submission_id, state, text) VALUES (" + id +
                      ", 'checking', '')");
      database.exec(
          "INSERT INTO judgements (submission_id, gain, standard_error, low, high, num_seeds, finding, "
          "released_gain, released_standard_error, released_low, released_high, released_num_seeds, "
          "released_finding, microseconds, num_features, report_html, report_json) VALUES (" +
          next + ", 1, 1, 1, 1, 8, '', 1, 1, 1, 1, 8, '', 1, 1, '', '')");
    }
    transaction.commit();
  }

  // Steps of all statements that `work` runs.
  std::int64_t steps_of(const std::function<void()>& work) {
    std::int64_t num_steps = 0;
    sqlite3* const handle = sample::database(records_).getHandle();
    const auto count = [](unsigned, void* sum, void* statement, void*) {
      *static_cast<std::int64_t*>(sum) +=
          ::sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, 1);
      return 0;
    };
    ::sqlite3_trace_v2(handle, SQLITE_TRACE_PROFILE, count, &num_steps);
    work();
    ::sqlite3_trace_v2(handle, 0, nullptr, nullptr);
    return num_steps;
  }

  // With 20 times as much that has ended, each takes at most half as many steps again. Once a test.
  void expect_no_growth(const std::vector<std::function<void()>>& works) {
    grow(10);
    std::vector<std::int64_t> before;
    for (const auto& work : works) before.push_back(steps_of(work));
    grow(190);
    for (std::size_t i = 0; i < works.size(); ++i) {
      EXPECT_GT(before[i], 0);
      EXPECT_LE(steps_of(works[i]), before[i] + before[i] / 2) << "the work number " << i;
    }
  }

  std::int64_t other_board_ = *put_board(records_, {0, "letters", "dataset: {name: letters}", 8});
  int num_ended_ = 0;
};

TEST_F(QueueEffort, OfEventsByThoseThatAreAskedFor) {
  const std::int64_t id = hand_in(ada_);
  expect_no_growth({[&] { EXPECT_EQ(read_events(records_, 0, id, 100)->size(), 1u); },
                    [&] {
                      const std::int64_t newest = *newest_event(records_);
                      EXPECT_EQ(read_events(records_, newest - 5, std::nullopt, 100)->size(), 5u);
                    }});
}

TEST_F(QueueEffort, OfListsByWhatIsAskedFor) {
  published(ada_, "holes", "1.0.0", 1);
  const std::int64_t waiting = hand_in(ada_);
  const auto list = [&](const SubmissionFilter& filter, std::size_t num_listed) {
    return [this, filter, num_listed] { EXPECT_EQ(read_submissions(records_, filter)->size(), num_listed); };
  };
  expect_no_growth({list({.user_id = ada_}, 2), list({.heuristic = "holes"}, 1),
                    list({.user_id = ada_, .heuristic = "holes", .with_private = true}, 1),
                    list({.in_work_only = true}, 1), list({.user_id = ada_, .in_work_only = true}, 1),
                    list({.before_id = waiting + 1}, 2)});
}

TEST_F(QueueEffort, OfABoardByWhatStandsOnIt) {
  published(ada_, "holes", "1.0.0", 1);
  const std::int64_t second = published(ada_, "holes", "1.1.0", 1);
  expect_no_growth({[&] { EXPECT_EQ(entries().size(), 1u); },
                    [&] { EXPECT_TRUE(find_judged(records_, second)->has_value()); }});
}

TEST_F(QueueEffort, OfWhetherAnyWaits) {
  hand_in(eve_);
  expect_no_growth({[&] { EXPECT_TRUE(*is_any_waiting(records_)); }});
}

TEST_F(QueueEffort, OfTakingWhatWaits) {
  hand_in(eve_);
  const std::int64_t before = steps_of([&] { take(); });
  grow(400);
  hand_in(eve_);
  EXPECT_LE(steps_of([&] { take(); }), before + before / 2);
}

TEST_F(QueueEffort, OfPublishingByVersionsOfTheHeuristic) {
  const auto steps = [&](const std::string& version) {
    hand_in(ada_);
    return steps_of([&] { EXPECT_TRUE(publish(take(), "holes", version, 1).ok()); });
  };
  steps("1.0.0");
  const std::int64_t before = steps("1.1.0");
  grow(400);
  EXPECT_LE(steps("1.2.0"), before + before / 2);
}

// Columns behind a large text are read through all of it.
TEST_F(QueueEffort, OfRowsLargeTextsAreTheLastColumns) {
  const auto last_column = [&](const std::string& table) {
    return sample::database(records_)
        .execAndGet("SELECT name FROM pragma_table_info('" + table + "') ORDER BY cid DESC LIMIT 1")
        .getString();
  };
  EXPECT_EQ(last_column("submissions"), "source");
  EXPECT_EQ(last_column("judgements"), "report_json");
}

}  // namespace
}  // namespace mash
