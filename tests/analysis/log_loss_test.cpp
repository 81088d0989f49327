// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/log_loss.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "framework/base/random.hpp"

namespace mash {
namespace {

double mean_at(double scale, const std::vector<double>& scores, const std::vector<std::uint16_t>& labels) {
  const std::size_t num_classes = scores.size() / labels.size();
  double total = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    double sum = 0;
    for (std::size_t l = 0; l < num_classes; ++l) sum += std::exp(scale * scores[n * num_classes + l]);
    total += std::log(sum) - scale * scores[n * num_classes + labels[n]];
  }
  return total / double(labels.size());
}

TEST(ScaledLogLoss, OfNoScoresIsThatOfGuessing) {
  const ScaledLogLoss loss = scaled_log_loss(std::vector<double>(6), std::vector<std::uint16_t>{0, 2});
  EXPECT_NEAR(loss.mean, std::log(3), 1e-12);
}

// Two classes with scores +-1, three in four right: p = 3/4 = 1 / (1 + exp(-2c)).
TEST(ScaledLogLoss, WorkedByHand) {
  const std::vector<double> scores{1, -1, 1, -1, 1, -1, 1, -1};
  const ScaledLogLoss loss = scaled_log_loss(scores, std::vector<std::uint16_t>{0, 0, 0, 1});
  EXPECT_NEAR(loss.scale, std::log(3) / 2, 1e-9);
  EXPECT_NEAR(loss.losses[0], -std::log(.75), 1e-9);
  EXPECT_NEAR(loss.losses[3], -std::log(.25), 1e-9);
  EXPECT_NEAR(loss.mean, -.75 * std::log(.75) - .25 * std::log(.25), 1e-12);
}

TEST(ScaledLogLoss, NoOtherScaleIsBetter) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomStream stream(seed, "test.scores");
    const double size = std::pow(10, stream.uniform(-3, 3));
    std::vector<double> scores;
    std::vector<std::uint16_t> labels;
    for (int n = 0; n < 200; ++n) {
      labels.push_back(std::uint16_t(stream.below(4)));
      for (std::uint16_t l = 0; l < 4; ++l)
        scores.push_back(size * (stream.normal() + (l == labels.back() ? .7 : 0)));
    }
    const ScaledLogLoss loss = scaled_log_loss(scores, labels);
    EXPECT_NEAR(loss.mean, mean_at(loss.scale, scores, labels), 1e-9);
    for (const double factor : {.9, .99, 1.01, 1.1})
      EXPECT_LT(loss.mean, mean_at(factor * loss.scale, scores, labels)) << size;
  }
}

// The guess that Newton's method begins with saves steps and changes nothing else.
TEST(BestScale, IsTheSameFromAnyGuess) {
  RandomStream stream(1, "test.scores");
  std::vector<double> scores;
  std::vector<std::uint16_t> labels;
  for (int n = 0; n < 200; ++n) {
    labels.push_back(std::uint16_t(stream.below(4)));
    for (std::uint16_t l = 0; l < 4; ++l) scores.push_back(stream.normal() + (l == labels.back() ? .7 : 0));
  }
  const double expected = best_scale(scores, labels);
  for (const double near : {0., 1e-3, .1, 10., 5e3, 1e4, 1e9})
    EXPECT_NEAR(best_scale(scores, labels, near), expected, 1e-9 * expected) << near;
  const std::vector<double> separated{1, 0, 0, 1}, wrong{0, 1, 1, 0};
  const std::vector<std::uint16_t> both{0, 1};
  for (const double near : {0., 1., 1e4}) {
    EXPECT_GT(best_scale(separated, both, near), 30) << near;
    EXPECT_EQ(best_scale(wrong, both, near), 0) << near;
  }
}

TEST(ScaledLogLoss, ScoresThatAreWrongAreNotTurnedRound) {
  const ScaledLogLoss loss =
      scaled_log_loss(std::vector<double>{1, 0, 1, 0}, std::vector<std::uint16_t>{1, 1});
  EXPECT_EQ(loss.scale, 0);
  EXPECT_NEAR(loss.mean, std::log(2), 1e-12);
}

TEST(ScaledLogLoss, OfSeparatedClassesIsFinite) {
  const ScaledLogLoss loss =
      scaled_log_loss(std::vector<double>{1, 0, 0, 1}, std::vector<std::uint16_t>{0, 1});
  EXPECT_GT(loss.mean, 0) << "ratios of losses are finite";
  EXPECT_LT(loss.mean, 1e-6);
  EXPECT_TRUE(std::isfinite(loss.scale));
}

TEST(LogLosses, AreThoseOfSoftmax) {
  const auto losses =
      log_losses(std::vector<float>{2, 0, 0, 3, 0, 1, 0, 200, 0}, std::vector<std::uint16_t>{0, 0, 1});
  EXPECT_NEAR(losses[0], .2395448, 1e-7);
  EXPECT_NEAR(losses[1], .1698460, 1e-7);
  EXPECT_EQ(losses[2], 1e-9) << "not nothing";
}

}  // namespace
}  // namespace mash
