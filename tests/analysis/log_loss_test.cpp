// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/log_loss.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "framework/base/random.hpp"

namespace mash {
namespace {

// The mean cross entropy against targets that leave `doubt` to the other classes.
double mean_at(double scale, const std::vector<double>& scores, const std::vector<std::uint16_t>& labels,
               double doubt = 0) {
  const std::size_t num_classes = scores.size() / labels.size();
  double total = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    double sum = 0, target = 0;
    for (std::size_t l = 0; l < num_classes; ++l) {
      const double score = scores[n * num_classes + l];
      sum += std::exp(scale * score);
      target += score * (l == labels[n] ? 1 - doubt : doubt / double(num_classes - 1));
    }
    total += std::log(sum) - scale * target;
  }
  return total / double(labels.size());
}

TEST(ScaledLogLoss, OfNoScoresIsThatOfGuessing) {
  const ScaledLogLoss loss = scaled_log_loss(std::vector<double>(6), std::vector<std::uint16_t>{0, 2});
  EXPECT_NEAR(loss.mean, std::log(3), 1e-12);
}

// Two classes with scores +-1, three in four right; the targets say 5/6 of three and 1/6 of the fourth, so
// that p = (3 * 5 + 1) / (4 * 6) = 2/3 = 1 / (1 + exp(-2c)).
TEST(ScaledLogLoss, WorkedByHand) {
  const std::vector<double> scores{1, -1, 1, -1, 1, -1, 1, -1};
  const ScaledLogLoss loss = scaled_log_loss(scores, std::vector<std::uint16_t>{0, 0, 0, 1});
  EXPECT_NEAR(loss.scale, std::log(2) / 2, 1e-9);
  EXPECT_NEAR(loss.losses[0], -std::log(2. / 3), 1e-9) << "of the class itself, not of the targets";
  EXPECT_NEAR(loss.losses[3], -std::log(1. / 3), 1e-9);
  EXPECT_NEAR(loss.mean, -.75 * std::log(2. / 3) - .25 * std::log(1. / 3), 1e-9);
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
    const double doubt = 1. / 202;
    for (const double factor : {.9, .99, 1.01, 1.1})
      EXPECT_LT(mean_at(loss.scale, scores, labels, doubt),
                mean_at(factor * loss.scale, scores, labels, doubt))
          << size;
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
    // p = 3/4 of both: one of two examples and two more is in doubt.
    EXPECT_NEAR(best_scale(separated, both, near), std::log(3), 1e-9) << near;
    EXPECT_EQ(best_scale(wrong, both, near), 0) << near;
  }
}

TEST(ScaledLogLoss, ScoresThatAreWrongAreNotTurnedRound) {
  const ScaledLogLoss loss =
      scaled_log_loss(std::vector<double>{1, 0, 1, 0}, std::vector<std::uint16_t>{1, 1});
  EXPECT_EQ(loss.scale, 0);
  EXPECT_NEAR(loss.mean, std::log(2), 1e-12);
}

// Two models that get all of 1,000 examples right, the one with twice the margin on each.
TEST(ScaledLogLoss, OfSeparatedClassesIsThatOfOneInDoubt) {
  std::vector<double> scores;
  std::vector<std::uint16_t> labels;
  for (int n = 0; n < 1000; ++n) {
    scores.insert(scores.end(), {1, 0});
    labels.push_back(0);
  }
  const ScaledLogLoss loss = scaled_log_loss(scores, labels);
  EXPECT_NEAR(loss.scale, std::log(1001), 1e-6);
  EXPECT_NEAR(loss.mean, -std::log(1001. / 1002), 1e-9);
  for (double& score : scores) score *= 2;
  EXPECT_NEAR(scaled_log_loss(scores, labels).mean, loss.mean, 1e-9) << "no gain where nothing is left";
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
