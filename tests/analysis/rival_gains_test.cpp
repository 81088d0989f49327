// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/rival_gains.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "framework/analysis/log_loss.hpp"
#include "framework/analysis/paired_losses.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

std::vector<double> parts_of(const std::vector<float>& before, const std::vector<float>& after,
                             std::size_t label) {
  std::vector<double> parts(before.size());
  rival_parts(before, after, label, parts);
  return parts;
}

TEST(RivalParts, WorkedByHand) {
  const auto parts = parts_of({2, 0, 0}, {3, 0, 1}, 0);
  EXPECT_EQ(parts[0], 0) << "a class is no rival of its own";
  EXPECT_NEAR(parts[1], .0696988, 1e-7);
  EXPECT_EQ(parts[2], 0) << "it came as much nearer as the class itself";
}

// With two classes, p_l of the rival is a logistic function of the distance.
TEST(RivalParts, OfTheOnlyRivalIsAll) {
  const auto parts = parts_of({-4, 3}, {5, 1}, 0);
  EXPECT_NEAR(parts[1], std::log1p(std::exp(7.)) - std::log1p(std::exp(-4.)), 1e-12);
}

TEST(RivalParts, AddUpToTheFall) {
  RandomStream stream(1, "test.rivals");
  for (int i = 0; i < 200; ++i) {
    const double size = std::pow(10, stream.uniform(-4, 2));
    std::vector<float> before, after;
    for (int l = 0; l < 6; ++l) {
      before.push_back(float(size * stream.normal()));
      after.push_back(float(size * stream.normal()));
    }
    const auto parts = parts_of(before, after, 2);
    EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0), log_loss(before, 2) - log_loss(after, 2),
                1e-12 * (1 + size));
    EXPECT_EQ(parts[2], 0);
    const auto back = parts_of(after, before, 2);
    for (std::size_t l = 0; l < 6; ++l) EXPECT_NEAR(back[l], -parts[l], 1e-6 * size) << "the same way back";
  }
}

// Two classes of three gain, each against one rival.
TEST(RivalGains, TellWhoIsToldFromWhom) {
  constexpr std::size_t kExamples = 120;
  std::vector<std::uint16_t> labels;
  for (std::size_t n = 0; n < kExamples; ++n) labels.push_back(std::uint16_t(n % 3));
  RivalGains rivals(labels, 3);
  PairedLosses losses(kExamples);
  RandomStream stream(1, "test.rivals");
  for (int seed = 0; seed < 8; ++seed) {
    std::vector<float> before, after;
    for (std::size_t n = 0; n < kExamples; ++n)
      for (std::size_t l = 0; l < 3; ++l) {
        before.push_back(float((labels[n] == l) + .3 * stream.normal()));
        const bool is_told = (labels[n] == 0 && l == 1) || (labels[n] == 1 && l == 2);
        after.push_back(before.back() + float(.02 * stream.normal() - (is_told ? .5 : 0)));
      }
    const auto of_before = log_losses(before, labels), of_after = log_losses(after, labels);
    losses.add(of_before, of_after);
    rivals.add(before, after, Workers(seed % 2 + 1));
  }
  double sum = 0;
  for (const RivalGain& gain : rivals.gains(losses.gain_factor())) {
    sum += gain.part.gain;
    EXPECT_EQ(gain.part.num_examples, kExamples / 3);
    const bool is_told = (gain.label == 0 && gain.rival == 1) || (gain.label == 1 && gain.rival == 2);
    EXPECT_EQ(gain.part.p_corrected < .01, is_told) << gain.label << " and " << gain.rival;
    EXPECT_EQ(gain.part.gain > 2, is_told);
  }
  EXPECT_EQ(rivals.gains(losses.gain_factor()).size(), 6u);
  EXPECT_NEAR(sum, losses.gain(), 1e-9);
}

}  // namespace
}  // namespace mash
