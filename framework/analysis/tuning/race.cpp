// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/tuning/race.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/require.hpp"

namespace mash {

std::size_t RaceStandings::num_as_good() const {
  return std::size_t(std::ranges::count(variants, false, &VariantStanding::is_surely_worse)) - 1;
}

VariantRace::VariantRace(std::size_t num_variants, std::size_t num_pictures)
    : num_pictures_(num_pictures), running_(num_variants), after_(num_variants) {
  require(num_variants >= 2, "VariantRace: two variants");
  std::iota(running_.begin(), running_.end(), std::size_t(0));
}

std::size_t VariantRace::next_look() const {
  const auto later =
      std::ranges::find_if(kRaceLooks, [&](std::size_t num_seeds) { return num_seeds > this->num_seeds(); });
  return later == kRaceLooks.end() ? 0 : *later;
}

void VariantRace::add(std::vector<double> before, std::vector<std::vector<double>> after) {
  require(after.size() == running_.size(), "VariantRace: losses of each variant that goes on");
  before_.push_back(std::move(before));
  for (std::size_t i = 0; i < running_.size(); ++i) after_[running_[i]].push_back(std::move(after[i]));
}

void VariantRace::halve() {
  if (num_seeds() <= kRaceLooks[0]) return;
  std::vector<std::size_t> order = running_;
  std::vector<double> gains(after_.size());
  for (const std::size_t v : running_) gains[v] = mean_gain(v);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t v) { return gains[v]; });
  order.resize(std::min(order.size(), std::max<std::size_t>(2, (order.size() + 1) / 2)));
  std::ranges::sort(order);
  running_ = std::move(order);
}

GainAtLook VariantRace::gain_between(const Seeds& before, const Seeds& after, double least_sd,
                                     double miss) const {
  PairedLosses losses(num_pictures_);
  const std::size_t num_seeds = std::min(before.size(), after.size());
  for (std::size_t s = 0; s < num_seeds; ++s) losses.add(before[s], after[s]);
  return gain_at({num_seeds, miss}, losses, least_sd);
}

double VariantRace::mean_gain(std::size_t variant) const {
  PairedLosses losses(num_pictures_);
  for (std::size_t s = 0; s < after_[variant].size(); ++s) losses.add(before_[s], after_[variant][s]);
  return losses.gain();
}

RaceStandings VariantRace::standings(double placebo_sd) const {
  RaceStandings standings;
  std::vector<double> gains(after_.size());
  for (const std::size_t v : running_) gains[v] = mean_gain(v);
  standings.best =
      *std::ranges::max_element(running_, {}, [&](std::size_t variant) { return gains[variant]; });
  const double one_sided = kMiss / double(after_.size() - 1) / double(kRaceLooks.size());
  for (const Seeds& own : after_) {
    VariantStanding standing;
    standing.num_seeds = own.size();
    standing.gain = gain_between(before_, own, placebo_sd / 4, kMiss);
    standing.than_first = gain_between(after_[0], own, 0, kMiss);
    standing.behind_best = gain_between(own, after_[standings.best], 0, 2 * one_sided);
    standing.is_surely_worse = standing.behind_best.interval.low > 0;
    standings.variants.push_back(std::move(standing));
  }
  return standings;
}

}  // namespace mash
