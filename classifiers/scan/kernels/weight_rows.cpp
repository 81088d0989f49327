// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/weight_rows.hpp"

#include <algorithm>
#include <cstdlib>

namespace mash {

template <class Weight>
void append_blocks(const Weight* weights, std::size_t num_rows, const Strips& strips, std::size_t begin,
                   std::size_t end, std::vector<RowBlock>& blocks) {
  constexpr std::size_t kRowsAtOnce = 64;
  std::vector<std::int32_t> sums(strips.num_all_lanes()), with_more(strips.num_all_lanes());
  // Returns the largest sum.
  const auto add = [&](std::vector<std::int32_t>& to, std::size_t first, std::size_t last) {
    for (std::size_t strip = 0; strip < strips.num_strips; ++strip)
      for (std::size_t r = first; r < last; ++r)
        for (std::size_t lane = 0; lane < strips.num_lanes; ++lane)
          to[strip * strips.num_lanes + lane] +=
              std::abs(std::int32_t(weights[strips.at(strip, r, num_rows) + lane]));
    return *std::max_element(to.begin(), to.end());
  };
  RowBlock block;  // the last one, whose sums by lane are `sums`; end 0: it has no row yet
  for (std::size_t r = begin; r < end;) {
    // Many rows that fit together, else one by one.
    const std::size_t next = std::min(r + kRowsAtOnce, end);
    with_more = sums;
    if (const std::int32_t sum = add(with_more, r, next); sum <= kUsualBlockSum) {
      sums.swap(with_more);
      block = {std::uint32_t(next), sum};
      r = next;
    }
    for (; r < next; ++r) {
      with_more = sums;
      std::int32_t sum = add(with_more, r, r + 1);
      if (sum > kUsualBlockSum && block.end > 0) {
        blocks.push_back(block);
        std::fill(with_more.begin(), with_more.end(), 0);
        sum = add(with_more, r, r + 1);
      }
      sums.swap(with_more);
      block = {std::uint32_t(r + 1), sum};
    }
  }
  if (block.end > 0) blocks.push_back(block);
}
template void append_blocks(const std::int16_t*, std::size_t, const Strips&, std::size_t, std::size_t,
                            std::vector<RowBlock>&);
template void append_blocks(const std::int8_t*, std::size_t, const Strips&, std::size_t, std::size_t,
                            std::vector<RowBlock>&);

}  // namespace mash
