// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/neighbours_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mash {
namespace {

constexpr std::size_t kQueriesAtOnce = 64, kRowsOfTile = 64;  // whose distances stay in the nearest cache

// Puts a neighbour among the k nearest, in their order.
void insert(const NearExample& found, std::size_t k, std::vector<NearExample>& nearest) {
  if (nearest.size() == k) nearest.pop_back();
  const auto place =
      std::upper_bound(nearest.begin(), nearest.end(), found.distance,
                       [](double distance, const NearExample& other) { return distance < other.distance; });
  nearest.insert(place, found);
}

void score(const NeighboursModel& model, std::span<const NearExample> nearest, std::span<double> scores) {
  std::fill(scores.begin(), scores.end(), 0.0);
  double total = 0;
  for (const NearExample& neighbour : nearest) {
    scores[model.classes[neighbour.example]] += model.example_weights[neighbour.example];
    total += model.example_weights[neighbour.example];
  }
  for (double& share : scores) share /= total;
  const double largest = *std::max_element(scores.begin(), scores.end());
  if (std::count(scores.begin(), scores.end(), largest) == 1) return;
  for (const NearExample& neighbour : nearest) {
    double& share = scores[model.classes[neighbour.example]];
    if (share != largest) continue;
    share = std::nextafter(share, std::numeric_limits<double>::infinity());
    return;
  }
}

}  // namespace

std::vector<std::vector<NearExample>> nearest_neighbours(const NeighboursModel& model,
                                                         const NumberRows& queries, std::size_t num_queries) {
  const std::size_t num_rows = model.classes.size();
  const std::size_t k = std::min<std::size_t>(model.num_neighbours, num_rows);
  std::vector<std::vector<NearExample>> nearest(num_queries);
  std::vector<double> distances(kQueriesAtOnce * kRowsOfTile);
  for (std::size_t begin = 0; begin < num_queries; begin += kQueriesAtOnce) {
    const RowRange asked{begin, std::min(kQueriesAtOnce, num_queries - begin)};
    for (std::size_t first = 0; first < num_rows; first += kRowsOfTile) {
      const RowRange tile{first, std::min(kRowsOfTile, num_rows - first)};
      power_distances(queries, asked, model.rows, tile, model.power, distances.data());
      for (std::size_t a = 0; a < asked.count; ++a) {
        std::vector<NearExample>& found = nearest[begin + a];
        for (std::size_t b = 0; b < tile.count; ++b) {
          const double distance = distances[a * tile.count + b];
          if (found.size() < k || distance < found.back().distance)
            insert({distance, std::uint32_t(first + b)}, k, found);
        }
      }
    }
  }
  return nearest;
}

NumberScores number_scores(const NeighboursModel& model) {
  return [&model](std::span<const float> numbers, std::span<double> scores) {
    const std::size_t num_classes = model.num_classes();
    NumberRows queries{model.inputs.size()};
    add_rows(numbers, model.rows.are_codes(), queries);
    const auto nearest = nearest_neighbours(model, queries, scores.size() / num_classes);
    for (std::size_t n = 0; n < nearest.size(); ++n)
      score(model, nearest[n], scores.subspan(n * num_classes, num_classes));
  };
}

}  // namespace mash
