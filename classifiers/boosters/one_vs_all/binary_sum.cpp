// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/binary_sum.hpp"

#include <algorithm>

#include "classifiers/serving/cut_answers.hpp"
#include "framework/base/require.hpp"

namespace mash {

void BinarySum::add(const Hypothesis& hypothesis) {
  Term term{hypothesis, cell_votes(hypothesis), {}};
  require(term.values.size() == hypothesis.num_cells(), "BinarySum::add: votes of one class");
  for (double& value : term.values) value *= hypothesis.alpha;
  for (const Cut& cut : hypothesis.cuts) {
    const auto first_code = first_code_of(cut, codes_->features());
    require(first_code.has_value(), "BinarySum::add: a threshold of the store");
    term.cuts.push_back({feature_of(cut, codes_->features()), *first_code});
    if (*first_code == 0) continue;
    const auto place = std::lower_bound(asked_.begin(), asked_.end(), term.cuts.back().feature);
    if (place == asked_.end() || *place != term.cuts.back().feature)
      asked_.insert(place, term.cuts.back().feature);
  }
  terms_.push_back(std::move(term));
}

std::vector<double> BinarySum::at(std::span<const std::uint32_t> examples) const {
  std::vector<double> sums(examples.size());
  if (examples.empty()) return sums;
  std::vector<std::uint8_t> codes(asked_.size() * examples.size());
  codes_->gather(asked_, examples, codes.data());
  for (const Term& term : terms_) {
    std::vector<const std::uint8_t*> columns;  // of its cuts
    for (const CodeCut& cut : term.cuts) {
      const auto place = std::lower_bound(asked_.begin(), asked_.end(), cut.feature) - asked_.begin();
      columns.push_back(codes.data() + std::size_t(place) * examples.size());
    }
    for (std::size_t i = 0; i < examples.size(); ++i)
      sums[i] += term.values[cell_of(term.hypothesis, [&](std::size_t c) {
        return term.cuts[c].first_code == 0 || code_holds(columns[c][i], term.cuts[c].first_code);
      })];
  }
  return sums;
}

}  // namespace mash
