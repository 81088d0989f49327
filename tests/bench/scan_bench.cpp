// SPDX-License-Identifier: Apache-2.0
//
// The scan's speed in (feature, example) pairs per second on one core, on the rows of a training, and as a
// share of two limits measured in the same process: what a plain loop of the same additions reaches, and one
// stored row of sums a cycle.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "classifiers/boosters/whole_side/step_rule.hpp"
#include "classifiers/losses/exponential.hpp"
#include "classifiers/scan/kernels/histogram.hpp"
#include "classifiers/scan/kernels/pass_width.hpp"
#include "classifiers/scan/row_weigher.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/random.hpp"
#include "tests/bench/micro_kernels.hpp"
#include "tests/bench/probe.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 60000;
constexpr std::size_t kFeatures = 64;

// Codes of kFeatures features, each with a mean of its own for every class; `zeros` of the codes are 0, as in
// pictures of digits.
struct Codes {
  Codes(std::span<const std::uint16_t> labels, std::size_t num_classes, double zeros, RandomStream& stream) {
    codes.resize(labels.size() * kFeatures);
    for (std::size_t j = 0; j < kFeatures; ++j) {
      std::vector<double> shift(num_classes);
      for (double& one : shift) one = 60 * stream.uniform();
      for (std::size_t n = 0; n < labels.size(); ++n)
        codes[j * labels.size() + n] =
            stream.uniform() < zeros ? 0 : std::uint8_t(shift[labels[n]] + 195 * stream.uniform());
      columns.push_back({&codes[j * labels.size()], 255, zeros > 0.6 ? 0 : CodeColumn::kNoMode});
    }
  }

  std::vector<std::uint8_t> codes;
  std::vector<CodeColumn> columns;
};

template <class Weight>
constexpr ScanMode kMode = sizeof(Weight) == 2 ? ScanMode::kI16 : ScanMode::kI8;

// The rows that AdaBoost.MH searches in round `num_rounds`, over stumps of these features. One class: a
// problem of two classes with one column, all of whose weights keep the size of the first round.
template <class Weight>
class Training {
 public:
  Training(std::size_t num_classes, std::size_t num_rows, double zeros, std::uint32_t num_rounds)
      : stream_(1, "bench"),
        num_classes_(num_classes),
        labels_(random_labels(num_classes, num_rows)),
        codes_(labels_, num_classes, zeros, stream_),
        weights_(labels_, num_classes),
        focused_(weights_, workers_),
        weigher_(make_row_weigher({kMode<Weight>}, focused_)) {
    initialise(InitialWeights::kUniform, workers_, weights_);
    if (num_classes == 1)
      for (double& weight : weights_.all()) weight *= stream_.below(2) == 0 ? 1 : -1;
    const auto rule = make_step_rule(exponential_loss(), weights_, workers_);
    Scores scores(num_rows, num_classes, workers_);
    weigh(1);
    for (std::uint32_t round = 2; round <= num_rounds && num_classes > 1; ++round) {
      WeakHypothesis stump = best_stump();
      rule->step(stump, weights_, scores);
      weigh(round);
    }
  }
  const std::vector<CodeColumn>& columns() const { return codes_.columns; }
  WeightRows<Weight> rows() const { return rows_.of_integers<Weight>(num_classes_); }

 private:
  std::vector<std::uint16_t> random_labels(std::size_t num_classes, std::size_t num_rows) {
    std::vector<std::uint16_t> labels(num_rows);
    for (auto& label : labels) label = std::uint16_t(stream_.below(num_classes));
    return labels;
  }
  void weigh(std::uint32_t round) {
    focused_.set_focus({});
    weigher_->new_round(1, round);
    weigher_->start({}, rows_);
    for (std::size_t task = 0; task < rows_.tasks.size(); ++task) weigher_->run_task({}, task, rows_);
    weigher_->finish({}, rows_);
  }
  WeakHypothesis best_stump() {
    std::vector<IntegerCut> best(kFeatures);
    best_cuts(columns(), rows(), pass_width(), best.data());
    const auto first = std::max_element(best.begin(), best.end(),
                                        [](const auto& a, const auto& b) { return a.sum < b.sum; });
    const std::uint8_t* codes = columns()[std::size_t(first - best.begin())].codes;
    WeakHypothesis stump;
    for (std::size_t n = 0; n < labels_.size(); ++n) stump.cells.push_back(codes[n] >= first->cut ? 1 : 0);
    stump.votes = focused_.class_sums(stump.cells, 2);
    for (double& vote : stump.votes) {
      stump.edge += std::abs(vote) / weights_.total();
      vote = vote < 0 ? -1 : 1;
    }
    return stump;
  }

  RandomStream stream_;
  Workers workers_{1};
  std::size_t num_classes_;
  std::vector<std::uint16_t> labels_;
  Codes codes_;
  SignedWeights weights_;
  FocusedWeights focused_;
  std::unique_ptr<RowWeigher> weigher_;
  WeighedRows rows_;
};

// The width that $MASH_PASS_WIDTH names, else the fastest.
std::size_t width_in_use() {
  if (const Status chosen = choose_pass_width_of_environment(); !chosen.ok())
    throw std::runtime_error(chosen.error().message);
  choose_fastest_pass_width();
  return pass_width();
}

template <class Weight>
void scan(benchmark::State& state) {
  const std::size_t width = width_in_use();
  const auto num_classes = std::size_t(state.range(0)), num_rows = std::size_t(state.range(1));
  const Training<Weight> training(num_classes, num_rows, double(state.range(2)) / 100,
                                  std::uint32_t(state.range(3)));
  const WeightRows<Weight> rows = training.rows();
  std::vector<IntegerCut> best(kFeatures);
  const Stopwatch watch;
  for (auto _ : state) {
    best_cuts(training.columns(), rows, width, best.data());
    benchmark::DoNotOptimize(best.data());
  }
  const double seconds = watch.seconds();
  const double pairs = double(state.iterations()) * double(num_rows * kFeatures);
  state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsRate);
  state.counters["pass_width"] = double(width);
  state.counters["blocks"] = double(rows.blocks.size());
  state.SetLabel(instruction_set());
  if (training.columns()[0].skip_code != CodeColumn::kNoMode) return;  // most pairs are not added at all
  const double num_columns = double(state.iterations()) * kFeatures;
  const double bound = double(num_rows) / bench::added_rows_per_second(rows.strips.num_lanes) +
                       1 / bench::walks_per_second(rows.strips.num_lanes);
  const double num_strips = double(rows.strips.num_strips);
  state.counters["of_bound"] = num_columns * num_strips * bound / seconds;
  state.counters["of_store_bound"] =
      pairs * num_strips / bench::stored_rows_per_second(rows.strips.num_lanes) / seconds;
}

// Examples of early, middle and late passes of a tournament.
constexpr std::int64_t kSampled[] = {130, 1040, 8320};

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"K", "examples", "zeros%", "round"});
  for (const std::int64_t zeros : {0, 81}) {
    for (const std::int64_t num_classes : {1, 2, 10, 26, 43, 101})
      b->Args({num_classes, kExamples, zeros, num_classes == 1 ? 1 : 100});
    for (const std::int64_t round : {1, 10}) b->Args({10, kExamples, zeros, round});
  }
  for (const std::int64_t zeros : {0, 81})
    for (const std::int64_t num_examples : kSampled) b->Args({10, num_examples, zeros, 100});
}
BENCHMARK(scan<std::int16_t>)->Apply(sizes);
BENCHMARK(scan<std::int8_t>)->Apply(sizes);

// The scan beside plain ways to write its loop, in turns, on dense columns: each at its best. The scan also
// finds the best cuts, which these do not.
template <class Weight>
void beside_micro_kernels(benchmark::State& state) {
  const Training<Weight> training(std::size_t(state.range(0)), kExamples, 0, std::uint32_t(state.range(1)));
  const WeightRows<Weight> rows = training.rows();
  const std::size_t width = width_in_use();
  std::vector<IntegerCut> best(kFeatures);
  double scan = 0;
  std::vector<bench::MicroKernel> kernels;
  for (auto _ : state) {
    const auto timed = bench::time_micro_kernels(training.columns(), rows);
    if (kernels.empty()) kernels = timed;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (!timed[i].is_exact) state.SkipWithError((timed[i].name + ": its sums are wrong").c_str());
      kernels[i].pairs_per_second = std::max(kernels[i].pairs_per_second, timed[i].pairs_per_second);
    }
    for (int repeat = 0; repeat < 15; ++repeat) {
      const Stopwatch watch;
      best_cuts(training.columns(), rows, width, best.data());
      benchmark::DoNotOptimize(best.data());
      scan = std::max(scan, double(kExamples * kFeatures) / watch.seconds());
    }
  }
  double fastest = 0;
  for (const auto& kernel : kernels) {
    fastest = std::max(fastest, kernel.pairs_per_second);
    state.counters[kernel.name] = kernel.pairs_per_second;
  }
  state.counters["pairs/s"] = scan;
  state.counters["of_fastest"] = scan / fastest;
  state.SetLabel(instruction_set());
}
void few_rounds(benchmark::internal::Benchmark* b) {
  b->ArgNames({"K", "round"})->Iterations(3);
  for (const std::int64_t round : {1, 10, 100}) b->Args({10, round});
}
BENCHMARK(beside_micro_kernels<std::int16_t>)->Apply(few_rounds);
BENCHMARK(beside_micro_kernels<std::int8_t>)->Apply(few_rounds);

// The parts of the limits.
void measure_clock(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bench::cycles_per_second());
  state.counters["cycles/s"] = bench::cycles_per_second();
}
BENCHMARK(measure_clock)->Name("clock")->Iterations(1);

void add_rows(benchmark::State& state) {
  const auto num_lanes = std::size_t(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(bench::added_rows_per_second(num_lanes));
  state.counters["rows/s"] = bench::added_rows_per_second(num_lanes);
}
BENCHMARK(add_rows)->ArgName("lanes")->Arg(4)->Arg(8)->Arg(16)->Iterations(1);

void walk_codes(benchmark::State& state) {
  const auto num_lanes = std::size_t(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(bench::walks_per_second(num_lanes));
  state.counters["features/s"] = bench::walks_per_second(num_lanes);
}
BENCHMARK(walk_codes)->ArgName("lanes")->Arg(4)->Arg(8)->Arg(16)->Iterations(1);

void read_probe(benchmark::State& state) {
  const std::vector<std::uint64_t> memory(std::size_t(1) << 24, 1);
  for (auto _ : state)
    benchmark::DoNotOptimize(std::accumulate(memory.begin(), memory.end(), std::uint64_t(0)));
  state.SetBytesProcessed(state.iterations() * std::int64_t(memory.size() * sizeof(std::uint64_t)));
}
BENCHMARK(read_probe);

}  // namespace
}  // namespace mash
