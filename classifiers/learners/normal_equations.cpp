// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/normal_equations.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "classifiers/learners/fixed_cache.hpp"
#include "classifiers/learners/row_blocks.hpp"

namespace mash {
namespace {

constexpr std::size_t kTileColumns = 128;  // of the gram matrix, the work of one thread

using Matrix = Eigen::MatrixXd;

// The weighted mean of the finite numbers of each column.
Result<std::vector<double>> column_means(const FeatureMatrix& matrix, std::span<const double> weights,
                                         const WorkContext& work) {
  const std::size_t width = matrix.num_columns();
  std::vector<double> sums(width), totals(width);
  MASH_TRY(for_row_blocks(matrix, work, [&](std::size_t first, std::span<const float> numbers) {
    work.workers.for_ranges(width, kTileColumns, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = 0; r < numbers.size() / width; ++r)
        for (std::size_t i = begin; i < end; ++i) {
          const float x = numbers[r * width + i];
          const double weight = std::isfinite(x) ? weights[first + r] : 0;
          totals[i] += weight;
          if (weight > 0) sums[i] += weight * double(x);
        }
    });
  }));
  for (std::size_t i = 0; i < width; ++i) sums[i] = totals[i] > 0 ? sums[i] / totals[i] : 0;
  return sums;
}

// Sums over the examples of products of columns that are centred, each row times the root of its weight.
class CentredSums {
 public:
  CentredSums(std::span<const double> means, std::size_t num_classes)
      : means_(means),
        gram_(Matrix::Zero(Eigen::Index(means.size()), Eigen::Index(means.size()))),
        moments_(Matrix::Zero(Eigen::Index(means.size()), Eigen::Index(num_classes))) {}

  // numbers: rows of the matrix. targets: of the same rows, each times the root of its weight.
  void add(std::span<const float> numbers, std::span<const double> weights, const Matrix& targets,
           const Workers& workers) {
    const std::size_t width = means_.size(), count = weights.size();
    Matrix rows(count, width);
    workers.for_ranges(width, kTileColumns, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t r = 0; r < count; ++r) {
          const float x = numbers[r * width + i];
          const double centred = double(std::isfinite(x) ? x : stand_in(means_[i])) - means_[i];
          rows(Eigen::Index(r), Eigen::Index(i)) = weights[r] > 0 ? std::sqrt(weights[r]) * centred : 0;
        }
    });
    const std::size_t num_tiles = (width + kTileColumns - 1) / kTileColumns;
    workers.for_each_in_order(num_tiles * num_tiles, [&](std::size_t task) {
      const std::size_t a = task / num_tiles, b = task % num_tiles;
      if (b > a) return;  // the other half is the same
      const auto left = tile(rows, a), right = tile(rows, b);
      gram_.block(Eigen::Index(a * kTileColumns), Eigen::Index(b * kTileColumns), left.cols(), right.cols())
          .noalias() += left.transpose() * right;
      if (b == 0)
        moments_.middleRows(Eigen::Index(a * kTileColumns), left.cols()).noalias() +=
            left.transpose() * targets;
    });
  }

  double gram(std::size_t i, std::size_t j) const {
    return gram_(Eigen::Index(std::max(i, j)), Eigen::Index(std::min(i, j)));
  }
  double moment(std::size_t i, std::size_t label) const {
    return moments_(Eigen::Index(i), Eigen::Index(label));
  }

 private:
  static auto tile(const Matrix& rows, std::size_t idx) -> decltype(rows.middleCols(0, 0)) {
    const auto first = Eigen::Index(idx * kTileColumns);
    return rows.middleCols(first, std::min(Eigen::Index(kTileColumns), rows.cols() - first));
  }

  std::span<const double> means_;
  Matrix gram_;  // its lower half
  Matrix moments_;
};

// The weighted means and squares of the targets, and the number of examples.
void add_targets(std::span<const std::uint16_t> labels, std::span<const double> weights,
                 NormalEquations& equations) {
  double total = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    total += weights[n];
    equations.num_examples += weights[n] > 0;
    for (std::size_t l = 0; l < equations.num_classes(); ++l)
      equations.target_means[l] += labels[n] == l ? weights[n] : -weights[n];
  }
  for (double& mean : equations.target_means) {
    mean /= total;
    equations.target_squares += total * (1 - mean * mean);  // targets are -1 or 1
  }
}

}  // namespace

Result<NormalEquations> normal_equations(const FeatureMatrix& matrix, std::span<const std::uint16_t> labels,
                                         std::size_t num_classes, std::span<const double> weights,
                                         const WorkContext& work) {
  fix_cache_sizes();
  NormalEquations equations;
  equations.target_means.resize(num_classes);
  add_targets(labels, weights, equations);
  work.progress.start("normal equations", 2 * matrix.num_rows(), "examples");
  MASH_ASSIGN(const std::vector<double> means, column_means(matrix, weights, work));
  CentredSums sums(means, num_classes);
  MASH_TRY(for_row_blocks(matrix, work, [&](std::size_t first, std::span<const float> numbers) {
    const std::size_t count = std::min(kBlockRows, matrix.num_rows() - first);
    Matrix targets(count, num_classes);
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t l = 0; l < num_classes; ++l)
        targets(Eigen::Index(r), Eigen::Index(l)) =
            (labels[first + r] == l ? 1 : -1) * std::sqrt(weights[first + r]);
    sums.add(numbers, weights.subspan(first, count), targets, work.workers);
  }));
  work.progress.finish();

  double total = 0;
  for (const double weight : weights) total += weight;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double scale = std::sqrt(sums.gram(i, i) / total);
    if (is_constant(means[i], scale)) continue;
    equations.columns.push_back(std::uint32_t(i));
    equations.means.push_back(means[i]);
    equations.scales.push_back(scale);
  }
  const std::size_t size = equations.num_columns();
  equations.gram.resize(size * size);
  equations.moments.resize(size * num_classes);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      equations.gram[i * size + j] =
          sums.gram(equations.columns[i], equations.columns[j]) / (equations.scales[i] * equations.scales[j]);
    for (std::size_t l = 0; l < num_classes; ++l)
      equations.moments[i * num_classes + l] = sums.moment(equations.columns[i], l) / equations.scales[i];
  }
  return equations;
}

}  // namespace mash
