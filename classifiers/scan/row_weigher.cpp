// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/row_weigher.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "classifiers/scan/kernels/rounding.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kRowsPerTask = WeighedRows::kRowsPerTask;
constexpr std::size_t kRowsPerBlock = 256;  // where their sums allow

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

std::size_t num_rows_of(const ExampleDraw& draw, const FocusedWeights& weights) {
  return draw.rows.empty() ? weights.num_examples() : draw.rows.size();
}

// Weights in double precision: all is done at the start, and there are no tasks.
class DoubleWeigher final : public RowWeigher {
 public:
  explicit DoubleWeigher(const FocusedWeights& weights) : weights_(weights) {}

  void start(const ExampleDraw& draw, WeighedRows& rows) const override {
    rows.num_rows = num_rows_of(draw, weights_);
    rows.tasks.clear();
    if (draw.rows.empty()) {
      rows.exact = weights_.signed_weights(rows.f64);
      return;
    }
    const std::size_t num_classes = weights_.num_classes();
    rows.f64.resize(rows.num_rows * num_classes);
    for (std::size_t r = 0; r < rows.num_rows; ++r) {
      const std::size_t i = draw.rows[r];
      const double factor =
          weights_.factor_of(i) * draw.counts[r] / (draw.num_draws * weights_.example_weights()[i]);
      for (std::size_t l = 0; l < num_classes; ++l)
        rows.f64[r * num_classes + l] = weights_.row(i)[l] * factor;
    }
    rows.exact = rows.f64;
  }
  void run_task(const ExampleDraw&, std::size_t, WeighedRows&) const override {}
  void finish(const ExampleDraw&, WeighedRows&) const override {}

 private:
  const FocusedWeights& weights_;
};

// Weights rounded to integers: of a draw, of count * G_nl / w_n.
template <class Integer>
class IntegerWeigher final : public RowWeigher {
 public:
  explicit IntegerWeigher(const FocusedWeights& weights)
      : weights_(weights), strips_(weights.num_classes()) {}

  void new_round(std::uint64_t seed, std::uint32_t round) override {
    seed_ = seed;
    round_ = round;
  }
  void start(const ExampleDraw& draw, WeighedRows& rows) const override;
  void run_task(const ExampleDraw& draw, std::size_t task, WeighedRows& rows) const override;
  void finish(const ExampleDraw& draw, WeighedRows& rows) const override;

 private:
  static AlignedVector<Integer>& integers_of(WeighedRows& rows) {
    if constexpr (std::is_same_v<Integer, std::int16_t>)
      return rows.i16;
    else
      return rows.i8;
  }
  double largest_weight(const ExampleDraw& draw) const {
    return draw.rows.empty() ? weights_.largest() : *std::max_element(draw.counts.begin(), draw.counts.end());
  }

  const FocusedWeights& weights_;
  Strips strips_;
  std::uint64_t seed_ = 0;
  std::uint32_t round_ = 0;
};

template <class Integer>
void IntegerWeigher<Integer>::start(const ExampleDraw& draw, WeighedRows& rows) const {
  rows.num_rows = num_rows_of(draw, weights_);
  rows.scale = integer_scale<Integer>(largest_weight(draw), draw.rows.empty() ? 1.0 : draw.num_draws,
                                      rows.num_rows, weights_.num_classes());
  // Grows only: all that is read is written first.
  AlignedVector<Integer>& integers = integers_of(rows);
  integers.resize(std::max(integers.size(), rows.num_rows * strips_.num_all_lanes()));
  rows.tasks.resize((rows.num_rows + kRowsPerTask - 1) / kRowsPerTask);
}

template <class Integer>
void IntegerWeigher<Integer>::run_task(const ExampleDraw& draw, std::size_t task, WeighedRows& rows) const {
  const bool all = draw.rows.empty();
  const std::size_t begin = task * kRowsPerTask, end = std::min(begin + kRowsPerTask, rows.num_rows);
  std::array<std::uint32_t, kRowsPerTask> examples;
  std::array<double, kRowsPerTask> factors;
  for (std::size_t r = begin; r < end; ++r) {
    const std::size_t i = all ? r : draw.rows[r];
    examples[r - begin] = weights_.number_of(i);
    factors[r - begin] =
        all ? rows.scale * weights_.factor_of(i)
            : rows.scale * weights_.factor_of(i) * draw.counts[r] / weights_.example_weights()[i];
  }
  const std::size_t num_classes = weights_.num_classes();
  AlignedVector<Integer>& integers = integers_of(rows);
  // In this thread's memory: two tasks that write to one cache line wait for each other.
  LaneSums sums(strips_.num_all_lanes()), of_block = sums;
  std::vector<RowBlock> blocks;
  std::vector<double> noise;
  if constexpr (sizeof(Integer) == 1) {
    noise.resize((end - begin) * num_classes);
    RandomStream(seed_, "scan.i8", std::uint64_t(round_) << 32 | begin).uniform(noise);
  }
  for (std::size_t first = begin; first < end; first += kRowsPerBlock) {
    const std::size_t size = std::min(kRowsPerBlock, end - first);
    const RowsToRound to_round{weights_.of_all().all(), num_classes,
                               std::span(examples).subspan(first - begin, size),
                               std::span(factors).subspan(first - begin, size), rows.num_rows};
    Integer* place = &integers[strips_.at(0, first, rows.num_rows)];
    of_block.clear();
    if constexpr (sizeof(Integer) == 1)
      round_rows(to_round, std::span(noise).subspan((first - begin) * num_classes, size * num_classes), place,
                 of_block);
    else
      round_rows(to_round, place, of_block);
    const std::int32_t sum = *std::max_element(of_block.magnitudes.begin(), of_block.magnitudes.end());
    if (sum <= kUsualBlockSum)
      blocks.push_back({std::uint32_t(first + size), sum});
    else
      append_blocks(integers.data(), rows.num_rows, strips_, first, first + size, blocks);
    sums.add(of_block);
  }
  rows.tasks[task] = {std::move(sums), std::move(blocks)};
}

template <class Integer>
void IntegerWeigher<Integer>::finish(const ExampleDraw& draw, WeighedRows& rows) const {
  LaneSums all(strips_.num_all_lanes());
  rows.blocks.clear();
  for (const auto& [sums, blocks] : rows.tasks) {
    all.add(sums);
    rows.blocks.insert(rows.blocks.end(), blocks.begin(), blocks.end());
  }
  rows.magnitude = *std::max_element(all.magnitudes.begin(), all.magnitudes.end());
  rows.totals = std::move(all.totals);
  if (!draw.rows.empty()) rows.scale *= draw.num_draws;
}

}  // namespace

std::unique_ptr<RowWeigher> make_row_weigher(const ScanSettings& settings, const FocusedWeights& weights) {
  if (settings.cuts == Cuts::kCodes && settings.mode == ScanMode::kI16)
    return std::make_unique<IntegerWeigher<std::int16_t>>(weights);
  if (settings.cuts == Cuts::kCodes && settings.mode == ScanMode::kI8)
    return std::make_unique<IntegerWeigher<std::int8_t>>(weights);
  return std::make_unique<DoubleWeigher>(weights);
}

}  // namespace mash
