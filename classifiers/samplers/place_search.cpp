// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/place_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

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

PrefixSums::PrefixSums(std::span<const double> weights)
    : sums_((weights.size() + kBlock - 1) / kBlock * kBlock) {
  for (std::size_t begin = 0; begin < weights.size(); begin += kBlock) {
    auto block = weights.subspan(begin, std::min(kBlock, weights.size() - begin));
    // Summed apart from the blocks before, so that one does not wait for the other.
    const double end = total_ + std::accumulate(block.begin(), block.end(), 0.0);
    while (!block.empty() && block.back() == 0) block = block.first(block.size() - 1);
    double sum = total_;
    for (std::size_t k = 0; k < block.size(); ++k) sums_[begin + k] = sum += block[k];
    // What rounding left between the two sums is the last example's that has a weight.
    for (std::size_t k = std::max<std::size_t>(block.size(), 1) - 1; k < kBlock; ++k) sums_[begin + k] = end;
    block_ends_.push_back(end);
    total_ = end;
  }
  const std::size_t num_cells = block_ends_.size();
  guide_scale_ = double(num_cells) / total_;
  guide_.assign(num_cells + 2, 0);  // a place just below the total may be rounded into a cell behind the last
  std::uint32_t block = 0;
  for (std::size_t cell = 2; cell < guide_.size(); ++cell) {
    const double begin_before = double(cell - 1) / guide_scale_;
    while (block + 1 < num_cells && block_ends_[block] <= begin_before) ++block;
    guide_[cell] = block;
  }
  block_ends_.resize(block_ends_.size() + kBlock, std::numeric_limits<double>::infinity());
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
