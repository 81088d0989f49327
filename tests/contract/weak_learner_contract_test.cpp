// SPDX-License-Identifier: Apache-2.0
// Promises of every row of the table of weak learners by itself; with every sampler: see
// sampler_contract_test.cpp.
#include <cmath>
#include <string>
#include <vector>

#include "classifiers/builtin.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::fingerprint;
using testing::hypotheses_of;
using testing::learnable_table;
using testing::Training;
using testing::WatchingLearner;
using testing::World;

class WeakLearnerTableRow : public ::testing::TestWithParam<std::string> {
 protected:
  Training training(const testing::SettingList& settings = {}) const {
    Training result;
    result.weak = WatchingLearner(GetParam(), settings);
    result.booster.num_rounds = 25;
    result.booster.scan = ScanMode::kF64;
    return result;
  }
  std::string run(Training training, int num_threads = 1) {
    const Workers workers(num_threads);
    const TrainingResult result = training.run(world.dataset, world.features(), workers);
    return fingerprint(result, training.events);
  }

  World world{learnable_table(300, 12, 4, 3), 1, true};
};

TEST_P(WeakLearnerTableRow, IsAValueThatTrainsTheSameTwiceAndOnAnyNumberOfThreads) {
  const Training one = training();
  const std::string expected = run(one);
  EXPECT_EQ(run(one), expected);
  for (const int num_threads : {2, 3, 8}) EXPECT_EQ(run(one, num_threads), expected) << num_threads;
}

// The edge that a round reports is that of the hypothesis in the model, on the weights that the round began
// with.
TEST_P(WeakLearnerTableRow, EdgeIsThatOfTheHypothesis) {
  for (const char* cuts : {"codes", "exact"}) {
    Training one = training({{"cuts", cuts}});
    const TrainingResult result = one.run(world);
    const std::size_t num_columns = world.dataset.column_names.size();
    for (std::size_t t = 0; t < hypotheses_of(result).size(); ++t) {
      const Hypothesis& hypothesis = hypotheses_of(result)[t];
      const std::vector<double> votes = cell_votes(hypothesis);
      double edge = 0;
      for (std::size_t n = 0; n < world.dataset.train.num_examples; ++n) {
        const std::size_t cell = cell_of(hypothesis, [&](std::size_t i) {
          const Cut& cut = hypothesis.cuts[i];
          return cut.holds(world.dataset.train.values[n * num_columns + cut.feature_idx]);
        });
        for (std::size_t l = 0; l < 4; ++l) edge += one.weak.weights[t][n * 4 + l] * votes[cell * 4 + l];
      }
      ASSERT_NEAR(one.events.rounds[t].edge, edge, 1e-10) << cuts << ", round " << t + 1;
    }
  }
}

TEST_P(WeakLearnerTableRow, ModelComesBackFromItsFileAndPredictsTheScoresOfTraining) {
  for (const char* cuts : {"codes", "exact"}) {
    Training one = training({{"cuts", cuts}});
    testing::expect_scores_of_training(one.run(world), world.dataset);
  }
}

TEST_P(WeakLearnerTableRow, IsAtLeastAsGoodAsTheBestStump) {
  Training one = training(), stump = training();
  stump.weak = WatchingLearner("stump");
  one.run(world);
  stump.run(world);
  EXPECT_GE(one.events.rounds[0].edge, stump.events.rounds[0].edge - 1e-12);
}

TEST_P(WeakLearnerTableRow, ResumedRunEqualsAWholeOne) {
  const std::string expected = run(training());
  Training stopped = training(), resumed = training();
  stopped.checkpoint = resumed.checkpoint = world.folder / (GetParam() + ".ckpt");
  stopped.stop_after = 11;
  EXPECT_NE(run(stopped, 2), expected);
  EXPECT_EQ(run(resumed, 3), expected);
}

INSTANTIATE_TEST_SUITE_P(All, WeakLearnerTableRow,
                         ::testing::ValuesIn(testing::names_of(builtin_weak_learners())), testing::test_name);

}  // namespace
}  // namespace mash
