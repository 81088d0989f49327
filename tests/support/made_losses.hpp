// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "framework/base/loss_sums.hpp"
#include "framework/base/measured_gain.hpp"
#include "framework/base/random.hpp"

namespace mash::testing {

// Sums of losses with this gain and standard error, beside a control whose losses are 1: the errors of two of
// them have nothing in common, and are all of the seeds.
inline LossSums made_losses(const MeasuredGain& measured, std::size_t num_examples = 20) {
  std::uint64_t number = 0;
  std::memcpy(&number, &measured.gain, sizeof number);
  RandomStream stream(number, "test.made_losses");
  const auto num_seeds = double(measured.num_seeds);
  const double loss = std::exp(-measured.gain / 100);
  LossSums sums{{}, std::vector<double>(num_examples, num_seeds * loss)};
  double mean = 0, squares = 0;
  std::vector<double> noise;
  for (std::size_t s = 0; s < measured.num_seeds; ++s) {
    noise.push_back(stream.normal());
    mean += noise.back() / num_seeds;
  }
  for (double& of_seed : noise) squares += (of_seed - mean) * (of_seed - mean) / (num_seeds - 1);
  for (const double of_seed : noise) {
    const double per_cents = measured.standard_error * std::sqrt(num_seeds / squares) * (of_seed - mean);
    sums.of_seeds.push_back(double(num_examples) * loss * (1 + per_cents / 100));
  }
  return sums;
}

}  // namespace mash::testing
