// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/feature_moves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/analysis/answers/changes.hpp"

namespace mash {

std::vector<std::size_t> rivals_of(std::span<const double> scores, std::size_t predicted) {
  std::vector<std::size_t> rivals(scores.size());
  std::iota(rivals.begin(), rivals.end(), std::size_t(0));
  std::erase(rivals, predicted);
  std::stable_sort(rivals.begin(), rivals.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  rivals.resize(std::min(rivals.size(), kMostRivals));
  return rivals;
}

double relative_move(float from, float to) {
  if (std::isnan(from)) return 1;
  const double size = std::abs(double(from)) + std::abs(double(to));
  return size > 0 ? std::abs(double(to) - double(from)) / size : 0;
}

std::optional<FeatureChange> change_in(const std::optional<MoveCandidate>& candidate) {
  return candidate ? std::optional(candidate->change) : std::nullopt;
}

}  // namespace mash
