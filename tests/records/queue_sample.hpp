// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submission_queue.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/made_losses.hpp"

namespace mash::sample {

// Two contributors, a board, and what a runner does with what they hand in.
class QueueTest : public ::testing::Test {
 protected:
  static constexpr double kLeaseSeconds = 60;

  std::int64_t hand_in(std::int64_t user, const std::string& key = "") {
    // Each has a source of its own.
    return *add_submission(
        records_, {user, board_, key, "a.cpp", "int a = " + std::to_string(num_handed_in_++) + ";", "MIT"});
  }
  Lease take() { return **take_submission(records_, kLeaseSeconds); }
  bool is_taken() { return take_submission(records_, kLeaseSeconds)->has_value(); }
  Submission submission(std::int64_t id) { return **find_submission(records_, id); }
  SubmissionState state_of(std::int64_t id) { return submission(id).state; }
  static Judgement judgement(double gain) {
    Judgement judgement{{gain, 0.25, gain - 0.5, gain + 0.5, 8, "adds"}, 0, 0, "<p>", ""};
    judgement.losses = testing::made_losses(judgement);
    return judgement;
  }
  Status publish(const Lease& lease, const std::string& heuristic, const std::string& version, double gain) {
    MASH_TRY(name_submission(records_, lease, heuristic, version, "counts holes"));
    return publish_submission(records_, lease, judgement(gain), 2);
  }
  // Hands it in, and publishes it as the only one that waits.
  std::int64_t published(std::int64_t user, const std::string& heuristic, const std::string& version,
                         double gain) {
    const std::int64_t id = hand_in(user);
    EXPECT_TRUE(publish(take(), heuristic, version, gain).ok());
    return id;
  }
  std::vector<BoardEntry> entries() { return *read_board_entries(records_, board_); }
  // As if the runner that has the lease had ended.
  void kill_runner() { database(records_).exec("UPDATE submissions SET lease_start = lease_start - 1"); }
  std::vector<std::string> words_of(std::int64_t id) {
    std::vector<std::string> words;
    const std::vector<SubmissionEvent> events = *read_events(records_, 0, id, 100);
    for (const SubmissionEvent& event : events) words.emplace_back(word_of(event.state));
    return words;
  }

  int num_handed_in_ = 0;
  Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t ada_ = *add_user(records_, {0, "ada", "contributor", ""});
  std::int64_t eve_ = *add_user(records_, {0, "eve", "contributor", ""});
  std::int64_t board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8});
};

}  // namespace mash::sample
