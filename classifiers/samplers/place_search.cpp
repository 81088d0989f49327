// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/place_search.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/samplers/place_search.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::size_t find_places(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                        double* counts) {
  constexpr std::size_t kBlock = PrefixSums::kBlock;
  const hn::CappedTag<double, kBlock> d;
  std::size_t num_rows = 0;
  std::uint32_t last_row = 0;
  double count = 0;  // of the last row
  const double* place = places.data();
  for (std::size_t block = 0; block < sums.block_ends.size(); ++block) {
    const double* block_sums = &sums.sums[block * kBlock];
    for (; *place < sums.block_ends[block]; ++place) {
      auto row = std::uint32_t(block * kBlock);  // counted, not searched: no branches
      const auto wanted = hn::Set(d, *place);
      for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d))
        row += std::uint32_t(hn::CountTrue(d, hn::Le(hn::LoadU(d, block_sums + k), wanted)));
      const bool again = num_rows > 0 && row == last_row;
      count = again ? count + 1 : 1;
      num_rows += !again;
      rows[num_rows - 1] = last_row = row;
      counts[num_rows - 1] = count;
    }
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

std::size_t find_places(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                        double* counts) {
  return HWY_DYNAMIC_DISPATCH(find_places)(sums, places, rows, counts);
}

std::size_t find_places_reference(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                                  double* counts) {
  std::size_t num_rows = 0;
  for (const double place : places.first(places.size() - 1)) {
    const auto above = std::upper_bound(sums.sums.begin(), sums.sums.end(), place);
    const auto row = std::uint32_t(above - sums.sums.begin());
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
