// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "framework/base/parallel.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

struct SimilaritySettings {
  std::size_t num_examples = 1000;  // of the training side, at most
  std::size_t num_columns = 96;     // of each family, at most
  std::uint64_t seed = 1;           // of who is taken
};

// Codes of some features of some training examples, a feature after the other. Those of two sets of features
// of the same data are of the same examples in the same order, and can be compared.
struct SampledCodes {
  std::size_t num_examples = 0;
  std::vector<std::uint8_t> codes = {};
};
SampledCodes sampled_codes(const FeatureSet& features, std::size_t family_idx,
                           const SimilaritySettings& settings);
// Its features as columns, standardised to mean 0 and variance 1 over the examples; constant ones are left
// out. num_examples x num_columns doubles. What is left of less than a column is passed over.
cv::Mat columns_of(const SampledCodes& sample);

// A sample of a family's columns as the learner sees them: codes (ranks, so no monotone change of a feature
// matters), as columns_of has them.
cv::Mat sampled_columns(const FeatureSet& features, std::size_t family_idx,
                        const SimilaritySettings& settings);

// Groups of columns as one; empty where none has columns.
cv::Mat side_by_side(std::span<const cv::Mat> groups);

// Linear centred kernel alignment of two sets of columns over the same examples (Kornblith et al. 2019, eq.
// 3): |Y'X|^2 / (|X'X| |Y'Y|), norms of Frobenius. 1 for equal spaces up to rotation and scale, 0 for
// uncorrelated ones; 0 where one has no columns. REQUIRES: columns of mean 0.
double linear_cka(const cv::Mat& x, const cv::Mat& y);

inline constexpr double kRidgePenalty = 0.01;  // of a ridge regression, per example
// How much of y a ridge regression on x explains on examples it has not seen: fitted on the first two thirds
// with that penalty, R^2 = 1 - |Y - XB|^2 / |Y|^2 on the rest, over all columns together, at least 0. One
// way: x that contains y explains it, not the reverse. 0 where one has no columns.
double ridge_r2(const cv::Mat& x, const cv::Mat& y);

// Another family, as near as it is.
struct Neighbour {
  std::size_t family_idx = 0;  // among those that were asked about
  double cka = 0;              // symmetric
  double explained_by = 0;     // ridge R^2 of the own columns from the other's
  double explains = 0;         // of the other's columns from the own
};

// All pairs of some sets of columns over the same examples.
struct Likeness {
  cv::Mat cka;        // n x n doubles: linear_cka, 1 on the diagonal where there are columns
  cv::Mat explained;  // n x n doubles: of row i and column j the ridge_r2 of i's columns from j's; 0 on the
                      // diagonal
};
// Each product of two sets is computed once, for both figures and both ways.
Likeness likeness_of(const std::vector<cv::Mat>& columns, const Workers& workers);

// The others, nearest first: by CKA, then by explained_by. Those without columns are as far as can be.
// others: places in the likeness; Neighbour::family_idx is a place among these.
std::vector<Neighbour> neighbours_of(const Likeness& likeness, std::size_t own,
                                     std::span<const std::size_t> others);

// The same from columns alone; Neighbour::family_idx is a place among the others.
std::vector<Neighbour> neighbours_of(const cv::Mat& own, std::span<const cv::Mat> others,
                                     const Workers& workers);

// sampled_columns of every family.
std::vector<cv::Mat> all_sampled_columns(const FeatureSet& features, const SimilaritySettings& settings,
                                         const Workers& workers);

}  // namespace mash
