// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/stump_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "classifiers/scan/cell_sums.hpp"
#include "framework/base/progress.hpp"

namespace mash {
namespace {

constexpr std::size_t kCodes = 256;
// Above this share of one code, adding all other rows and subtracting is faster than waiting on one bin.
constexpr double kSkipShare = 0.6;
// Features that one thread takes at a time: at most so many that their gathered codes stay in cache, at least
// the pair that shares a pass over the weights, unless a thread would have nothing to do.
std::size_t features_per_task(std::size_t num_features, int num_threads) {
  const auto threads = std::size_t(num_threads);
  if (num_features < 2 * threads) return 1;
  return std::clamp<std::size_t>(num_features / (4 * threads) / 2 * 2, 2, 16);
}

// Of sorted values in memory, for exact cuts: 1 100 features of 60 000 examples.
constexpr std::size_t kMaxSortedBytes = 512 << 20;

constexpr std::size_t kRowsPerTask = RoundedRows::kRowsPerTask;

template <class Integer>
constexpr double kLargest = std::numeric_limits<Integer>::max();

// A factor that brings the largest weight to the integer's range and all sums below 2^30; with 16 bits also
// the sum of a lane over a task's rows to about half of that range, so that most tasks are one block.
// sum: of all |weights|.
template <class Integer>
double integer_scale(double largest_weight, double sum, std::size_t num_rows, std::size_t num_classes) {
  const double scale = std::min(kLargest<Integer> / largest_weight, 0x1p30 / sum);
  if (sizeof(Integer) == 1) return scale;
  const double num_tasks = std::max(1.0, double(num_rows) / double(kRowsPerTask));
  return std::min(scale, 0x1p14 * num_tasks * double(num_classes) / sum);
}

// 1 where the number is at least `least`.
template <class Number>
std::vector<std::uint8_t> at_least(std::span<const Number> numbers, Number least) {
  std::vector<std::uint8_t> result(numbers.size());
  std::transform(numbers.begin(), numbers.end(), result.begin(),
                 [least](Number number) { return std::uint8_t(number >= least); });
  return result;
}

}  // namespace

StumpScan::StumpScan(const FeatureSet& features, const SignedWeights& weights, const ScanSettings& settings,
                     const Workers& workers)
    : features_(features),
      weights_(weights),
      settings_(settings),
      workers_(workers),
      strips_(weights.num_classes()),
      looks_(features.num_families()),
      sorted_(kMaxSortedBytes) {
  if (settings.mode != ScanMode::kF64 && !settings.criterion->sums_of_integers())
    throw std::logic_error("StumpScan: a criterion without sums of integers needs scan mode f64");
}

void StumpScan::new_round(std::uint64_t seed, std::uint32_t round) {
  seed_ = seed;
  round_ = round;
  end_focus();
}

void StumpScan::focus(const Focus& focus) {
  focus_ = focus;
  unit_ = 1 / (focus.share * weights_.total());
  focused_example_weights_.clear();
  for (const std::uint32_t n : focus.rows)
    focused_example_weights_.push_back(weights_.example_weights()[n] * unit_);
  seen_features_.clear();
  all_rows_valid_ = false;
  kept_fit_.reset();
}

void StumpScan::end_focus() { focus({}); }

void StumpScan::offer(std::span<const std::uint32_t> features) {
  for (const std::uint32_t feature : features) ++looks_[features_.family_of(feature)].offered;
}

std::size_t StumpScan::num_rows(const ExampleDraw& draw) const {
  return draw.rows.empty() ? num_examples() : draw.rows.size();
}

void StumpScan::count(std::span<const std::uint32_t> features, std::size_t num_rows, std::size_t num_new) {
  meters_.ops += std::uint64_t(features.size()) * num_rows * num_classes();
  meters_.fe += std::uint64_t(features.size()) * num_new;
  for (const std::uint32_t feature : features) looks_[features_.family_of(feature)].evaluated += num_new;
}

template <class Integer>
void StumpScan::start_rounding(const ExampleDraw& draw, AlignedVector<Integer>& integers,
                               RoundedRows& rows) const {
  rows.scale = integer_scale<Integer>(largest_weight(draw), draw.rows.empty() ? 1.0 : draw.num_draws,
                                      rows.num_rows, num_classes());
  // Grows only: all that is read is written first.
  integers.resize(std::max(integers.size(), rows.num_rows * strips_.num_all_lanes()));
  rows.tasks.resize((rows.num_rows + kRowsPerTask - 1) / kRowsPerTask);
}

template <class Integer>
void StumpScan::round_task(const ExampleDraw& draw, std::size_t task, AlignedVector<Integer>& integers,
                           RoundedRows& rows) const {
  const bool all = draw.rows.empty();
  const std::size_t begin = task * kRowsPerTask, end = std::min(begin + kRowsPerTask, rows.num_rows);
  std::array<std::uint32_t, kRowsPerTask> examples;
  std::array<double, kRowsPerTask> factors;
  for (std::size_t r = begin; r < end; ++r) {
    const std::size_t n = all ? r : draw.rows[r];
    examples[r - begin] = number_of(n);
    factors[r - begin] =
        all ? rows.scale * factor_of(n) : rows.scale * factor_of(n) * draw.counts[r] / example_weights()[n];
  }
  const std::size_t size = end - begin;
  const RowsToRound to_round{weights_.all(), num_classes(), std::span(examples).first(size),
                             std::span(factors).first(size), rows.num_rows};
  // In this thread's memory: two tasks that write to one cache line wait for each other.
  LaneSums sums(strips_.num_all_lanes());
  std::vector<std::uint32_t> block_ends;
  if constexpr (sizeof(Integer) == 1) {
    std::vector<double> noise(size * num_classes());
    RandomStream(seed_, "scan.i8", std::uint64_t(round_) << 32 | begin).uniform(noise);
    round_rows(to_round, noise, &integers[strips_.at(0, begin, rows.num_rows)], sums);
  } else {
    round_rows(to_round, &integers[strips_.at(0, begin, rows.num_rows)], sums);
  }
  if (*std::max_element(sums.magnitudes.begin(), sums.magnitudes.end()) <= kLargestBlockSum)
    block_ends.push_back(std::uint32_t(end));
  else
    append_block_ends(integers.data(), rows.num_rows, strips_, begin, end, block_ends);
  rows.tasks[task] = {std::move(sums), std::move(block_ends)};
}

double StumpScan::largest_weight(const ExampleDraw& draw) const {
  double largest = 0;
  if (!draw.rows.empty()) {
    for (const double row_count : draw.counts) largest = std::max(largest, row_count);
    return largest;
  }
  std::mutex mutex;
  workers_.for_blocks(num_examples(), kRowsPerTask, [&](std::size_t, std::size_t begin, std::size_t end) {
    double block_largest = 0;
    for (std::size_t n = begin; n < end; ++n)
      for (const double g : row(n)) block_largest = std::max(block_largest, std::abs(g));
    const std::lock_guard lock(mutex);
    largest = std::max(largest, block_largest);
  });
  return largest * unit_;
}

void StumpScan::start_filling(const ExampleDraw& draw, RoundedRows& rows) const {
  const bool all = draw.rows.empty();
  rows.num_rows = num_rows(draw);
  rows.tasks.clear();
  if (rounds()) {
    if (settings_.mode == ScanMode::kI16) start_rounding(draw, rows.i16, rows);
    if (settings_.mode == ScanMode::kI8) start_rounding(draw, rows.i8, rows);
    return;
  }
  rows.scale = 1;
  if (all) {
    rows.exact = focused_weights(rows.f64);
    return;
  }
  const std::size_t num_classes = this->num_classes();
  rows.f64.resize(rows.num_rows * num_classes);
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    const std::size_t n = draw.rows[r];
    const double factor = factor_of(n) * draw.counts[r] / (draw.num_draws * example_weights()[n]);
    for (std::size_t l = 0; l < num_classes; ++l) rows.f64[r * num_classes + l] = row(n)[l] * factor;
  }
  rows.exact = rows.f64;
}

void StumpScan::fill_task(const ExampleDraw& draw, std::size_t task, RoundedRows& rows) const {
  if (settings_.mode == ScanMode::kI16) round_task(draw, task, rows.i16, rows);
  if (settings_.mode == ScanMode::kI8) round_task(draw, task, rows.i8, rows);
}

void StumpScan::end_filling(const ExampleDraw& draw, RoundedRows& rows) const {
  if (rows.tasks.empty()) return;
  rows.totals.assign(strips_.num_all_lanes(), 0);
  rows.block_ends.clear();
  for (const auto& [sums, block_ends] : rows.tasks) {
    for (std::size_t i = 0; i < rows.totals.size(); ++i) rows.totals[i] += sums.totals[i];
    rows.block_ends.insert(rows.block_ends.end(), block_ends.begin(), block_ends.end());
  }
  if (!draw.rows.empty()) rows.scale *= draw.num_draws;  // the integers are of count * G / w
}

void StumpScan::fill(const ExampleDraw& draw, RoundedRows& rows) const {
  start_filling(draw, rows);
  workers_.for_each_in_order(rows.tasks.size(), [&](std::size_t task) { fill_task(draw, task, rows); });
  end_filling(draw, rows);
}

void StumpScan::count_evaluation(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                                 Charge charge) {
  count(features, num_rows(draw), charge == Charge::kCost ? num_rows(draw) : 0);
  if (charge != Charge::kCost) return;
  seen_features_.assign(features.begin(), features.end());
  seen_rows_ = draw.rows;
}

std::vector<Candidate> StumpScan::evaluate(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                                           Charge charge) {
  count_evaluation(features, draw, charge);
  return look(features, draw);
}

std::vector<Candidate> StumpScan::evaluate(std::span<const std::uint32_t> features, const DrawnRows& drawn) {
  count_evaluation(features, drawn.draw, Charge::kCost);
  return look(features, drawn.draw, &drawn.weights);
}

std::span<const DrawnRows> StumpScan::draw(std::size_t count,
                                           const std::function<ExampleDraw(std::size_t)>& make) {
  draws_.resize(std::max(draws_.size(), count));  // buffers are used again
  const auto draws = std::span(draws_).first(count);
  {
    const SecondsScope timed(meters_.phases.draw);
    workers_.for_each_in_order(count, [&](std::size_t later) {
      const std::size_t i = count - 1 - later;  // the last is the largest
      draws[i].draw = make(i);
      draws[i].weights.tasks.clear();
      if (!draws[i].draw.rows.empty()) start_filling(draws[i].draw, draws[i].weights);
    });
  }
  const SecondsScope timed(meters_.phases.weigh);
  std::vector<std::pair<DrawnRows*, std::size_t>> tasks;  // of all draws, as most have only one
  for (DrawnRows& drawn : draws)
    for (std::size_t task = 0; task < drawn.weights.tasks.size(); ++task) tasks.push_back({&drawn, task});
  workers_.for_each_in_order(tasks.size(), [&](std::size_t i) {
    const auto [drawn, task] = tasks[tasks.size() - 1 - i];  // the last draws have whole tasks
    fill_task(drawn->draw, task, drawn->weights);
  });
  for (DrawnRows& drawn : draws) end_filling(drawn.draw, drawn.weights);
  return draws;
}

std::vector<Candidate> StumpScan::extend(std::span<const std::uint32_t> features, const DrawnRows& drawn) {
  const auto includes = [](std::span<const std::uint32_t> all, std::span<const std::uint32_t> some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  };
  const ExampleDraw& draw = drawn.draw;
  const bool on_more = draw.rows.empty() || (!seen_rows_.empty() && includes(draw.rows, seen_rows_));
  if (!on_more || !includes(seen_features_, features)) return evaluate(features, drawn);
  const std::size_t num_seen = seen_rows_.empty() ? num_rows(draw) : seen_rows_.size();
  count(features, num_rows(draw), num_rows(draw) - num_seen);
  seen_features_.assign(features.begin(), features.end());
  seen_rows_ = draw.rows;
  return look(features, draw, &drawn.weights);
}

std::vector<Candidate> StumpScan::look(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                                       const RoundedRows* weights) {
  const bool all = draw.rows.empty();
  if (all && features.size() == 1 && !all_rows_valid_) {
    const SecondsScope timed(meters_.phases.scan);
    // One column summed in doubles is cheaper than rounding all weights first.
    kept_fit_ = fit(features[0]);
    return {{features[0], kept_fit_->edge}};
  }
  if (all) {
    weigh_all();
    weights = &all_rows_;
  } else if (weights == nullptr) {
    const SecondsScope timed(meters_.phases.weigh);
    fill(draw, drawn_rows_);
    weights = &drawn_rows_;
  }
  std::vector<Candidate> candidates(features.size());
  std::vector<std::uint32_t> kept;
  const Examples examples = examples_of(draw, kept);
  if (settings_.cuts == Cuts::kCodes) {
    scan_codes(features, examples, *weights, candidates);
  } else {
    const SecondsScope timed(meters_.phases.scan);
    scan_values(features, examples, *weights, candidates);
  }
  return candidates;
}

void StumpScan::weigh_all() {
  if (all_rows_valid_) return;
  const SecondsScope timed(meters_.phases.weigh);
  fill({}, all_rows_);
  all_rows_valid_ = true;
}

StumpScan::Examples StumpScan::examples_of(const ExampleDraw& draw, std::vector<std::uint32_t>& kept) const {
  if (draw.rows.empty()) return focus_.rows;
  if (focus_.rows.empty()) return draw.rows;
  for (const std::uint32_t n : draw.rows) kept.push_back(focus_.rows[n]);
  return kept;
}

void StumpScan::scan_codes(std::span<const std::uint32_t> features, Examples examples,
                           const RoundedRows& rows, std::span<Candidate> out) {
  const Stopwatch watch;
  double in_groups = 0, in_gathering = 0;  // seconds of all threads
  std::mutex mutex;
  const std::size_t block = features_per_task(features.size(), workers_.num_threads());
  workers_.for_blocks(features.size(), block, [&](std::size_t, std::size_t begin, std::size_t end) {
    const Stopwatch group_watch;
    double gather_seconds = 0;
    scan_group(features.subspan(begin, end - begin), examples, rows, out.subspan(begin, end - begin),
               gather_seconds);
    const std::lock_guard lock(mutex);
    in_gathering += gather_seconds;
    in_groups += group_watch.seconds();
  });
  const double gather_share = in_groups > 0 ? in_gathering / in_groups : 0;
  meters_.phases.gather += gather_share * watch.seconds();
  meters_.phases.scan += (1 - gather_share) * watch.seconds();
}

void StumpScan::scan_group(std::span<const std::uint32_t> features, Examples examples,
                           const RoundedRows& rows, std::span<Candidate> out, double& gather_seconds) const {
  // A stride that is not a power of two: equal offsets in all columns would fall into the same cache sets.
  const std::size_t stride = rows.num_rows + 64 + 32;
  const bool all = examples.empty();
  thread_local std::vector<std::uint8_t> gathered;
  std::vector<FeatureColumn> columns(features.size());
  std::vector<CodeColumn> codes(features.size());
  if (!all) {
    const SecondsScope timed(gather_seconds);
    gathered.resize(features.size() * stride);
    features_.gather(features, examples, gathered.data(), stride);
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (all) columns[i] = features_.column(Side::kTrain, features[i]);
    codes[i] = {all ? columns[i].codes.data() : gathered.data() + i * stride, features_.num_cuts(features[i]),
                features_.skip_code(features[i], kSkipShare)};
  }
  if (settings_.mode == ScanMode::kF64) {
    const std::size_t num_classes = this->num_classes();
    std::vector<double> sums(kCodes * num_classes);
    for (std::size_t i = 0; i < features.size(); ++i) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (std::size_t r = 0; r < rows.num_rows; ++r)
        for (std::size_t l = 0; l < num_classes; ++l)
          sums[codes[i].codes[r] * num_classes + l] += rows.exact[r * num_classes + l];
      out[i] = {features[i], settings_.criterion->best_cut({sums, codes[i].num_cuts + 1, num_classes}).edge};
    }
    return;
  }
  std::vector<IntegerCut> best(features.size());
  const auto find_best = [&](const auto& integers) {
    using Integer = std::remove_cvref_t<decltype(integers[0])>;
    const WeightRows<Integer> weights{integers.data(), rows.num_rows, strips_, rows.totals.data(),
                                      rows.block_ends};
    best_cuts(codes, weights, best.data());
  };
  if (settings_.mode == ScanMode::kI16)
    find_best(rows.i16);
  else
    find_best(rows.i8);
  for (std::size_t i = 0; i < features.size(); ++i) out[i] = {features[i], double(best[i].sum) / rows.scale};
}

void StumpScan::scan_values(std::span<const std::uint32_t> features, Examples examples,
                            const RoundedRows& rows, std::span<Candidate> out) const {
  const std::vector<double> totals = sum_of_rows(rows.exact, num_classes());
  workers_.for_ranges(features.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto column = sorted_column(features[i], examples);
      out[i] = {features[i], settings_.criterion->best_cut_of_values(*column, rows.exact, totals).edge};
    }
  });
}

std::span<const double> StumpScan::focused_weights(std::vector<double>& buffer) const {
  if (focus_.rows.empty() && focus_.negated.empty()) return weights_.all();
  buffer.clear();
  for (std::size_t n = 0; n < num_examples(); ++n)
    for (const double g : row(n)) buffer.push_back(g * factor_of(n));
  return buffer;
}

FeatureColumn StumpScan::focused_codes(std::uint32_t feature) const {
  const Examples rows = focus_.rows;
  if (rows.empty()) return features_.column(Side::kTrain, feature);
  auto codes = std::make_shared<std::vector<std::uint8_t>>(rows.size());
  features_.gather({&feature, 1}, rows, codes->data(), codes->size());
  return {*codes, codes};
}

std::shared_ptr<const SortedColumn> StumpScan::sorted_column(std::uint32_t feature, Examples examples) const {
  const auto read = [&] {
    std::vector<float> values(features_.num_train());
    features_.values(Side::kTrain, feature, values);
    for (std::size_t r = 0; r < examples.size(); ++r) values[r] = values[examples[r]];  // examples[r] >= r
    if (!examples.empty()) values.resize(examples.size());
    return values;
  };
  if (examples.empty()) return sorted_.column(feature, read);
  return std::make_shared<const SortedColumn>(sort_column(read()));  // others next time: not worth keeping
}

StumpFit StumpScan::refit(std::uint32_t feature) {
  const SecondsScope timed(meters_.phases.refit);
  meters_.ue += num_examples();
  if (kept_fit_ && kept_fit_->feature == feature) return *std::exchange(kept_fit_, std::nullopt);
  return fit(feature);
}

StumpFit StumpScan::fit(std::uint32_t feature) const {
  const std::size_t num_classes = this->num_classes();
  const Criterion& criterion = *settings_.criterion;
  StumpFit fit;
  fit.feature = feature;
  const auto take_votes = [&](const CodeSums& sums, std::uint32_t cut) {
    fit.class_edges = class_edges(sums, cut);
    CutVotes votes = criterion.votes(sums, cut);
    fit.edge = votes.edge;
    fit.cell_votes = std::move(votes.cells);
  };
  if (settings_.cuts == Cuts::kExact) {
    const auto column = sorted_column(feature, focus_.rows);
    std::vector<double> buffer;
    const std::span<const double> weights = focused_weights(buffer);
    const DoubleCut cut = criterion.best_cut_of_values(*column, weights, sum_of_rows(weights, num_classes));
    fit.threshold = cut.threshold;
    fit.above.resize(column->rows.size());
    for (std::size_t i = cut.cut; i < column->rows.size(); ++i) fit.above[column->rows[i]] = 1;
    take_votes({class_sums(fit.above, 2), 2, num_classes}, 1);
  } else {
    const std::size_t num_codes = features_.num_cuts(feature) + 1;
    const FeatureColumn column = focused_codes(feature);
    const std::vector<double> sums = class_sums(column.codes, num_codes);
    const auto cut = std::uint8_t(criterion.best_cut({sums, num_codes, num_classes}).cut);
    fit.threshold = cut == 0 ? kConstant : features_.threshold(feature, cut);
    fit.above = at_least(column.codes, cut);
    take_votes({sums, num_codes, num_classes}, cut);
  }
  return fit;
}

std::vector<std::uint8_t> StumpScan::above(Side side, std::uint32_t feature, float threshold) const {
  const std::size_t num_examples = side == Side::kTrain ? features_.num_train() : features_.num_test();
  if (threshold == kConstant) return std::vector<std::uint8_t>(num_examples, 1);
  if (settings_.cuts == Cuts::kExact) {
    std::vector<float> values(num_examples);
    features_.values(side, feature, values);
    return at_least(std::span<const float>(values), threshold);
  }
  std::uint32_t cut = 1;
  while (features_.threshold(feature, cut) < threshold) ++cut;
  return at_least(features_.column(side, feature).codes, std::uint8_t(cut));
}

std::vector<double> StumpScan::class_sums(std::span<const std::uint8_t> cells, std::size_t num_cells) const {
  // Blocks are added in their order, so that the sums have the same bits for any number of threads.
  const std::size_t num_classes = this->num_classes(), num_examples = cells.size();
  constexpr std::size_t kBlock = 4 * SignedWeights::kBlock;
  const std::size_t num_blocks = (num_examples + kBlock - 1) / kBlock, size = num_cells * num_classes;
  std::vector<double> blocks(num_blocks * size);
  workers_.for_blocks(num_examples, kBlock, [&](std::size_t block, std::size_t begin, std::size_t end) {
    const auto part = [&](const auto& all) { return all.empty() ? all : all.subspan(begin, end - begin); };
    const auto weights = focus_.rows.empty() ? weights_.all().subspan(begin * num_classes) : weights_.all();
    add_to_cells({weights, part(focus_.rows), part(focus_.negated), part(cells), num_classes},
                 &blocks[block * size]);
  });
  for (std::size_t block = 1; block < num_blocks; ++block)
    for (std::size_t i = 0; i < size; ++i) blocks[i] += blocks[block * size + i];
  blocks.resize(size);
  for (double& sum : blocks) sum *= unit_;
  return blocks;
}

}  // namespace mash
