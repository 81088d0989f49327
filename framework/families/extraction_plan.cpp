// SPDX-License-Identifier: Apache-2.0
#include "framework/families/extraction_plan.hpp"

#include <algorithm>
#include <numeric>

#include "framework/families/stored_family.hpp"

namespace mash {
namespace {

// To choose thresholds and to write codes, beside the extraction itself: measured with all built-in families.
constexpr double kMicrosecondsPerValue = 0.009;
// The number of values, or of images, from which on the cost of a family is measured: below, all is done soon
// unless the heuristics are very slow.
constexpr double kManyValues = 2e7, kManyImages = 2000;
constexpr double kStepsPerSecond = 1000;

// The cost of an image on average, where those whose values are kept by content cost nothing.
ExtractionCost cost_of_missing(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
                               const ExtractionContext& context) {
  const double share = share_missing(spec, dim, settings, context);
  if (share == 0) return {};
  ExtractionCost cost = measure_cost(spec, dim, context);
  cost.microseconds *= share;
  return cost;
}

}  // namespace

double extraction_seconds(std::uint32_t dim, const ExtractionCost& cost, const ExtractionContext& context) {
  const auto num_examples = double(context.dataset.train.num_examples + context.dataset.test.num_examples);
  return cost.setup_seconds + 1e-6 * num_examples * (cost.microseconds + kMicrosecondsPerValue * dim) /
                                  double(context.work.workers.num_threads());
}

bool is_on_demand(const FamilySpec& spec, std::uint64_t store_bytes, std::uint64_t left,
                  const Dataset& dataset) {
  return !spec.is_given() && (store_bytes > left || dataset.train.is_endless());
}

ExtractionPlan::ExtractionPlan(std::span<const FamilySpec> specs, const StoreSettings& settings,
                               const ExtractionContext& context)
    : steps_(specs.size()), setup_seconds_(specs.size()) {
  const Dataset& dataset = context.dataset;
  if (dataset.train.is_endless()) return;  // nothing is stored
  const auto num_examples = double(dataset.train.num_examples + dataset.test.num_examples);
  std::uint64_t left = settings.limit;
  std::vector<std::uint32_t> dims(specs.size());  // 0: nothing is to be done
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::uint64_t size = stored_bytes(specs[i], settings, dataset);
    if (size == 0) {
      const auto dim = family_dim(specs[i], context);
      if (!dim.ok()) continue;  // refused once it is opened
      size = store_bytes(*dim, settings, dataset);
      if (size <= left) dims[i] = *dim;
    }
    left -= std::min(left, size);
    num_missing_ += dims[i] > 0;
  }
  const double num_values = num_examples * std::accumulate(dims.begin(), dims.end(), 0.0);
  const bool is_much = num_values >= kManyValues || (num_missing_ > 0 && num_examples >= kManyImages);
  double seconds = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (dims[i] == 0) continue;
    const ExtractionCost cost =
        is_much ? cost_of_missing(specs[i], dims[i], settings, context) : ExtractionCost();
    setup_seconds_[i] = cost.setup_seconds;
    const double of_family = extraction_seconds(dims[i], cost, context);
    seconds += of_family;
    steps_[i] = 1 + std::size_t(kStepsPerSecond * of_family);
  }
  if (is_much) seconds_ = seconds;
}

std::size_t ExtractionPlan::total_steps() const {
  return std::accumulate(steps_.begin(), steps_.end(), std::size_t(0));
}

}  // namespace mash
