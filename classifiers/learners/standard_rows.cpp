// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/standard_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/row_blocks.hpp"

namespace mash {
namespace {

// The work of one thread.
constexpr std::size_t kColumnsOfTask = 256, kRowsOfTask = 64;

// Calls body(begin, end) for blocks of [0, n), which fit into a cache; all threads share them.
template <class Body>
void for_blocks(std::size_t n, std::size_t size, const Workers& workers, const Body& body) {
  workers.for_ranges((n + size - 1) / size, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block)
      body(block * size, std::min(n, (block + 1) * size));
  });
}

}  // namespace

Result<StandardRows> StandardRows::read(const FeatureMatrix& matrix, std::span<const double> weights,
                                        const WorkContext& work) {
  const bool as_codes = matrix.number() == FeatureNumber::kCode;
  MASH_TRY(check_rows_fit(matrix));
  StandardRows rows;
  rows.num_rows_ = matrix.num_rows();
  const std::size_t width = matrix.num_columns();
  rows.means_.resize(width);
  if (as_codes)
    rows.codes_.resize(rows.num_rows_ * width);
  else
    rows.values_.resize(rows.num_rows_ * width);
  work.progress.start("rows", matrix.num_rows(), "examples");
  MASH_TRY(for_row_blocks(matrix, work, [&](std::size_t first, std::span<const float> numbers) {
    work.workers.for_ranges(numbers.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        if (as_codes)
          rows.codes_[first * width + k] = std::uint8_t(numbers[k]);
        else
          rows.values_[first * width + k] = numbers[k];
    });
  }));
  work.progress.finish();
  rows.standardise(weights, work);
  rows.multiply_offsets(work.workers);
  return rows;
}

std::vector<double> StandardRows::products(std::span<const double> vectors, std::size_t count,
                                           const Workers& workers) const {
  constexpr std::size_t kRowsAtOnce = 16;  // for which a vector comes from memory once
  const std::size_t width = num_columns();
  std::vector<double> factors(vectors.size()), offsets(count), found(num_rows_ * count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < width; ++i) {
      if (is_constant(i)) continue;
      factors[k * width + i] = vectors[k * width + i] / scales_[i];
      offsets[k] += offsets_[i] * factors[k * width + i];
    }
  for_blocks(num_rows_, kRowsAtOnce, workers, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t n = begin; n < end; ++n)
        found[n * count + k] = mash::product(row(n), std::span(factors).subspan(k * width, width),
                                             row(std::min(n + 1, end - 1))) -
                               offsets[k];
  });
  return found;
}

std::vector<double> StandardRows::weighted_sums(std::span<const double> steps, std::size_t count,
                                                const Workers& workers) const {
  constexpr std::size_t kColumnsAtOnce = 512;  // of which the sums of ten vectors stay in the nearest cache
  const std::size_t width = num_columns();
  std::vector<double> totals(count), found(count * width);
  for (std::size_t i = 0; i < steps.size(); ++i) totals[i % count] += steps[i];
  for_blocks(width, kColumnsAtOnce, workers, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = 0; n < num_rows_; n += 4) {
      FourRows four;
      for (std::size_t r = 0; r < 4; ++r) four[r] = row(std::min(n + r, num_rows_ - 1)).from(begin);
      for (std::size_t k = 0; k < count; ++k) {
        std::array<double, 4> of_four{};
        for (std::size_t r = 0; r < 4 && n + r < num_rows_; ++r) of_four[r] = steps[(n + r) * count + k];
        add_four(four, of_four, end - begin, &found[k * width + begin]);
      }
    }
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = begin; i < end; ++i)
        found[k * width + i] =
            is_constant(i) ? 0 : (found[k * width + i] - totals[k] * offsets_[i]) / scales_[i];
  });
  return found;
}

std::vector<double> StandardRows::squares(const Workers& workers) const {
  std::vector<double> squares(num_rows_);
  workers.for_ranges(num_rows_, kRowsOfTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) squares[n] = square(n);
  });
  return squares;
}

void StandardRows::standardise(std::span<const double> weights, const WorkContext& work) {
  const std::size_t width = num_columns();
  scales_.resize(width);
  inverse_squares_.resize(width);
  work.workers.for_ranges(width, kColumnsOfTask, [&](std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    // Calls use(k, weight, number) for each row of a weight above 0 and each column begin + k.
    const auto for_numbers = [&](const auto& use) {
      for (std::size_t n = 0; n < num_rows_; ++n)
        for (std::size_t k = 0; weights[n] > 0 && k < count; ++k) {
          const std::size_t place = n * width + begin + k;
          use(k, weights[n], codes_.empty() ? double(values_[place]) : double(codes_[place]));
        }
    };
    std::vector<double> sums(count), totals(count);
    for_numbers([&](std::size_t k, double weight, double x) {
      if (!std::isfinite(x)) return;
      totals[k] += weight;
      sums[k] += weight * x;
    });
    for (std::size_t k = 0; k < count; ++k) means_[begin + k] = totals[k] > 0 ? sums[k] / totals[k] : 0;
    for (std::size_t n = 0; !values_.empty() && n < num_rows_; ++n)
      for (std::size_t i = begin; i < end; ++i) {
        float& value = values_[n * width + i];
        value = std::isfinite(value) ? float(double(value) - means_[i]) : 0;
      }
    std::fill(sums.begin(), sums.end(), 0.0);
    double total = 0;
    for (const double weight : weights) total += weight;
    for_numbers([&](std::size_t k, double weight, double x) {
      const double centred = codes_.empty() ? x : x - means_[begin + k];
      sums[k] += weight * centred * centred;
    });
    for (std::size_t k = 0; k < count; ++k) {
      const double scale = std::sqrt(sums[k] / total);
      if (mash::is_constant(means_[begin + k], scale)) continue;
      scales_[begin + k] = scale;
      inverse_squares_[begin + k] = 1 / (scale * scale);
    }
  });
}

void StandardRows::multiply_offsets(const Workers& workers) {
  offset_products_.resize(num_rows_);
  offsets_.resize(num_columns());
  if (codes_.empty()) return;
  offsets_ = means_;
  std::vector<double> factors(num_columns());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    factors[i] = offsets_[i] * inverse_squares_[i];
    offset_square_ += offsets_[i] * factors[i];
  }
  workers.for_ranges(num_rows_, kRowsOfTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n)
      offset_products_[n] = mash::product(row(n), factors, row(std::min(n + 1, end - 1))) - offset_square_;
  });
}

}  // namespace mash
