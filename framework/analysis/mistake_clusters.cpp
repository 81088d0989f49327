// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/mistake_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace mash {
namespace {

using Places = std::vector<std::size_t>;

// The shares of mistakes as points on the unit sphere, family after family: so loops over mistakes vectorise.
class Directions {
 public:
  explicit Directions(std::span<const Mistake> mistakes)
      : num_points_(mistakes.size()), num_families_(mistakes.empty() ? 0 : mistakes[0].shares.size()) {
    points_.resize(num_points_ * num_families_);
    for (std::size_t i = 0; i < num_points_; ++i) {
      const auto& shares = mistakes[i].shares;
      const double length = std::sqrt(std::inner_product(shares.begin(), shares.end(), shares.begin(), 0.0));
      for (std::size_t k = 0; k < num_families_ && length > 0; ++k)
        points_[k * num_points_ + i] = shares[k] / length;
    }
  }

  std::size_t size() const { return num_points_; }

  // Those of some points only.
  Directions at(const Places& places) const {
    Directions some({});
    some.num_points_ = places.size();
    some.num_families_ = num_families_;
    for (std::size_t k = 0; k < num_families_; ++k)
      for (const std::size_t i : places) some.points_.push_back(points_[k * num_points_ + i]);
    return some;
  }

  // From a point to all points.
  std::vector<double> distances_from(std::size_t point) const {
    std::vector<double> distances(num_points_);
    for (std::size_t k = 0; k < num_families_; ++k) {
      const double* coordinates = &points_[k * num_points_];
      for (std::size_t i = 0; i < num_points_; ++i) {
        const double difference = coordinates[i] - coordinates[point];
        distances[i] += difference * difference;
      }
    }
    for (double& distance : distances) distance = std::sqrt(distance);
    return distances;
  }

  // For each point, the sum of its distances to all points.
  std::vector<double> distance_sums() const {
    std::vector<double> sums;
    for (std::size_t i = 0; i < num_points_; ++i) {
      const auto distances = distances_from(i);
      sums.push_back(std::accumulate(distances.begin(), distances.end(), 0.0));
    }
    return sums;
  }

 private:
  std::size_t num_points_, num_families_;
  std::vector<double> points_;
};

std::size_t place_of_least(const std::vector<double>& values) {
  return std::size_t(std::min_element(values.begin(), values.end()) - values.begin());
}

// The overall medoid, then again and again the point farthest from those that there are.
Places first_medoids(const Directions& points, std::size_t max_medoids) {
  Places medoids{place_of_least(points.distance_sums())};
  std::vector<double> nearest = points.distances_from(medoids[0]);
  while (medoids.size() < max_medoids) {
    const auto farthest = std::max_element(nearest.begin(), nearest.end());
    if (*farthest <= 0) break;  // all points are medoids or copies of one
    medoids.push_back(std::size_t(farthest - nearest.begin()));
    const auto distances = points.distances_from(medoids.back());
    for (std::size_t i = 0; i < nearest.size(); ++i) nearest[i] = std::min(nearest[i], distances[i]);
  }
  return medoids;
}

// For each medoid, the points that are nearest to it, increasing.
std::vector<Places> assign(const Directions& points, const Places& medoids) {
  std::vector<double> nearest = points.distances_from(medoids[0]);
  Places owners(points.size());
  for (std::size_t c = 1; c < medoids.size(); ++c) {
    const auto distances = points.distances_from(medoids[c]);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (distances[i] < nearest[i]) {
        nearest[i] = distances[i];
        owners[i] = c;
      }
  }
  std::vector<Places> members(medoids.size());
  for (std::size_t i = 0; i < owners.size(); ++i) members[owners[i]].push_back(i);
  return members;
}

// The member with the least sum of distances to the others. The one that is there stays unless another is
// nearer by more than rounding, so that moving medoids comes to an end.
std::size_t medoid_of(const Directions& points, const Places& members, std::size_t medoid) {
  constexpr double kRounding = 1e-12;
  const auto sums = points.at(members).distance_sums();
  const auto place = std::size_t(std::lower_bound(members.begin(), members.end(), medoid) - members.begin());
  const std::size_t least = place_of_least(sums);
  return sums[least] < sums[place] * (1 - kRounding) ? members[least] : medoid;
}

MistakeCluster described(std::span<const Mistake> mistakes, const Directions& points, Places members,
                         std::size_t medoid) {
  MistakeCluster cluster;
  cluster.medoid = medoid;
  cluster.shares.resize(mistakes[medoid].shares.size());
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> pairs;
  for (const std::size_t i : members) {
    ++pairs[{mistakes[i].label, mistakes[i].predicted}];
    for (std::size_t k = 0; k < cluster.shares.size(); ++k)
      cluster.shares[k] += mistakes[i].shares[k] / double(members.size());
  }
  const auto& [pair, count] = *std::max_element(
      pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::tie(cluster.label, cluster.predicted) = pair;
  cluster.num_pair = count;
  const auto distances = points.distances_from(medoid);
  std::stable_sort(members.begin(), members.end(),
                   [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
  cluster.mistakes = std::move(members);
  return cluster;
}

}  // namespace

std::vector<Mistake> mistakes_of(const StrongClassifier& model, const CutAnswers& answers,
                                 std::span<const std::uint16_t> labels, const Workers& workers) {
  std::vector<ExampleShares> examples = example_shares(model, answers, labels, workers);
  std::vector<Mistake> mistakes;
  for (std::size_t n = 0; n < examples.size(); ++n)
    if (examples[n].predicted != labels[n])
      mistakes.push_back(
          {n, labels[n], examples[n].predicted, examples[n].margin, std::move(examples[n].families)});
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const Mistake& a, const Mistake& b) { return a.margin < b.margin; });
  return mistakes;
}

std::vector<MistakeCluster> mistake_clusters(std::span<const Mistake> mistakes, std::size_t max_clusters) {
  if (mistakes.empty() || max_clusters == 0) return {};
  mistakes = mistakes.first(std::min(mistakes.size(), kMaxClustered));
  const Directions points(mistakes);
  Places medoids = first_medoids(points, max_clusters);
  std::vector<Places> members;
  for (Places before; before != medoids;) {
    before = medoids;
    members = assign(points, medoids);
    for (std::size_t c = 0; c < medoids.size(); ++c) medoids[c] = medoid_of(points, members[c], medoids[c]);
  }
  std::vector<MistakeCluster> clusters;
  for (std::size_t c = 0; c < medoids.size(); ++c)
    clusters.push_back(described(mistakes, points, std::move(members[c]), medoids[c]));
  std::stable_sort(clusters.begin(), clusters.end(), [](const MistakeCluster& a, const MistakeCluster& b) {
    return a.mistakes.size() > b.mistakes.size();
  });
  return clusters;
}

}  // namespace mash
