// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "framework/base/random.hpp"

namespace mash {
namespace {

// Some of [0, n), increasing; all of them where n is no more than wanted.
std::vector<std::uint32_t> sample(std::size_t n, std::size_t wanted, RandomStream stream) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  if (n <= wanted) return numbers;
  stream.shuffle(std::span(numbers));
  numbers.resize(wanted);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Writes the codes as a column of `columns`; false where they are all equal.
bool standardise(std::span<const std::uint8_t> codes, cv::Mat& columns, int column) {
  const auto count = double(codes.size());
  double mean = 0, squares = 0;
  for (const std::uint8_t code : codes) mean += code / count;
  for (const std::uint8_t code : codes) squares += (code - mean) * (code - mean);
  if (squares <= 0) return false;
  const double scale = 1 / std::sqrt(squares / count);
  for (std::size_t n = 0; n < codes.size(); ++n)
    columns.at<double>(int(n), column) = (codes[n] - mean) * scale;
  return true;
}

}  // namespace

cv::Mat sampled_columns(const FeatureSet& features, std::size_t family_idx,
                        const SimilaritySettings& settings) {
  // Shuffled: the published order may be by class, and ridge_r2 divides the rows.
  auto rows = sample(features.num_train(), settings.num_examples,
                     RandomStream(settings.seed, "reports.similarity.examples"));
  auto wanted = sample(features.family_size(family_idx), settings.num_columns,
                       RandomStream(settings.seed, "reports.similarity.columns"));
  for (std::uint32_t& feature : wanted) feature += features.first_feature(family_idx);
  std::vector<std::uint8_t> codes(wanted.size() * rows.size());
  features.gather(wanted, rows, codes.data(), rows.size());
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0u);
  RandomStream(settings.seed, "reports.similarity.order").shuffle(std::span(order));
  cv::Mat columns(int(rows.size()), int(wanted.size()), CV_64F);
  std::vector<std::uint8_t> shuffled(rows.size());
  int num_columns = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (std::size_t n = 0; n < order.size(); ++n) shuffled[n] = codes[i * rows.size() + order[n]];
    if (standardise(shuffled, columns, num_columns)) ++num_columns;
  }
  return columns.colRange(0, num_columns).clone();
}

double linear_cka(const cv::Mat& x, const cv::Mat& y) {
  if (x.empty() || y.empty()) return 0;
  const cv::Mat xy = y.t() * x, xx = x.t() * x, yy = y.t() * y;
  return xy.dot(xy) / (cv::norm(xx) * cv::norm(yy));
}

double ridge_r2(const cv::Mat& x, const cv::Mat& y, double lambda) {
  if (x.empty() || y.empty()) return 0;
  const int num_fitted = x.rows * 2 / 3;
  const cv::Mat fit_x = x.rowRange(0, num_fitted), fit_y = y.rowRange(0, num_fitted),
                new_x = x.rowRange(num_fitted, x.rows), new_y = y.rowRange(num_fitted, y.rows);
  const cv::Mat gram = fit_x.t() * fit_x + lambda * num_fitted * cv::Mat::eye(x.cols, x.cols, CV_64F);
  cv::Mat coefficients;
  cv::solve(gram, fit_x.t() * fit_y, coefficients, cv::DECOMP_CHOLESKY);
  const cv::Mat residual = new_y - new_x * coefficients;
  return std::max(0.0, 1 - residual.dot(residual) / new_y.dot(new_y));
}

std::vector<Neighbour> neighbours_of(const cv::Mat& own, const std::vector<cv::Mat>& others,
                                     const Workers& workers) {
  std::vector<Neighbour> neighbours(others.size());
  workers.for_blocks(others.size(), 1, [&](std::size_t k, std::size_t, std::size_t) {
    neighbours[k] = {k, linear_cka(own, others[k]), ridge_r2(others[k], own), ridge_r2(own, others[k])};
  });
  std::stable_sort(neighbours.begin(), neighbours.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::tie(a.cka, a.explained_by) > std::tie(b.cka, b.explained_by);
  });
  return neighbours;
}

std::vector<cv::Mat> all_sampled_columns(const FeatureSet& features, const SimilaritySettings& settings,
                                         const Workers& workers) {
  std::vector<cv::Mat> columns(features.num_families());
  workers.for_blocks(columns.size(), 1, [&](std::size_t k, std::size_t, std::size_t) {
    columns[k] = sampled_columns(features, k, settings);
  });
  return columns;
}

}  // namespace mash
