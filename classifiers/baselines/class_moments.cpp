// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/class_moments.hpp"

#include <cmath>

#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/row_blocks.hpp"

namespace mash {
namespace {

constexpr std::size_t kColumnsOfThread = 64;

// Calls body(i, n, x) for the number x of each column i and row n, of a weight above 0. A column is walked by
// one thread, and its rows in their order.
template <class Body>
Status for_numbers(const FeatureMatrix& matrix, std::span<const double> weights, const WorkContext& work,
                   const Body& body) {
  const std::size_t width = matrix.num_columns();
  return for_row_blocks(matrix, work, [&](std::size_t first, std::span<const float> numbers) {
    work.workers.for_ranges(width, kColumnsOfThread, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = 0; r * width < numbers.size(); ++r) {
        if (weights[first + r] == 0) continue;
        for (std::size_t i = begin; i < end; ++i) body(i, first + r, numbers[r * width + i]);
      }
    });
  });
}

}  // namespace

Result<ClassMoments> class_moments(const FeatureMatrix& matrix, std::span<const std::uint16_t> labels,
                                   std::size_t num_classes, std::span<const double> weights,
                                   const WorkContext& work) {
  const std::size_t width = matrix.num_columns();
  ClassMoments moments{std::vector<double>(num_classes), std::vector<double>(width),
                       std::vector<double>(width * num_classes), std::vector<double>(width * num_classes),
                       std::vector<double>(width)};
  double total = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    moments.weights[labels[n]] += weights[n];
    total += weights[n];
  }
  work.progress.start("means and variances", 2 * matrix.num_rows(), "examples");
  std::vector<double> found(width), missing(width * num_classes);  // weights
  MASH_TRY(for_numbers(matrix, weights, work, [&](std::size_t i, std::size_t n, float x) {
    const std::size_t place = i * num_classes + labels[n];
    if (!std::isfinite(x)) {
      missing[place] += weights[n];
      return;
    }
    found[i] += weights[n];
    moments.class_means[place] += weights[n] * double(x);
  }));
  for (std::size_t i = 0; i < width; ++i) {
    double sum = 0;
    for (std::size_t l = 0; l < num_classes; ++l) sum += moments.class_means[i * num_classes + l];
    moments.means[i] = found[i] > 0 ? sum / found[i] : 0;
    for (std::size_t l = 0; l < num_classes; ++l) {
      double& mean = moments.class_means[i * num_classes + l];
      mean += missing[i * num_classes + l] * double(stand_in(moments.means[i]));
      if (moments.weights[l] > 0) mean /= moments.weights[l];
    }
  }
  MASH_TRY(for_numbers(matrix, weights, work, [&](std::size_t i, std::size_t n, float x) {
    const std::size_t place = i * num_classes + labels[n];
    const double difference =
        double(std::isfinite(x) ? x : stand_in(moments.means[i])) - moments.class_means[place];
    moments.class_squares[place] += weights[n] * difference * difference;
  }));
  work.progress.finish();
  for (std::size_t i = 0; i < width; ++i) {
    double mean = 0;
    for (std::size_t l = 0; l < num_classes; ++l)
      mean += moments.weights[l] / total * moments.class_means[i * num_classes + l];
    for (std::size_t l = 0; l < num_classes; ++l) {
      const std::size_t place = i * num_classes + l;
      const double between = moments.class_means[place] - mean;
      moments.variances[i] += (moments.class_squares[place] + moments.weights[l] * between * between) / total;
      if (moments.weights[l] > 0) moments.class_squares[place] /= moments.weights[l];
    }
  }
  return moments;
}

}  // namespace mash
