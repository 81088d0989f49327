// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/value_search.hpp"

#include "framework/base/progress.hpp"

namespace mash {
namespace {

// Sorted values that are kept: of 1 100 features of 60 000 examples.
constexpr std::size_t kMaxSortedBytes = 512 << 20;

}  // namespace

ValueSearch::ValueSearch(const SearchContext& context, const Criterion& criterion)
    : context_(context), criterion_(criterion), sorted_(kMaxSortedBytes) {}

std::shared_ptr<const SortedColumn> ValueSearch::sorted_column(
    std::uint32_t feature, std::span<const std::uint32_t> examples) const {
  const auto read = [&] {
    std::vector<float> values(examples.empty() ? context_.features.num_train() : examples.size());
    if (examples.empty())
      context_.features.values(Side::kTrain, feature, values);
    else
      context_.features.values(Side::kTrain, {&feature, 1}, examples, values.data(), values.size());
    return values;
  };
  if (examples.empty()) return sorted_.column(feature, read);
  return std::make_shared<const SortedColumn>(sort_column(read()));  // others next time: not worth keeping
}

void ValueSearch::find(std::span<const std::uint32_t> features, const SearchRows& rows,
                       std::span<Candidate> out, PhaseSeconds& phases) const {
  const SecondsScope timed(phases.scan);
  const std::span<const double> weights = rows.weights.exact;
  const std::vector<double> totals = sum_of_rows(weights, context_.weights.num_classes());
  context_.workers.for_ranges(features.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto column = sorted_column(features[i], rows.examples);
      out[i] = {features[i], criterion_.best_cut_of_values(*column, weights, totals).edge};
    }
  });
}

std::vector<StumpFit> ValueSearch::fit(std::span<const std::uint32_t> features) const {
  const std::size_t num_classes = context_.weights.num_classes();
  std::vector<double> buffer;
  const std::span<const double> weights = context_.weights.signed_weights(buffer);
  const std::vector<double> totals = sum_of_rows(weights, num_classes);
  std::vector<StumpFit> fits(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto column = sorted_column(features[i], context_.weights.examples());
    const DoubleCut cut = criterion_.best_cut_of_values(*column, weights, totals);
    StumpFit& fit = fits[i];
    fit.feature = features[i];
    fit.threshold = cut.threshold;
    fit.above.resize(column->rows.size());
    for (std::size_t r = cut.cut; r < column->rows.size(); ++r) fit.above[column->rows[r]] = 1;
    take_votes(criterion_, {context_.weights.class_sums(fit.above, 2), 2, num_classes}, 1, fit);
  }
  return fits;
}

}  // namespace mash
