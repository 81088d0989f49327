// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/integer_search.hpp"

#include "classifiers/scan/kernels/pass_width.hpp"

namespace mash {

template <class Integer>
void IntegerSearch<Integer>::prepare(double num_pairs) const {
  constexpr double kManyPairs = 1e8;  // are searched for tens of milliseconds; choosing takes a few
  if (num_pairs > kManyPairs) choose_fastest_pass_width();
}

template <class Integer>
void IntegerSearch<Integer>::find_edges(std::span<const CodeColumn> columns, const WeighedRows& rows,
                                        std::span<Candidate> out) const {
  const WeightRows<Integer> weights = rows.of_integers<Integer>(context().weights.num_classes());
  std::vector<IntegerCut> best(columns.size());
  best_cuts(columns, weights, pass_width(), best.data());
  for (std::size_t i = 0; i < columns.size(); ++i) out[i].edge = double(best[i].sum) / rows.scale;
}

template class IntegerSearch<std::int16_t>;
template class IntegerSearch<std::int8_t>;

}  // namespace mash
