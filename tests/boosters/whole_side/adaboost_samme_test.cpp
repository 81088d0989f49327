// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/adaboost_samme.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/predictor.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::hypotheses_of;
using testing::learnable_table;
using testing::scores_on_values;
using testing::Training;
using testing::World;

TEST(SammeStep, WorkedNumbers) {
  EXPECT_NEAR(samme_step(0.25, 2, 1000).alpha, 1.098612, 1e-6);
  EXPECT_NEAR(samme_step(0.5, 3, 1000).alpha, 0.693147, 1e-6);
  EXPECT_NEAR(samme_step(0.85, 10, 1000).alpha, 0.462624, 1e-6);
}

TEST(SammeStep, NoBetterThanChanceIsNothing) {
  for (const double error : {0.9, 0.95, 1.0}) {
    const SammeStep step = samme_step(error, 10, 1000);
    EXPECT_EQ(step.alpha, 0) << error;
    EXPECT_EQ(step.loss_factor, 1);
    EXPECT_EQ(step.right, 1);
    EXPECT_EQ(step.wrong, 1);
  }
}

TEST(SammeStep, NewWeightsAddUpToOneAndTheLossIsTheSmallest) {
  for (const std::size_t num_classes : {2u, 3u, 10u})
    for (const double error : {0.01, 0.2, 0.45}) {
      const SammeStep step = samme_step(error, num_classes, 1000);
      EXPECT_NEAR((1 - error) * step.right + error * step.wrong, 1, 1e-14);
      EXPECT_NEAR(step.wrong / step.right, std::exp(step.alpha), 1e-9 * std::exp(step.alpha));
      const auto loss_at = [&](double alpha) {
        const auto classes = double(num_classes);
        return (1 - error) * std::exp(-alpha * (classes - 1) / classes) + error * std::exp(alpha / classes);
      };
      EXPECT_NEAR(step.loss_factor, loss_at(step.alpha), 1e-14);
      for (const double change : {-0.01, 0.01})
        EXPECT_LT(loss_at(step.alpha), loss_at(step.alpha + change)) << "the optimum of the loss";
    }
}

TEST(SammeStep, NoMistakeIsHeldAtItsCap) {
  const double held = 0.01 / 100;
  EXPECT_NEAR(samme_step(0, 3, 100).alpha, std::log((1 - held) / held * 2), 1e-12);
}

TEST(SammeStep, RefusesWhatIsNoError) {
  EXPECT_THROW(samme_step(-0.1, 3, 10), std::logic_error);
  EXPECT_THROW(samme_step(1.1, 3, 10), std::logic_error);
  EXPECT_THROW(samme_step(0.1, 1, 10), std::logic_error);
  EXPECT_THROW(samme_step(0.1, 3, 0), std::logic_error);
}

// SAMME by its definition (Zhu et al. 2009, Algorithm 2), with a stump found by trying every cut of every
// column and every pair of classes.
class ByDefinition {
 public:
  explicit ByDefinition(const Dataset& dataset)
      : dataset_(dataset), weights_(dataset.train.num_examples, 1.0 / double(dataset.train.num_examples)) {}

  struct Round {
    double error = 1, alpha = 0;
  };

  Round round() {
    Stump best;
    for (std::size_t j = 0; j < dataset_.column_names.size(); ++j) {
      consider(j, -std::numeric_limits<float>::infinity(), best);
      std::set<float> thresholds;  // of equal errors the lowest is taken
      for (std::size_t n = 0; n < weights_.size(); ++n)
        if (!std::isnan(value(n, j))) thresholds.insert(value(n, j));
      for (const float threshold : thresholds) consider(j, threshold, best);
    }
    const auto num_classes = double(dataset_.num_classes());
    const double alpha = std::log((1 - best.error) / best.error) + std::log(num_classes - 1);
    double sum = 0;
    for (std::size_t n = 0; n < weights_.size(); ++n) {
      if (class_of(best, n) != dataset_.train.labels[n]) weights_[n] *= std::exp(alpha);
      sum += weights_[n];
    }
    for (double& weight : weights_) weight /= sum;
    return {best.error, alpha};
  }
  const std::vector<double>& weights() const { return weights_; }

 private:
  struct Stump {
    std::size_t column = 0;
    float threshold = 0;
    std::size_t below = 0, above = 0;
    double error = 1;
  };

  float value(std::size_t n, std::size_t j) const {
    return dataset_.train.values[n * dataset_.column_names.size() + j];
  }
  std::size_t class_of(const Stump& stump, std::size_t n) const {
    const bool holds = stump.threshold == -std::numeric_limits<float>::infinity() ||
                       value(n, stump.column) >= stump.threshold;
    return holds ? stump.above : stump.below;
  }
  void consider(std::size_t j, float threshold, Stump& best) const {
    for (std::size_t below = 0; below < dataset_.num_classes(); ++below)
      for (std::size_t above = 0; above < dataset_.num_classes(); ++above) {
        Stump stump{j, threshold, below, above, 0};
        for (std::size_t n = 0; n < weights_.size(); ++n)
          if (class_of(stump, n) != dataset_.train.labels[n]) stump.error += weights_[n];
        if (stump.error < best.error - 1e-12) best = stump;
      }
  }

  const Dataset& dataset_;
  std::vector<double> weights_;
};

Training samme(std::uint32_t num_rounds) {
  Training training;
  RoundSettings rounds;
  rounds.num_rounds = num_rounds;
  training.other_booster.make = [rounds](SearchParts search) -> Result<std::unique_ptr<const Booster>> {
    return std::unique_ptr<const Booster>(std::make_unique<const AdaBoostSamme>(rounds, std::move(search)));
  };
  return training;
}

TEST(AdaBoostSamme, IsTheAlgorithmOfThePaper) {
  World world(learnable_table(60, 4, 3, 5));
  Training training = samme(25);
  const TrainingResult result = training.run(world);
  ASSERT_EQ(training.events.rounds.size(), 25u);
  ByDefinition reference(world.dataset);
  double log_loss = 0;
  for (std::size_t t = 0; t < 25; ++t) {
    for (std::size_t n = 0; n < reference.weights().size(); ++n)
      ASSERT_NEAR(training.weak.weights[t][n * 3 + world.dataset.train.labels[n]], reference.weights()[n],
                  1e-11);
    const auto round = reference.round();
    EXPECT_NEAR((1 - training.events.rounds[t].edge) * 2 / 3, round.error, 1e-11) << t;
    EXPECT_NEAR(hypotheses_of(result)[t].alpha, round.alpha, 1e-9) << t;
    log_loss = training.events.rounds[t].train_loss_log10;
  }
  // sum over n of w1_n exp(-(f_y - mean f)).
  const auto scores = scores_on_values(result.model, world.dataset, world.dataset.train, 25);
  double loss = 0;
  for (std::size_t n = 0; n < 60; ++n) {
    const double mean = (scores[3 * n] + scores[3 * n + 1] + scores[3 * n + 2]) / 3;
    loss += std::exp(mean - scores[3 * n + world.dataset.train.labels[n]]) / 60;
  }
  EXPECT_NEAR(log_loss, std::log10(loss), 1e-9);
}

TEST(AdaBoostSamme, TwoClassesAreAdaBoostWithTwiceItsCoefficients) {
  World world(learnable_table(97, 6, 2, 5));
  Training one = samme(30), binary;
  binary.booster.num_rounds = 30;
  binary.booster.scan = ScanMode::kF64;
  const TrainingResult a = one.run(world), b = binary.run(world);
  for (std::size_t t = 0; t < 30; ++t) {
    EXPECT_NEAR(one.events.rounds[t].edge, binary.events.rounds[t].edge, 1e-10) << t;
    EXPECT_NEAR(hypotheses_of(a)[t].alpha, 2 * hypotheses_of(b)[t].alpha, 1e-9) << t;
  }
}

TEST(AdaBoostSamme, HypothesesGiveEachSideOneClass) {
  World world(learnable_table(200, 6, 4, 5));
  Training training = samme(10);
  const TrainingResult result = training.run(world);
  for (const Hypothesis& hypothesis : hypotheses_of(result)) {
    ASSERT_EQ(hypothesis.votes.size(), 8u);
    for (std::size_t cell = 0; cell < 2; ++cell) {
      double sum = 0;
      for (std::size_t l = 0; l < 4; ++l) {
        const double vote = hypothesis.votes[4 * cell + l];
        EXPECT_TRUE(vote == 0 || vote == 1);
        sum += vote;
      }
      EXPECT_EQ(sum, 1);
    }
  }
}

TEST(AdaBoostSamme, ExactCutsTrainTheSameWhereEveryValueHasACode) {
  World world(learnable_table(200, 6, 3, 5), 1, true);
  Training codes = samme(30), exact = samme(30);
  exact.weak = testing::WatchingLearner("stump", {{"cuts", "exact"}});
  const TrainingResult a = codes.run(world), b = exact.run(world);
  ASSERT_EQ(hypotheses_of(a).size(), hypotheses_of(b).size());
  for (std::size_t t = 0; t < hypotheses_of(a).size(); ++t) {
    EXPECT_EQ(hypotheses_of(a)[t].cuts, hypotheses_of(b)[t].cuts) << t;
    EXPECT_NEAR(hypotheses_of(a)[t].alpha, hypotheses_of(b)[t].alpha, 1e-9) << t;
  }
}

TEST(AdaBoostSamme, WeightsComputedFromTheScoresAreThoseOfTheProducts) {
  World world(learnable_table(200, 6, 3, 5));
  Training often = samme(60), never = samme(60);
  RoundSettings rounds;
  rounds.num_rounds = 60;
  rounds.recompute_every = 7;
  often.other_booster.make = [rounds](SearchParts search) -> Result<std::unique_ptr<const Booster>> {
    return std::unique_ptr<const Booster>(std::make_unique<const AdaBoostSamme>(rounds, std::move(search)));
  };
  often.run(world);
  never.run(world);
  EXPECT_NE(often.weak.weights[8], never.weak.weights[8]) << "last bits differ where they are computed anew";
  for (const std::size_t round : {8u, 36u, 59u})
    for (std::size_t i = 0; i < often.weak.weights[round].size(); ++i)
      ASSERT_NEAR(often.weak.weights[round][i], never.weak.weights[round][i], 1e-12) << round;
}

TEST(AdaBoostSamme, IsNotTrainedWithAWeakLearnerThatItRefuses) {
  const World world(learnable_table(50, 3, 3, 5));
  Training training = samme(2);
  training.weak = testing::WatchingLearner("tree");
  EXPECT_THROW(training.run(world), std::logic_error);
}

TEST(AdaBoostSamme, RefusesWeakLearnersThatVoteForAndAgainst) {
  const AdaBoostSamme booster{RoundSettings(), plain_search()};
  for (const char* name : {"tree", "product"}) {
    const Status status = booster.check(testing::WatchingLearner(name));
    ASSERT_FALSE(status.ok()) << name;
    EXPECT_EQ(status.error().kind, ErrorKind::kInput);
    EXPECT_THAT(status.error().message, ::testing::HasSubstr("stump"));
  }
  EXPECT_TRUE(booster.check(testing::WatchingLearner("stump")).ok());
}

TEST(AdaBoostSamme, OneClassIsRefused) {
  World world(testing::table({0, 1, 2}, {0, 0, 0}, 1));
  Training training = samme(3);
  const auto result = training.try_run(world.dataset, world.features(), world.workers);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("at least two"));
}

}  // namespace
}  // namespace mash
