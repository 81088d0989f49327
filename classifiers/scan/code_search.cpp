// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/code_search.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "classifiers/serving/cut_answers.hpp"
#include "framework/base/progress.hpp"

namespace mash {
namespace {

// Above this share of one code, adding all other rows and subtracting is faster than waiting on one bin.
constexpr double kSkipShare = 0.5;

// Features that one thread takes at a time: few enough that their gathered codes stay in cache, and as many
// as share a pass over the weights, unless a thread would have nothing to do.
std::size_t features_per_task(std::size_t num_features, int num_threads) {
  const auto threads = std::size_t(num_threads);
  if (num_features < 2 * threads) return 1;
  const std::size_t most = num_features / (4 * threads);
  return most < 4 ? 2 : std::min<std::size_t>(most / 4 * 4, 16);
}

}  // namespace

void CodeSearch::find(std::span<const std::uint32_t> features, const SearchRows& rows,
                      std::span<Candidate> out, PhaseSeconds& phases) const {
  const FeatureSet& set = context_.features;
  prepare(double(features.size()) * double(rows.weights.num_rows));
  // Whole columns of a family that computes on demand are computed for many features at a time.
  const bool on_demand = rows.examples.empty() && set.any_lazy();
  const std::size_t most = on_demand ? FeatureSet::kComputedTogether : features.size();
  for (std::size_t first = 0; first < features.size(); first += most) {
    const auto some = features.subspan(first, std::min(most, features.size() - first));
    if (on_demand) {
      const SecondsScope timed(phases.gather);
      set.compute_together(Side::kTrain, some);
    }
    find_some(some, rows, out.subspan(first, some.size()), phases);
  }
}

void CodeSearch::find_some(std::span<const std::uint32_t> features, const SearchRows& rows,
                           std::span<Candidate> out, PhaseSeconds& phases) const {
  const Stopwatch watch;
  double in_groups = 0, in_gathering = 0;  // seconds of all threads
  std::mutex mutex;
  const std::size_t block = features_per_task(features.size(), context_.workers.num_threads());
  context_.workers.for_blocks(features.size(), block, [&](std::size_t, std::size_t begin, std::size_t end) {
    const Stopwatch group_watch;
    double gather_seconds = 0;
    find_group(features.subspan(begin, end - begin), rows, out.subspan(begin, end - begin), gather_seconds);
    const std::lock_guard lock(mutex);
    in_gathering += gather_seconds;
    in_groups += group_watch.seconds();
  });
  const double gather_share = in_groups > 0 ? in_gathering / in_groups : 0;
  phases.gather += gather_share * watch.seconds();
  phases.scan += (1 - gather_share) * watch.seconds();
}

void CodeSearch::find_group(std::span<const std::uint32_t> features, const SearchRows& rows,
                            std::span<Candidate> out, double& gather_seconds) const {
  const FeatureSet& set = context_.features;
  // A stride that is not a power of two: equal offsets in all columns would fall into the same cache sets.
  const std::size_t stride = rows.weights.num_rows + 64 + 32;
  const bool all = rows.examples.empty();
  thread_local std::vector<std::uint8_t> gathered;
  std::vector<FeatureColumn> columns(features.size());
  std::vector<CodeColumn> codes(features.size());
  if (!all) {
    const SecondsScope timed(gather_seconds);
    gathered.resize(features.size() * stride);
    set.gather(features, rows.examples, gathered.data(), stride);
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    out[i].feature = features[i];
    if (all) columns[i] = set.column(Side::kTrain, features[i]);
    codes[i] = {all ? columns[i].codes.data() : gathered.data() + i * stride, set.num_cuts(features[i]),
                set.skip_code(features[i], kSkipShare)};
  }
  find_edges(codes, rows.weights, out);
}

FeatureColumn CodeSearch::focused_codes(std::uint32_t feature) const {
  const auto rows = context_.weights.examples();
  if (rows.empty()) return context_.features.column(Side::kTrain, feature);
  auto codes = std::make_shared<std::vector<std::uint8_t>>(rows.size());
  context_.features.gather({&feature, 1}, rows, codes->data(), codes->size());
  return {*codes, codes};
}

std::vector<StumpFit> CodeSearch::fit(std::span<const std::uint32_t> features) const {
  std::vector<FeatureColumn> columns;
  std::vector<ColumnCells> codes;
  for (const std::uint32_t feature : features) {
    columns.push_back(focused_codes(feature));
    codes.push_back({columns.back().codes, context_.features.num_cuts(feature) + 1});
  }
  const auto by_code = context_.weights.class_sums(codes);
  std::vector<StumpFit> fits(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    const CodeSums sums{by_code[i], codes[i].num_cells, context_.weights.num_classes()};
    const std::uint32_t cut = criterion_.best_cut(sums).cut;
    StumpFit& fit = fits[i];
    fit.feature = features[i];
    fit.threshold = cut == 0 ? kConstant : context_.features.threshold(fit.feature, cut);
    fit.above = answers_of_codes(codes[i].cells, std::uint8_t(cut));
    take_votes(criterion_, sums, cut, fit);
  }
  return fits;
}

}  // namespace mash
