// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/focused_weights.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "classifiers/scan/kernels/cell_sums.hpp"

namespace mash {

FocusedWeights::FocusedWeights(const SignedWeights& weights, const Workers& workers)
    : weights_(weights), workers_(workers) {}

void FocusedWeights::set_focus(const Focus& focus) {
  focus_ = focus;
  unit_ = 1 / (focus.share * weights_.total());
  focused_example_weights_.clear();
  for (const std::uint32_t n : focus.rows)
    focused_example_weights_.push_back(weights_.example_weights()[n] * unit_);
}

std::span<const double> FocusedWeights::signed_weights(std::vector<double>& buffer) const {
  if (focus_.rows.empty() && focus_.negated.empty()) return weights_.all();
  buffer.clear();
  for (std::size_t i = 0; i < num_examples(); ++i)
    for (const double g : row(i)) buffer.push_back(g * factor_of(i));
  return buffer;
}

std::vector<std::vector<double>> FocusedWeights::class_sums(std::span<const ColumnCells> columns) const {
  // Blocks are added in their order, so that the sums have the same bits for any number of threads.
  constexpr std::size_t kBlock = 4 * SignedWeights::kBlock;
  const std::size_t num_blocks = (num_examples() + kBlock - 1) / kBlock;
  const auto size = [&](std::size_t c) { return columns[c].num_cells * num_classes(); };
  std::vector<std::vector<double>> sums;  // a part for each block, then all in the first
  for (std::size_t c = 0; c < columns.size(); ++c) sums.emplace_back(num_blocks * size(c));
  workers_.for_blocks(num_examples(), kBlock, [&](std::size_t block, std::size_t begin, std::size_t end) {
    const auto part = [&](const auto& all) { return all.empty() ? all : all.subspan(begin, end - begin); };
    const auto weights = focus_.rows.empty() ? weights_.all().subspan(begin * num_classes()) : weights_.all();
    std::vector<ColumnSums> of_block;
    for (std::size_t c = 0; c < columns.size(); ++c)
      of_block.push_back({&columns[c].cells[begin], &sums[c][block * size(c)]});
    add_to_cells({weights, part(focus_.rows), part(focus_.negated), end - begin, num_classes()}, of_block);
  });
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t block = 1; block < num_blocks; ++block)
      for (std::size_t i = 0; i < size(c); ++i) sums[c][i] += sums[c][block * size(c) + i];
    sums[c].resize(size(c));
    for (double& sum : sums[c]) sum *= unit_;
  }
  return sums;
}

double FocusedWeights::largest() const {
  constexpr std::size_t kBlock = 2048;
  double largest = 0;
  std::mutex mutex;
  workers_.for_blocks(num_examples(), kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
    double block_largest = 0;
    for (std::size_t i = begin; i < end; ++i)
      for (const double g : row(i)) block_largest = std::max(block_largest, std::abs(g));
    const std::lock_guard lock(mutex);
    largest = std::max(largest, block_largest);
  });
  return largest * unit_;
}

}  // namespace mash
