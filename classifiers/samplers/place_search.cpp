// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/place_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "framework/base/require.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/samplers/place_search.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How many of the eight numbers are not above the place: counted, not searched, without branches.
HWY_INLINE std::size_t num_passed(const double* numbers, double place) {
  const hn::CappedTag<double, PrefixSums::kBlock> d;
  const auto wanted = hn::Set(d, place);
  std::size_t count = 0;
  for (std::size_t k = 0; k < PrefixSums::kBlock; k += hn::Lanes(d))
    count += hn::CountTrue(d, hn::Le(hn::LoadU(d, numbers + k), wanted));
  return count;
}

std::size_t find_places(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                        double* counts) {
  constexpr std::size_t kBlock = PrefixSums::kBlock;
  std::size_t num_rows = 0;
  std::uint32_t last_row = ~0u, count = 0;  // of the last row
  for (const double place : places) {
    std::size_t block = sums.block_before(place), passed;
    do block += passed = num_passed(&sums.block_ends()[block], place);
    while (passed == kBlock);
    const auto row = std::uint32_t(block * kBlock + num_passed(&sums.sums()[block * kBlock], place));
    const auto again = std::uint32_t(row == last_row);
    count = (count & (0u - again)) + 1;  // no branch on what no processor foresees
    num_rows += 1 - again;
    rows[num_rows - 1] = last_row = row;
    counts[num_rows - 1] = double(count);
  }
  return num_rows;
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(find_places);

}  // namespace

PrefixSums::PrefixSums(std::span<const double> weights, const Workers& workers)
    : num_sums_((weights.size() + kBlock - 1) / kBlock * kBlock),
      sums_(std::make_unique_for_overwrite<double[]>(num_sums_)),
      block_ends_(num_sums_ / kBlock + kBlock, std::numeric_limits<double>::infinity()),
      // A place just below the total may be rounded into a cell behind the last.
      guide_(num_sums_ / kBlock + 2) {
  constexpr std::size_t kPart = 512 * kBlock;
  std::vector<double> before((weights.size() + kPart - 1) / kPart);
  workers.for_blocks(weights.size(), kPart, [&](std::size_t part, std::size_t begin, std::size_t end) {
    before[part] = add_up(weights.subspan(begin, end - begin), begin);
  });
  for (double& part : before) part = std::exchange(total_, total_ + part);
  require(total_ > 0, "PrefixSums: weights that are not all zero");
  workers.for_blocks(num_sums_, kPart, [&](std::size_t part, std::size_t begin, std::size_t end) {
    shift(begin, end, before[part]);
  });
  fill_guide();
}

double PrefixSums::add_up(std::span<const double> weights, std::size_t begin) {
  double total = 0;
  for (std::size_t first = 0; first < weights.size(); first += kBlock) {
    auto block = weights.subspan(first, std::min(kBlock, weights.size() - first));
    // Summed apart from the blocks before, so that one does not wait for the other.
    const double end = total + std::accumulate(block.begin(), block.end(), 0.0);
    while (!block.empty() && block.back() == 0) block = block.first(block.size() - 1);
    double* sums = &sums_[begin + first];
    double sum = total;
    for (std::size_t k = 0; k < block.size(); ++k) sums[k] = std::min(sum += block[k], end);
    // The rest that rounding left between the two sums belongs to the last example that has a weight; none is
    // above the end.
    for (std::size_t k = std::max<std::size_t>(block.size(), 1) - 1; k < kBlock; ++k) sums[k] = end;
    total = end;
  }
  return total;
}

void PrefixSums::shift(std::size_t begin, std::size_t end, double before) {
  const auto sums = std::span(sums_.get(), num_sums_).subspan(begin, end - begin);
  for (double& sum : sums) sum += before;
  for (std::size_t i = kBlock - 1; i < sums.size(); i += kBlock) block_ends_[(begin + i) / kBlock] = sums[i];
}

// In two passes without branches: which blocks begin in a cell, no processor foresees.
void PrefixSums::fill_guide() {
  const std::size_t num_blocks = num_sums_ / kBlock;
  guide_scale_ = double(num_blocks) / total_;
  // One cell later than where the block begins: what is in a later cell by the same rounded product is behind
  // it.
  for (std::size_t block = 1; block < num_blocks; ++block)
    guide_[std::size_t(block_ends_[block - 1] * guide_scale_) + 1] = std::uint32_t(block);
  for (std::size_t cell = 1; cell < guide_.size(); ++cell)
    guide_[cell] = std::max(guide_[cell], guide_[cell - 1]);
}

std::size_t find_places(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                        double* counts) {
  return HWY_DYNAMIC_DISPATCH(find_places)(sums, places, rows, counts);
}

std::size_t find_places_reference(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                                  double* counts) {
  std::size_t num_rows = 0;
  for (const double place : places) {
    const auto above = std::upper_bound(sums.sums().begin(), sums.sums().end(), place);
    const auto row = std::uint32_t(above - sums.sums().begin());
    if (num_rows > 0 && rows[num_rows - 1] == row) {
      ++counts[num_rows - 1];
    } else {
      rows[num_rows] = row;
      counts[num_rows++] = 1;
    }
  }
  return num_rows;
}

}  // namespace mash
#endif
