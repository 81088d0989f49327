// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "framework/analysis/looks.hpp"

namespace mash {

// Numbers of seeds after which a race of variants is looked at. At the first one none is out: few seeds would
// choose by chance.
inline constexpr std::array<std::size_t, 4> kRaceLooks{4, 8, 16, 32};

// Fresh seeds by which the best of a race is measured, at most; and how far behind the first seed of the race
// they begin.
inline constexpr std::size_t kMeasuringSeeds = 16;
inline constexpr std::uint64_t kFreshSeeds = 1000;

// The place of one variant in a race, by the pictures that choose. Gains are in per cent of the log-loss.
struct VariantStanding {
  std::size_t num_seeds = 0;
  GainAtLook gain;  // beside the pool alone; that of the best of many is too good by the luck of the choice
  GainAtLook than_first;         // by how much more it takes off the log-loss than the first variant
  GainAtLook behind_best;        // by how much more the best takes off than it
  bool is_surely_worse = false;  // than the best: see RaceStandings
};

// All variants in their order. The true best is not surely worse with a probability of 95 %, for all numbers
// of variants: each test against the best is one-sided, and spends .05 / (n - 1) / 4, as each variant can be
// compared with n - 1 others, after one of four numbers of seeds.
struct RaceStandings {
  std::vector<VariantStanding> variants;
  std::size_t best = 0;

  // How many others may be as good as the best.
  std::size_t num_as_good() const;
};

// Variants of a heuristic that are offered to a pool with the same seeds. After a look the better half goes
// on, but two at least (successive halving: Jamieson & Talwalkar, Non-stochastic best arm identification and
// hyperparameter optimization, AISTATS 2016). It keeps all losses, as any variant may be the best at the end.
class VariantRace {
 public:
  // num_pictures: those that choose. REQUIRES: two variants.
  VariantRace(std::size_t num_variants, std::size_t num_pictures);

  // The variants that go on, in their order.
  std::span<const std::size_t> running() const { return running_; }
  // The number of seeds that each of them has.
  std::size_t num_seeds() const { return before_.size(); }
  // The number of seeds at the next look; 0 after the last.
  std::size_t next_look() const;

  // One more seed: the losses of the pool alone, and those with each of the variants that go on, in the order
  // of running(). REQUIRES: one loss for each picture.
  void add(std::vector<double> before, std::vector<std::vector<double>> after);
  // Leaves out the worse half. REQUIRES: as many seeds as a look has.
  void halve();

  // placebo_sd: of the gains that extra candidates of the pool alone give, over seeds; few seeds may agree by
  // chance. REQUIRES: two seeds.
  RaceStandings standings(double placebo_sd) const;

 private:
  using Seeds = std::vector<std::vector<double>>;  // losses, by seed

  // The gain of `after` over `before`, by the seeds that both have.
  GainAtLook gain_between(const Seeds& before, const Seeds& after, double least_sd, double miss) const;
  double mean_gain(std::size_t variant) const;

  std::size_t num_pictures_;
  std::vector<std::size_t> running_;
  Seeds before_;
  std::vector<Seeds> after_;  // of each variant, the seeds that it was in
};

}  // namespace mash
