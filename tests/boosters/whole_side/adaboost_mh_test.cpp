// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/adaboost_mh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::BoosterSettings;
using testing::error_of;
using testing::hypotheses_of;
using testing::learnable_table;
using testing::scores_on_values;
using testing::Training;
using testing::World;

// y_nl.
double sign_of(std::uint16_t label, std::size_t l) { return label == l ? 1 : -1; }

// w_nl = w1_nl exp(-f_l y_nl) over their sum, from the definition.
std::vector<double> weights_of(const std::vector<double>& initial, const std::vector<double>& scores,
                               const std::vector<std::uint16_t>& labels) {
  const std::size_t num_classes = initial.size() / labels.size();
  std::vector<double> weights(initial.size());
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = initial[i] * std::exp(-scores[i] * sign_of(labels[i / num_classes], i % num_classes));
    sum += std::abs(weights[i]);
  }
  for (double& w : weights) w /= sum;
  return weights;
}

double log10_loss(const std::vector<double>& initial, const std::vector<double>& scores,
                  const std::vector<std::uint16_t>& labels) {
  const std::size_t num_classes = initial.size() / labels.size();
  double loss = 0;
  for (std::size_t i = 0; i < initial.size(); ++i)
    loss += std::abs(initial[i]) * std::exp(-scores[i] * sign_of(labels[i / num_classes], i % num_classes));
  return std::log10(loss);
}

// sum of G_nl v_l phi(x_n).
double edge_under(const std::vector<double>& weights, const Hypothesis& stump, const Dataset& dataset) {
  const std::size_t num_columns = dataset.column_names.size(), num_classes = stump.votes.size();
  double edge = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float x = dataset.train.values[i / num_classes * num_columns + stump.cuts[0].feature_idx];
    edge += weights[i] * stump.votes[i % num_classes] *
            (stump.is_constant() || x >= stump.cuts[0].threshold ? 1 : -1);
  }
  return edge;
}

struct Setup {
  const char* name;
  InitialWeights init;
  ScanMode mode;
};

void expect_sums_of_one(const std::vector<std::vector<double>>& rounds) {
  for (const auto& weights : rounds) {
    double sum = 0;
    for (const double g : weights) sum += std::abs(g);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

class RoundByRound : public ::testing::TestWithParam<Setup> {
 protected:
  static constexpr std::uint32_t kRounds = 120;
  RoundByRound() {
    training.booster.num_rounds = kRounds;
    training.booster.init = GetParam().init;
    training.booster.scan = GetParam().mode;
    training.booster.recompute_every = 50;
    result = training.run(world);
  }
  std::vector<double> scores_after(std::uint32_t num_rounds) const {
    return scores_on_values(result.model, world.dataset, world.dataset.train, num_rounds);
  }
  const std::vector<std::vector<double>>& weights() const { return training.weak.weights; }
  const std::vector<std::uint16_t>& labels() const { return world.dataset.train.labels; }

  World world{learnable_table(400, 9, 4, 11)};
  Training training;
  TrainingResult result;
};

TEST_P(RoundByRound, WeightsSumToOne) {
  ASSERT_EQ(weights().size(), kRounds);
  expect_sums_of_one(weights());
}

TEST_P(RoundByRound, WeightsAreThoseOfTheDefinition) {
  for (const std::uint32_t round : {1u, 2u, 49u, 50u, 51u, 52u, 100u, 101u, 120u}) {
    const auto expected = weights_of(weights()[0], scores_after(round - 1), labels());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(weights()[round - 1][i] / expected[i], 1, 1e-9) << "round " << round;
  }
}

TEST_P(RoundByRound, LoggedLossIsThatOfTheModel) {
  for (std::uint32_t round = 1; round <= kRounds; ++round)
    EXPECT_NEAR(training.events.rounds[round - 1].train_loss_log10,
                log10_loss(weights()[0], scores_after(round), labels()), 1e-9);
}

TEST_P(RoundByRound, LastLearnerHasNoEdgeAfterItsRound) {
  for (std::uint32_t round = 1; round < kRounds; ++round) {
    const Hypothesis& stump = hypotheses_of(result)[round - 1];
    EXPECT_NEAR(edge_under(weights()[round - 1], stump, world.dataset),
                training.events.rounds[round - 1].edge, 1e-12);
    EXPECT_NEAR(edge_under(weights()[round], stump, world.dataset), 0, 1e-10);
  }
}

TEST_P(RoundByRound, WeightsMoveByTheEdge) {
  for (std::uint32_t round = 1; round < kRounds; ++round) {
    double distance = 0;
    for (std::size_t i = 0; i < weights()[0].size(); ++i)
      distance += std::abs(weights()[round][i] - weights()[round - 1][i]);
    EXPECT_NEAR(distance, training.events.rounds[round - 1].edge, 1e-10);
  }
}

// A wrong example has f_l >= f_y for some l, so that its share of the loss is at least 2 sqrt(w1_ny w1_nl).
TEST_P(RoundByRound, ErrorIsBoundedByTheLoss) {
  double least_share = 1;
  for (std::size_t i = 0; i < weights()[0].size(); ++i) {
    const double own = weights()[0][i / 4 * 4 + labels()[i / 4]];
    if (labels()[i / 4] != i % 4) least_share = std::min(least_share, 2 * std::sqrt(own * -weights()[0][i]));
  }
  const double factor = 1 / (double(labels().size()) * least_share);
  if (GetParam().init == InitialWeights::kUniform) {
    EXPECT_NEAR(factor, 4 / 2.0, 1e-12);
  } else if (GetParam().init == InitialWeights::kBalanced) {
    EXPECT_NEAR(factor, std::sqrt(4 - 1.0), 1e-12);
  }
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    const double loss = std::pow(10, training.events.rounds[round - 1].train_loss_log10);
    EXPECT_LE(error_of(scores_after(round), labels(), 4), factor * loss + 1e-12);
  }
}

TEST_P(RoundByRound, EventsSayWhatTheModelHolds) {
  ASSERT_EQ(hypotheses_of(result).size(), kRounds);
  ASSERT_EQ(training.events.rounds.size(), kRounds);
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    const RoundEvent& event = training.events.rounds[round - 1];
    const Hypothesis& stump = hypotheses_of(result)[round - 1];
    EXPECT_EQ(event.round, round);
    EXPECT_EQ(event.cuts[0].feature_idx, stump.cuts[0].feature_idx);
    EXPECT_EQ(event.cuts[0].threshold, stump.cuts[0].threshold);
    EXPECT_EQ(event.alpha, stump.alpha);
    EXPECT_NEAR(event.alpha, 0.5 * std::log((1 + event.edge) / (1 - event.edge)), 1e-12);
    EXPECT_EQ(event.cost, round * 9u * 400);
  }
  EXPECT_EQ(result.meters.fe, kRounds * 9u * 400);
  EXPECT_EQ(result.meters.ops, kRounds * 9u * 400 * 4);
  EXPECT_EQ(result.meters.ue, kRounds * 2u * 400) << "a refit and an update a round";
}

TEST_P(RoundByRound, CurveStandsWhereItShould) {
  std::vector<std::uint32_t> rounds;
  for (const CurvePoint& point : training.events.curve) {
    rounds.push_back(point.round);
    EXPECT_EQ(point.train_loss_log10, training.events.rounds[point.round - 1].train_loss_log10);
    EXPECT_EQ(point.train_error, error_of(scores_after(point.round), labels(), 4));
    const auto test_scores = scores_on_values(result.model, world.dataset, world.dataset.test, point.round);
    EXPECT_EQ(point.test_error, error_of(test_scores, world.dataset.test.labels, 4));
  }
  EXPECT_EQ(rounds, (std::vector<std::uint32_t>{1, 2, 5, 10, 20, 50, 100, 120}));
  EXPECT_EQ(result.curve.size(), rounds.size());
}

TEST_P(RoundByRound, TestScoresAreThoseOfTheModelOnRawValues) {
  EXPECT_EQ(result.test_scores, scores_on_values(result.model, world.dataset, world.dataset.test, kRounds));
}

TEST_P(RoundByRound, WithoutTheTestSideItTrainsTheSame) {
  Training other;
  other.booster = training.booster;
  other.purpose = Purpose::kModel;
  const TrainingResult without = other.run(world);
  EXPECT_EQ(without.model, result.model);
  EXPECT_EQ(without.meters.fe, result.meters.fe);
  EXPECT_TRUE(without.curve.empty());
  EXPECT_TRUE(without.test_scores.empty());
}

TEST_P(RoundByRound, UseOfTheFamilyAddsUp) {
  ASSERT_EQ(result.families.size(), 1u);
  const FamilyUse& use = result.families[0];
  double alpha_sum = 0;
  for (const Hypothesis& stump : hypotheses_of(result)) alpha_sum += stump.alpha;
  EXPECT_EQ(use.chosen, kRounds);
  EXPECT_EQ(use.offered, kRounds * 9u);
  EXPECT_EQ(use.evaluated, kRounds * 9u * 400);
  EXPECT_NEAR(use.alpha_sum, alpha_sum, 1e-12);
  EXPECT_NEAR(use.loss_removed, -training.events.rounds.back().train_loss_log10, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Setups, RoundByRound,
                         ::testing::Values(Setup{"uniform_f64", InitialWeights::kUniform, ScanMode::kF64},
                                           Setup{"uniform_i16", InitialWeights::kUniform, ScanMode::kI16},
                                           Setup{"balanced_i16", InitialWeights::kBalanced, ScanMode::kI16},
                                           Setup{"balanced_i8", InitialWeights::kBalanced, ScanMode::kI8},
                                           Setup{"class_balanced_f64", InitialWeights::kClassBalanced,
                                                 ScanMode::kF64}),
                         [](const auto& info) { return info.param.name; });

// Products of a thousand factors, then computed again from the scores.
TEST(AdaBoostMh, WeightsAreThoseOfTheDefinitionAfterAThousandRounds) {
  World world(learnable_table(400, 9, 4, 11));
  Training training;
  training.booster.num_rounds = 1001;
  const TrainingResult result = training.run(world);
  const auto& weights = training.weak.weights;
  ASSERT_EQ(weights.size(), 1001u);
  for (const std::uint32_t round : {1000u, 1001u}) {
    const auto scores = scores_on_values(result.model, world.dataset, world.dataset.train, round - 1);
    const auto expected = weights_of(weights[0], scores, world.dataset.train.labels);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(weights[round - 1][i] / expected[i], 1, 1e-9) << "round " << round;
  }
}

// A sum that is off by d makes the next one off by d / (1 - edge^2): without dividing by what the sum is,
// that would be its former size over the square of the loss.
TEST(AdaBoostMh, SumOfWeightsStaysOneWhereTheLossFallsFar) {
  World world(learnable_table(40, 9, 3, 11));
  Training training;
  training.booster.num_rounds = 900;
  const TrainingResult result = training.run(world);
  const auto& weights = training.weak.weights;
  ASSERT_EQ(weights.size(), 900u);
  ASSERT_LT(training.events.rounds.back().train_loss_log10, -10);
  expect_sums_of_one(weights);
  const auto scores = scores_on_values(result.model, world.dataset, world.dataset.train, 900);
  EXPECT_NEAR(training.events.rounds.back().train_loss_log10,
              log10_loss(weights[0], scores, world.dataset.train.labels), 1e-9);
}

// Six examples of three classes with x = (1, 2, 2, 3, 4, 5).
TrainingResult worked_example(InitialWeights init, ScanMode mode, Training& training) {
  World world(testing::table({1, 2, 2, 3, 4, 5}, {0, 0, 1, 1, 2, 2}, 3));
  training.booster.num_rounds = 2;
  training.booster.init = init;
  training.booster.scan = mode;
  return training.run(world);
}

TEST(AdaBoostMh, WorkedExampleUniform) {
  for (const ScanMode mode : {ScanMode::kF64, ScanMode::kI16}) {
    Training training;
    const TrainingResult result = worked_example(InitialWeights::kUniform, mode, training);
    const auto& rounds = training.events.rounds;
    ASSERT_EQ(rounds.size(), 2u);
    EXPECT_EQ(rounds[0].cuts[0].threshold, 3.5f);
    EXPECT_NEAR(rounds[0].edge, 0.555556, 1e-6);
    EXPECT_NEAR(rounds[0].alpha, 0.626381, 1e-6);
    EXPECT_NEAR(std::pow(10, rounds[0].train_loss_log10), 0.831479, 1e-6);
    EXPECT_EQ(hypotheses_of(result)[0].votes, (std::vector<double>{-1, -1, 1}));
    EXPECT_TRUE(hypotheses_of(result)[1].is_constant());
    EXPECT_NEAR(rounds[1].edge, 0.571429, 1e-6);
    EXPECT_EQ(hypotheses_of(result)[1].votes, (std::vector<double>{-1, -1, -1}));
  }
}

TEST(AdaBoostMh, WorkedExampleBalanced) {
  Training training;
  const TrainingResult result = worked_example(InitialWeights::kBalanced, ScanMode::kF64, training);
  const auto& rounds = training.events.rounds;
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0].cuts[0].threshold, 3.5f);
  EXPECT_NEAR(rounds[0].alpha, 0.804719, 1e-6);
  EXPECT_NEAR(std::pow(10, rounds[0].train_loss_log10), 0.745356, 1e-6);
  EXPECT_EQ(rounds[1].cuts[0].threshold, 2.5f);
  EXPECT_NEAR(rounds[1].edge, 0.5, 1e-9);
  EXPECT_EQ(hypotheses_of(result)[1].votes, (std::vector<double>{-1, 1, 1}));
}

TEST(AdaBoostMh, OneErrorInFour) {
  World world(testing::table({0, 0, 1, 1}, {0, 0, 0, 1}, 2));
  Training training;
  training.booster.num_rounds = 2;
  training.run(world);
  EXPECT_NEAR(training.events.rounds[0].edge, 0.5, 1e-12);
  EXPECT_NEAR(training.events.rounds[0].alpha, 0.549306, 1e-6);
  // Ties go to the constant, which is wrong about the last: half of the weight is its, a sixth each of the
  // others'.
  for (std::size_t n = 0; n < 4; ++n)
    for (std::size_t l = 0; l < 2; ++l)
      EXPECT_NEAR(std::abs(training.weak.weights[1][2 * n + l]), n == 3 ? 0.25 : 1.0 / 12, 1e-12);
}

// Binary AdaBoost on one weight an example, by brute force over all thresholds.
class BinaryAdaBoost {
 public:
  explicit BinaryAdaBoost(const Dataset& dataset)
      : dataset_(dataset), weights_(dataset.train.num_examples, 1.0 / double(dataset.train.num_examples)) {}

  // Plays one round and gives its edge.
  double round() {
    const std::size_t num_examples = weights_.size(), num_columns = dataset_.column_names.size();
    double best = 0;
    std::vector<double> agreement(num_examples), best_agreement;
    for (std::size_t j = 0; j < num_columns; ++j)
      for (std::size_t m = 0; m <= num_examples; ++m) {  // m = num_examples: the constant
        const float threshold = m < num_examples ? value(m, j) : -std::numeric_limits<float>::infinity();
        double edge = 0;
        for (std::size_t n = 0; n < num_examples; ++n) {
          agreement[n] = (m == num_examples || value(n, j) >= threshold ? 1 : -1) *
                         (dataset_.train.labels[n] == 0 ? 1 : -1);
          edge += weights_[n] * agreement[n];
        }
        if (std::abs(edge) > best + 1e-12) {
          best = std::abs(edge);
          best_agreement = agreement;
          if (edge < 0)
            for (double& a : best_agreement) a = -a;
        }
      }
    const double alpha = 0.5 * std::log((1 + best) / (1 - best));
    double sum = 0;
    for (std::size_t n = 0; n < num_examples; ++n) sum += weights_[n] *= std::exp(-alpha * best_agreement[n]);
    for (double& w : weights_) w /= sum;
    return best;
  }

 private:
  float value(std::size_t n, std::size_t j) const {
    return dataset_.train.values[n * dataset_.column_names.size() + j];
  }
  const Dataset& dataset_;
  std::vector<double> weights_;
};

TEST(AdaBoostMh, TwoClassesAreBinaryAdaBoost) {
  World world(learnable_table(97, 6, 2, 5));
  Training training;
  training.booster.num_rounds = 40;
  training.booster.scan = ScanMode::kF64;
  const TrainingResult result = training.run(world);
  BinaryAdaBoost binary(world.dataset);
  for (std::uint32_t round = 1; round <= 40; ++round) {
    ASSERT_NEAR(training.events.rounds[round - 1].edge, binary.round(), 1e-12) << round;
    const auto& votes = hypotheses_of(result)[round - 1].votes;
    EXPECT_EQ(votes[0], -votes[1]);
  }
}

TEST(AdaBoostMh, ExactCutsTrainTheSameWhereEveryValueHasACode) {
  World world(learnable_table(200, 6, 3, 5), 1, true);
  Training codes, exact;
  codes.booster.num_rounds = exact.booster.num_rounds = 30;
  codes.booster.scan = exact.booster.scan = ScanMode::kF64;
  exact.weak = testing::WatchingLearner("stump", {{"cuts", "exact"}});
  const TrainingResult a = codes.run(world), b = exact.run(world);
  ASSERT_EQ(hypotheses_of(a).size(), hypotheses_of(b).size());
  for (std::size_t t = 0; t < hypotheses_of(a).size(); ++t) {
    EXPECT_EQ(hypotheses_of(a)[t].cuts[0].feature_idx, hypotheses_of(b)[t].cuts[0].feature_idx);
    EXPECT_EQ(hypotheses_of(a)[t].cuts[0].threshold, hypotheses_of(b)[t].cuts[0].threshold);
    EXPECT_NEAR(hypotheses_of(a)[t].alpha, hypotheses_of(b)[t].alpha, 1e-10);
  }
}

TEST(AdaBoostMh, SixteenBitsLearnAsWellAsDoubles) {
  World world(learnable_table(400, 9, 4, 11));
  BoosterSettings i16, i8, f64;
  i16.num_rounds = i8.num_rounds = f64.num_rounds = 100;
  i8.scan = ScanMode::kI8;
  f64.scan = ScanMode::kF64;
  const double reference = testing::train(world, f64).curve.back().train_loss_log10;
  EXPECT_NEAR(testing::train(world, i16).curve.back().train_loss_log10, reference, 0.01);
  EXPECT_NEAR(testing::train(world, i8).curve.back().train_loss_log10, reference, 0.05);
}

}  // namespace
}  // namespace mash
