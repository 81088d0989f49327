// SPDX-License-Identifier: Apache-2.0
#include "framework/records/trials.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TrialsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
    run_id_ = run_on("f0");
  }

  std::int64_t run_on(const std::string& fingerprint) {
    const auto id =
        sample::record(*records_, sample::start(fingerprint), sample::dataset(6, fingerprint),
                       {sample::family("new"), sample::family("lbp")}, {sample::use(), sample::use()}, 1);
    EXPECT_TRUE(id.ok()) << (id.ok() ? "" : id.error().message);
    return id.ok() ? *id : -1;
  }

  void keep(const std::string& key, const TrialRow& trial) { keep(key, trial, run_id_); }
  void keep(const std::string& key, TrialRow trial, std::int64_t run_id) {
    trial.key = key;
    trial.run_id = run_id;
    const Status kept = keep_trial(*records_, trial);
    EXPECT_TRUE(kept.ok()) << (kept.ok() ? "" : kept.error().message);
  }
  void keep_curves(const std::string& key, const std::vector<RobustnessCurve>& curves) {
    ASSERT_TRUE(keep_robustness(*records_, key, curves).ok());
  }
  std::vector<PastTrial> past(const std::string& heuristic, std::int64_t run_id) {
    const auto trials = past_trials(*records_, heuristic, run_id);
    EXPECT_TRUE(trials.ok());
    return trials.ok() ? *trials : std::vector<PastTrial>();
  }
  std::vector<RobustnessCurve> robustness(const std::string& key) {
    const auto curves = kept_robustness(*records_, key);
    EXPECT_TRUE(curves.ok());
    return curves.ok() ? *curves : std::vector<RobustnessCurve>();
  }
  SQLite::Column get(const std::string& query) { return sample::database(*records_).execAndGet(query); }

  sample::Folder folder_;
  std::unique_ptr<Records> records_;
  std::int64_t run_id_ = 0;
};

TrialRow trial(const std::string& heuristic = "new", double gain = 0.02) {
  TrialRow row;
  row.heuristic = heuristic;
  row.version = "1.2.0";
  row.plugin_sha256 = std::string(64, 'c');
  row.settings = "cells=4";
  row.rounds = 100;
  row.num_seeds = 3;
  row.pool_size = 3;
  row.alone_error = {0.30, 0.02};
  row.gain = {gain, 0.004};
  row.margin_share = 0.21;
  row.importance = 0.015;
  row.importance_se = 0.002;
  row.shapley = 0.025;
  row.shapley_se = 0.004;
  return row;
}

TEST_F(TrialsTest, EveryFigureComesBack) {
  keep("k", trial());
  const auto trials = past("new", run_id_);
  ASSERT_EQ(trials.size(), 1u);
  const PastTrial& one = trials[0];
  EXPECT_THAT(one.measured_at, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(one.version, "1.2.0");
  EXPECT_EQ(one.settings, "cells=4");
  EXPECT_EQ(one.plugin_sha256, std::string(64, 'c'));
  EXPECT_EQ(one.rounds, 100u);
  EXPECT_EQ(one.num_seeds, 3u);
  EXPECT_EQ(one.pool_size, 3u);
  EXPECT_DOUBLE_EQ(one.gain.mean, 0.02);
  EXPECT_DOUBLE_EQ(*one.gain.half_width, 0.004);
  EXPECT_DOUBLE_EQ(one.alone_error.mean, 0.30);
  EXPECT_DOUBLE_EQ(*one.alone_error.half_width, 0.02);
  EXPECT_DOUBLE_EQ(get("SELECT margin_share FROM heuristic_trials").getDouble(), 0.21);
  EXPECT_DOUBLE_EQ(get("SELECT importance_se FROM heuristic_trials").getDouble(), 0.002);
  EXPECT_DOUBLE_EQ(get("SELECT shapley FROM heuristic_trials").getDouble(), 0.025);
}

TEST_F(TrialsTest, OneSeedHasNoIntervals) {
  TrialRow one_seed = trial();
  one_seed.gain.half_width.reset();
  one_seed.alone_error.half_width.reset();
  keep("k", one_seed);
  const auto trials = past("new", run_id_);
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_FALSE(trials[0].gain.half_width);
  EXPECT_FALSE(trials[0].alone_error.half_width);
}

TEST_F(TrialsTest, TheSameMeasurementIsOneRowOfTheFirstTimeAndTheLatestFigures) {
  keep("k", trial("new", 0.02));
  sample::database(*records_).exec("UPDATE heuristic_trials SET measured_at = '2026-01-02T03:04:05Z'");
  TrialRow again = trial("new", 0.05);
  again.pool_size = 4;
  again.shapley.reset();
  again.shapley_se.reset();
  keep("k", again);
  const auto trials = past("new", run_id_);
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0].measured_at, "2026-01-02T03:04:05Z");
  EXPECT_DOUBLE_EQ(trials[0].gain.mean, 0.05);
  EXPECT_EQ(trials[0].pool_size, 4u);
  EXPECT_DOUBLE_EQ(get("SELECT shapley FROM heuristic_trials").getDouble(), 0.025) << "the second has none";
  EXPECT_DOUBLE_EQ(get("SELECT shapley_se FROM heuristic_trials").getDouble(), 0.004);

  again.shapley = 0.03;
  again.shapley_se = 0.001;
  keep("k", again);
  EXPECT_DOUBLE_EQ(get("SELECT shapley FROM heuristic_trials").getDouble(), 0.03);
  EXPECT_EQ(get("SELECT COUNT(*) FROM heuristic_trials").getInt(), 1);
}

TEST_F(TrialsTest, IsOfOneHeuristicOnOneDataSetOldestFirst) {
  const std::int64_t elsewhere = run_on("other");
  keep("z", trial("new", 0.01));
  keep("y", trial("new", 0.02), elsewhere);
  keep("x", trial("another", 0.03));
  keep("a", trial("new", 0.04));
  keep("z", trial("new", 0.05));  // an old one, measured again
  const auto gains = [&](const std::string& heuristic, std::int64_t run_id) {
    std::vector<double> list;
    for (const PastTrial& one : past(heuristic, run_id)) list.push_back(one.gain.mean);
    return list;
  };
  EXPECT_THAT(gains("new", run_id_), ElementsAre(0.05, 0.04));
  EXPECT_THAT(gains("new", elsewhere), ElementsAre(0.02));
  EXPECT_THAT(gains("another", run_id_), ElementsAre(0.03));
  EXPECT_THAT(gains("another", elsewhere), IsEmpty());
  EXPECT_THAT(gains("nobody", run_id_), IsEmpty());
}

TEST_F(TrialsTest, ARunThatIsNotThereIsRefused) {
  TrialRow row = trial();
  row.key = "k";
  row.run_id = 99;
  const Status kept = keep_trial(*records_, row);
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(get("SELECT COUNT(*) FROM heuristic_trials").getInt(), 0);
}

TEST_F(TrialsTest, GoesWithItsRun) {
  keep("k", trial());
  keep_curves("k", {{"noise", "levels", {{0, 0.1, 0.1}}}});
  sample::database(*records_).exec("DELETE FROM experiments");
  EXPECT_THAT(past("new", run_id_), IsEmpty());
  EXPECT_EQ(get("SELECT COUNT(*) FROM robustness").getInt(), 0);
}

TEST_F(TrialsTest, RobustnessComesBackAndIsReplaced) {
  keep("k", trial());
  keep("other", trial());
  EXPECT_THAT(robustness("k"), IsEmpty());
  keep_curves("k",
              {{"shift", "pixels", {{0, 0.1, 0.2}, {2, 0.3, 0.4}}}, {"noise", "levels", {{0, 0.1, 0.2}}}});
  keep("k", trial());  // leaves them where they are
  auto curves = robustness("k");
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].kind, "noise");
  EXPECT_EQ(curves[1].kind, "shift");
  ASSERT_EQ(curves[1].points.size(), 2u);
  EXPECT_DOUBLE_EQ(curves[1].points[1].amount, 2);
  EXPECT_DOUBLE_EQ(curves[1].points[1].error_without, 0.3);
  EXPECT_DOUBLE_EQ(curves[1].points[1].error_with, 0.4);
  EXPECT_THAT(robustness("other"), IsEmpty());

  // Other amounts and fewer kinds: nothing of the former ones is left.
  keep_curves("k", {{"shift", "pixels", {{0, 0.5, 0.6}, {3, 0.7, 0.8}}}});
  curves = robustness("k");
  ASSERT_EQ(curves.size(), 1u);
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_DOUBLE_EQ(curves[0].points[0].error_without, 0.5);
  EXPECT_DOUBLE_EQ(curves[0].points[1].amount, 3);
}

}  // namespace
}  // namespace mash
