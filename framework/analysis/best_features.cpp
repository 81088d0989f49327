// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/best_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxImages = 2000;  // that correlations are taken over

// A feature that takes part.
struct Candidate {
  std::uint32_t feature = 0;  // in the feature set
  std::uint32_t wins = 0;
};

std::vector<Candidate> candidates_of(const FeatureSet& features, std::span<const std::size_t> families,
                                     std::span<const std::uint32_t> wins) {
  std::vector<Candidate> candidates;
  std::size_t place = 0;
  for (const std::size_t k : families)
    for (std::uint32_t j = 0; j < features.family_size(k); ++j, ++place) {
      const std::uint32_t num_wins = wins.empty() ? 0 : wins[place];
      if (!features.families()[k].lazy || num_wins > 0)
        candidates.push_back({features.first_feature(k) + j, num_wins});
    }
  return candidates;
}

// A feature with its best cut; cut 0 is the constant one.
struct BestCut {
  std::uint32_t feature = 0, cut = 0;
  double edge = 0;
  std::uint32_t wins = 0;
};

// The edge of "code >= cut" with votes for each class, where each class and all others together weigh the
// same in it: the sum over classes of |mean vote of its examples - mean vote of the others|, over the number
// of these means. num_above: of each class, the examples with code >= cut.
double edge_of(std::span<const std::int64_t> num_above, std::span<const std::int64_t> class_sizes) {
  const std::int64_t all_above = std::accumulate(num_above.begin(), num_above.end(), std::int64_t(0));
  const std::int64_t num_all = std::accumulate(class_sizes.begin(), class_sizes.end(), std::int64_t(0));
  std::int64_t num_means = 0;
  const auto mean_vote = [&](std::int64_t above, std::int64_t size) {
    if (size == 0) return 0.0;
    ++num_means;
    return double(2 * above - size) / double(size);
  };
  double sum = 0;
  for (std::size_t l = 0; l < class_sizes.size(); ++l)
    sum += std::abs(mean_vote(num_above[l], class_sizes[l]) -
                    mean_vote(all_above - num_above[l], num_all - class_sizes[l]));
  return num_means > 0 ? sum / double(num_means) : 0;
}

// Among equals the lowest cut.
BestCut best_cut(const FeatureSet& features, const Candidate& candidate, const Dataset& dataset) {
  const std::uint32_t feature = candidate.feature;
  const std::size_t num_classes = dataset.num_classes();
  const std::uint32_t num_codes = features.num_cuts(feature) + 1;
  const FeatureColumn column = features.column(Side::kTrain, feature);
  std::vector<std::int64_t> counts(num_codes * num_classes), class_sizes(num_classes);
  for (std::size_t n = 0; n < column.codes.size(); ++n) {
    ++counts[column.codes[n] * num_classes + dataset.train.labels[n]];
    ++class_sizes[dataset.train.labels[n]];
  }
  std::vector<std::int64_t> num_above = class_sizes;
  BestCut best{feature, 0, edge_of(num_above, class_sizes), candidate.wins};
  for (std::uint32_t cut = 1; cut < num_codes; ++cut) {
    for (std::size_t l = 0; l < num_classes; ++l) num_above[l] -= counts[(cut - 1) * num_classes + l];
    if (const double edge = edge_of(num_above, class_sizes); edge > best.edge)
      best = {feature, cut, edge, candidate.wins};
  }
  return best;
}

// The most wins first, of equals the largest edge (ties: lowest feature).
std::vector<BestCut> best_cuts(const FeatureSet& features, std::span<const Candidate> candidates,
                               const Dataset& dataset, std::size_t max_features, const Workers& workers) {
  std::vector<BestCut> cuts(candidates.size());
  workers.for_blocks(candidates.size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
    cuts[i] = best_cut(features, candidates[i], dataset);
  });
  std::stable_sort(cuts.begin(), cuts.end(), [](const BestCut& a, const BestCut& b) {
    return std::pair(a.wins, a.edge) > std::pair(b.wins, b.edge);
  });
  cuts.resize(std::min(cuts.size(), max_features));
  return cuts;
}

std::vector<std::vector<std::uint32_t>> histograms_of(std::span<const std::uint8_t> codes,
                                                      std::size_t num_codes, const Dataset& dataset) {
  std::vector<std::vector<std::uint32_t>> histograms(dataset.num_classes(),
                                                     std::vector<std::uint32_t>(kHistogramBins));
  for (std::size_t n = 0; n < codes.size(); ++n)
    ++histograms[dataset.train.labels[n]][codes[n] * kHistogramBins / num_codes];
  return histograms;
}

// Sums of whole numbers, from which the correlation of two of them follows without cancellation.
struct Moments {
  std::int64_t sum = 0, squares = 0;
};
double correlation(std::int64_t count, const Moments& x, const Moments& y, std::int64_t products) {
  const auto spread = [&](const Moments& m) { return double(count * m.squares - m.sum * m.sum); };
  const double both = spread(x) * spread(y);
  return both > 0 ? double(count * products - x.sum * y.sum) / std::sqrt(both) : 0;
}

// How each pixel's grey value correlates with the codes.
cv::Mat pixel_correlations(const Dataset& dataset, std::span<const std::uint8_t> codes) {
  const std::size_t num_images = std::min(dataset.train.num_examples, kMaxImages);
  const std::size_t num_pixels = std::size_t(dataset.shape.width) * dataset.shape.height;
  std::vector<std::uint32_t> sums(num_pixels), squares(num_pixels), products(num_pixels);
  Moments code_moments;
  ImagePlanes planes(dataset.shape);
  for (std::size_t i = 0; i < num_images; ++i) {
    const std::size_t n = i * dataset.train.num_examples / num_images;
    const std::uint32_t code = codes[n];
    code_moments.sum += code;
    code_moments.squares += std::int64_t(code) * code;
    const std::uint8_t* grey = planes.show(dataset.train.image(n, dataset.shape)).gray.origin;  // packed
    for (std::size_t p = 0; p < num_pixels; ++p) {
      sums[p] += grey[p];
      squares[p] += std::uint32_t(grey[p]) * grey[p];
      products[p] += code * grey[p];
    }
  }
  cv::Mat map(int(dataset.shape.height), int(dataset.shape.width), CV_32F);
  for (std::size_t p = 0; p < num_pixels; ++p)
    map.at<float>(int(p / dataset.shape.width), int(p % dataset.shape.width)) =
        float(correlation(std::int64_t(num_images), {sums[p], squares[p]}, code_moments, products[p]));
  return map;
}

}  // namespace

std::vector<BestFeature> best_features(const FeatureSet& features, std::span<const std::size_t> families,
                                       const Dataset& dataset, std::span<const std::uint32_t> wins,
                                       std::size_t max_features, const Workers& workers) {
  const auto chosen =
      best_cuts(features, candidates_of(features, families, wins), dataset, max_features, workers);
  std::vector<BestFeature> best(chosen.size());
  workers.for_blocks(chosen.size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
    const auto [feature, cut, edge, num_wins] = chosen[i];
    const FeatureColumn column = features.column(Side::kTrain, feature);
    best[i] = {features.family_of(feature),
               features.index_in_family(feature),
               edge,
               cut > 0 ? features.threshold(feature, cut) : -std::numeric_limits<float>::infinity(),
               num_wins,
               histograms_of(column.codes, features.num_cuts(feature) + 1, dataset),
               dataset.is_table() ? cv::Mat() : pixel_correlations(dataset, column.codes)};
  });
  return best;
}

}  // namespace mash
