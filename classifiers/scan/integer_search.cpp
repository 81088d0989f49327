// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/integer_search.hpp"

#include <type_traits>

namespace mash {

template <class Integer>
void IntegerSearch<Integer>::find_edges(std::span<const CodeColumn> columns, const WeighedRows& rows,
                                        std::span<Candidate> out) const {
  const Integer* integers;
  if constexpr (std::is_same_v<Integer, std::int16_t>)
    integers = rows.i16.data();
  else
    integers = rows.i8.data();
  const WeightRows<Integer> weights{integers, rows.num_rows, Strips(context().weights.num_classes()),
                                    rows.totals.data(), rows.blocks};
  std::vector<IntegerCut> best(columns.size());
  best_cuts(columns, weights, best.data());
  for (std::size_t i = 0; i < columns.size(); ++i) out[i].edge = double(best[i].sum) / rows.scale;
}

template class IntegerSearch<std::int16_t>;
template class IntegerSearch<std::int8_t>;

}  // namespace mash
