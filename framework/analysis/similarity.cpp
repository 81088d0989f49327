// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/similarity.hpp"

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

// The number of examples that a ridge regression is fitted on; it is judged on the others.
int num_fitted_rows(const cv::Mat& columns) { return columns.rows * 2 / 3; }

// Products X'Y of two sets of columns over the examples that are fitted on and over the others.
struct Grams {
  cv::Mat fitted, others;
  int num_fitted = 0;

  cv::Mat all() const { return fitted + others; }
  Grams transposed() const { return {fitted.t(), others.t(), num_fitted}; }
};
Grams grams_of(const cv::Mat& x, const cv::Mat& y) {
  if (x.empty() || y.empty()) return {};
  const int num_fitted = num_fitted_rows(x);
  return {x.rowRange(0, num_fitted).t() * y.rowRange(0, num_fitted),
          x.rowRange(num_fitted, x.rows).t() * y.rowRange(num_fitted, y.rows), num_fitted};
}

// The public ridge_r2 of y from x, from products alone: |Y - XB|^2 = |Y|^2 - 2 tr(B'X'Y) + tr(B'X'XB).
double ridge_r2(const Grams& xx, const Grams& xy, const Grams& yy) {
  const cv::Mat penalty = kRidgePenalty * xx.num_fitted * cv::Mat::eye(xx.fitted.size(), CV_64F);
  cv::Mat coefficients;
  cv::solve(xx.fitted + penalty, xy.fitted, coefficients, cv::DECOMP_CHOLESKY);
  const double length = cv::trace(yy.others)[0];
  const double residual =
      length - 2 * coefficients.dot(xy.others) + coefficients.dot(xx.others * coefficients);
  return std::max(0.0, 1 - residual / length);
}

// linear_cka of X and Y, and ridge_r2 of each one's columns from the other's.
struct PairLikeness {
  double cka = 0, x_from_y = 0, y_from_x = 0;
};
// xx, yy: the grams of each with itself. All 0 where one has no columns.
PairLikeness pair_likeness(const cv::Mat& x, const Grams& xx, const cv::Mat& y, const Grams& yy) {
  if (x.empty() || y.empty()) return {};
  const Grams xy = grams_of(x, y);
  return {xy.all().dot(xy.all()) / (cv::norm(xx.all()) * cv::norm(yy.all())),
          ridge_r2(yy, xy.transposed(), xx), ridge_r2(xx, xy, yy)};
}

void sort_by_likeness(std::vector<Neighbour>& neighbours) {
  std::stable_sort(neighbours.begin(), neighbours.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::tie(a.cka, a.explained_by) > std::tie(b.cka, b.explained_by);
  });
}

}  // namespace

SampledCodes sampled_codes(const FeatureSet& features, std::size_t family_idx,
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
  SampledCodes shuffled{rows.size(), std::vector<std::uint8_t>(codes.size())};
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (std::size_t n = 0; n < order.size(); ++n)
      shuffled.codes[i * rows.size() + n] = codes[i * rows.size() + order[n]];
  return shuffled;
}

cv::Mat columns_of(const SampledCodes& sample) {
  if (sample.num_examples == 0) return {};
  const std::size_t num_features = sample.codes.size() / sample.num_examples;
  cv::Mat columns(int(sample.num_examples), int(num_features), CV_64F);
  int num_columns = 0;
  for (std::size_t i = 0; i < num_features; ++i) {
    const auto codes = std::span(sample.codes).subspan(i * sample.num_examples, sample.num_examples);
    if (standardise(codes, columns, num_columns)) ++num_columns;
  }
  return columns.colRange(0, num_columns).clone();
}

cv::Mat sampled_columns(const FeatureSet& features, std::size_t family_idx,
                        const SimilaritySettings& settings) {
  return columns_of(sampled_codes(features, family_idx, settings));
}

cv::Mat side_by_side(std::span<const cv::Mat> groups) {
  std::vector<cv::Mat> parts;
  for (const cv::Mat& group : groups)
    if (!group.empty()) parts.push_back(group);
  cv::Mat all;
  if (!parts.empty()) cv::hconcat(parts, all);
  return all;
}

double linear_cka(const cv::Mat& x, const cv::Mat& y) {
  if (x.empty() || y.empty()) return 0;
  const cv::Mat xy = y.t() * x, xx = x.t() * x, yy = y.t() * y;
  return xy.dot(xy) / (cv::norm(xx) * cv::norm(yy));
}

double ridge_r2(const cv::Mat& x, const cv::Mat& y) {
  if (x.empty() || y.empty()) return 0;
  const int num_fitted = num_fitted_rows(x);
  const cv::Mat fit_x = x.rowRange(0, num_fitted), fit_y = y.rowRange(0, num_fitted),
                new_x = x.rowRange(num_fitted, x.rows), new_y = y.rowRange(num_fitted, y.rows);
  const cv::Mat gram = fit_x.t() * fit_x + kRidgePenalty * num_fitted * cv::Mat::eye(x.cols, x.cols, CV_64F);
  cv::Mat coefficients;
  cv::solve(gram, fit_x.t() * fit_y, coefficients, cv::DECOMP_CHOLESKY);
  const cv::Mat residual = new_y - new_x * coefficients;
  return std::max(0.0, 1 - residual.dot(residual) / new_y.dot(new_y));
}

Likeness likeness_of(const std::vector<cv::Mat>& columns, const Workers& workers) {
  const auto size = int(columns.size());
  Likeness likeness{cv::Mat::zeros(size, size, CV_64F), cv::Mat::zeros(size, size, CV_64F)};
  std::vector<Grams> grams(columns.size());
  workers.for_blocks(columns.size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
    grams[i] = grams_of(columns[i], columns[i]);
  });
  workers.for_blocks(columns.size(), 1, [&](std::size_t block, std::size_t, std::size_t) {
    const int i = int(block);
    if (columns[block].empty()) return;
    likeness.cka.at<double>(i, i) = 1;
    for (int j = 0; j < i; ++j) {
      const auto other = std::size_t(j);
      const PairLikeness pair = pair_likeness(columns[block], grams[block], columns[other], grams[other]);
      likeness.cka.at<double>(i, j) = likeness.cka.at<double>(j, i) = pair.cka;
      likeness.explained.at<double>(i, j) = pair.x_from_y;
      likeness.explained.at<double>(j, i) = pair.y_from_x;
    }
  });
  return likeness;
}

std::vector<Neighbour> neighbours_of(const Likeness& likeness, std::size_t own,
                                     std::span<const std::size_t> others) {
  std::vector<Neighbour> neighbours;
  for (std::size_t k = 0; k < others.size(); ++k) {
    const int i = int(own), j = int(others[k]);
    neighbours.push_back({k, likeness.cka.at<double>(i, j), likeness.explained.at<double>(i, j),
                          likeness.explained.at<double>(j, i)});
  }
  sort_by_likeness(neighbours);
  return neighbours;
}

std::vector<Neighbour> neighbours_of(const cv::Mat& own, std::span<const cv::Mat> others,
                                     const Workers& workers) {
  std::vector<Neighbour> neighbours(others.size());
  const Grams of_own = grams_of(own, own);
  workers.for_blocks(others.size(), 1, [&](std::size_t k, std::size_t, std::size_t) {
    const cv::Mat& other = others[k];
    const PairLikeness pair = pair_likeness(own, of_own, other, grams_of(other, other));
    neighbours[k] = {k, pair.cka, pair.x_from_y, pair.y_from_x};
  });
  sort_by_likeness(neighbours);
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
