// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/grown_tree.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "framework/base/elementary.hpp"

namespace mash {
namespace {

constexpr double kMostRequired = 25;  // of a question's sides, of any number of examples
constexpr double kGainSlack = 1e-3;   // below the mean gain
constexpr double kErrorSlack = 0.1;   // by which pruning may raise the errors
constexpr std::size_t kCodes = 256;

double log2_of(double x) { return stable_log(x) / std::numbers::ln2; }

double sum_of_weights(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}
double wrong_weight(std::span<const double> weights) {
  return sum_of_weights(weights) - *std::max_element(weights.begin(), weights.end());
}

struct NumberedExample {
  float number = 0;
  std::uint32_t row = 0;
};

struct Question {
  std::uint32_t column = 0;
  float threshold = 0;
  double gain = 0, ratio = 0;
};

// Number a < the threshold <= number b.
float between(float a, float b) {
  const auto middle = float((double(a) + double(b)) / 2);
  return middle > a ? middle : b;
}

// The columns one after the other, which a node reads one by one.
class ColumnNumbers {
 public:
  explicit ColumnNumbers(const NumberRows& rows, std::size_t num_rows, const Workers& workers)
      : num_rows_(num_rows), num_columns_(rows.num_columns) {
    if (rows.are_codes())
      transpose(rows.codes, codes_, workers);
    else
      transpose(rows.values, values_, workers);
  }

  std::size_t num_columns() const { return num_columns_; }
  float number(std::size_t column, std::uint32_t row) const {
    const std::size_t place = column * num_rows_ + row;
    return codes_.empty() ? values_[place] : float(codes_[place]);
  }

  // These rows by their numbers in a column; of equal ones in the order of the rows.
  std::vector<NumberedExample> sorted(std::size_t column, std::span<const std::uint32_t> rows) const {
    std::vector<NumberedExample> found(rows.size());
    if (!codes_.empty() && rows.size() > kCodes) {
      std::array<std::size_t, kCodes + 1> first{};
      for (const std::uint32_t row : rows) ++first[codes_[column * num_rows_ + row] + 1u];
      std::partial_sum(first.begin(), first.end(), first.begin());
      for (const std::uint32_t row : rows) {
        const std::uint8_t code = codes_[column * num_rows_ + row];
        found[first[code]++] = {float(code), row};
      }
      return found;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) found[i] = {number(column, rows[i]), rows[i]};
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.number < b.number; });
    return found;
  }

 private:
  template <class Number>
  void transpose(const std::vector<Number>& rows, std::vector<Number>& columns,
                 const Workers& workers) const {
    constexpr std::size_t kColumnsAtOnce = 64;
    columns.resize(rows.size());
    workers.for_ranges(num_columns_, kColumnsAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = 0; n < num_rows_; ++n)
        for (std::size_t i = begin; i < end; ++i) columns[i * num_rows_ + n] = rows[n * num_columns_ + i];
    });
  }

  std::size_t num_rows_, num_columns_;
  std::vector<std::uint8_t> codes_;
  std::vector<float> values_;
};

class TreeGrowth {
 public:
  TreeGrowth(const TreeExamples& examples, const GrowthOptions& options, const WorkContext& work)
      : examples_(examples),
        options_(options),
        work_(work),
        columns_(examples.rows, examples.labels.size(), work.workers) {}

  Result<std::unique_ptr<GrownNode>> grow() {
    std::vector<std::uint32_t> rows(examples_.labels.size());
    std::iota(rows.begin(), rows.end(), 0u);
    work_.progress.start("tree", rows.size(), "examples");
    auto root = grown(rows, 0);
    if (work_.stop.raised()) return stopped_by_user();
    work_.progress.finish();
    if (options_.confidence < 1) prune(*root, rows);
    return root;
  }

 private:
  std::vector<double> weights_of(std::span<const std::uint32_t> rows) const {
    std::vector<double> weights(examples_.num_classes);
    for (const std::uint32_t row : rows) weights[examples_.labels[row]] += examples_.weights[row];
    return weights;
  }
  // The rows on the side of the question.
  std::vector<std::uint32_t> side(const GrownNode& node, std::span<const std::uint32_t> rows,
                                  bool is_above) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t row : rows)
      if ((columns_.number(node.column, row) >= node.threshold) == is_above) found.push_back(row);
    return found;
  }

  std::unique_ptr<GrownNode> grown(std::span<const std::uint32_t> rows, std::uint32_t depth) {
    auto node = std::make_unique<GrownNode>();
    node->weights = weights_of(rows);
    const double total = sum_of_weights(node->weights);
    const bool may_ask = depth < options_.most_depth && wrong_weight(node->weights) > 0 &&
                         total >= 2 * options_.least_leaf && !work_.stop.raised();
    const auto question = may_ask ? best_question(rows, node->weights) : std::nullopt;
    if (!question) {
      work_.progress.advance(rows.size());
      return node;
    }
    node->column = question->column;
    node->threshold = question->threshold;
    node->below = grown(side(*node, rows, false), depth + 1);
    node->above = grown(side(*node, rows, true), depth + 1);
    return node;
  }

  std::optional<Question> best_question(std::span<const std::uint32_t> rows,
                                        std::span<const double> weights) const {
    std::vector<std::optional<Question>> of_column(columns_.num_columns());
    work_.workers.for_ranges(of_column.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) of_column[i] = question_to(std::uint32_t(i), rows, weights);
    });
    double sum = 0;
    std::size_t count = 0;
    for (const auto& question : of_column)
      if (question) {
        sum += question->gain;
        ++count;
      }
    std::optional<Question> best;
    for (const auto& question : of_column) {
      if (!question || (options_.by_ratio && question->gain < sum / double(count) - kGainSlack)) continue;
      const bool is_better =
          !best || (options_.by_ratio ? question->ratio > best->ratio : question->gain > best->gain);
      if (is_better) best = question;
    }
    return best;
  }

  // The threshold with the largest gain, the first of equals.
  std::optional<Question> question_to(std::uint32_t column, std::span<const std::uint32_t> rows,
                                      std::span<const double> weights) const {
    const std::vector<NumberedExample> sorted = columns_.sorted(column, rows);
    if (sorted.front().number == sorted.back().number) return std::nullopt;
    const double total = sum_of_weights(weights), before = information_of(weights);
    const double required = std::clamp(0.1 * total / double(examples_.num_classes), options_.least_leaf,
                                       std::max(options_.least_leaf, kMostRequired));
    std::vector<double> below(weights.size()), above(weights.begin(), weights.end());
    double weight_below = 0;
    Question best{column, 0, 0, 0};
    std::size_t num_thresholds = 0;
    double best_below = 0;
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      const double weight = examples_.weights[sorted[i].row];
      below[examples_.labels[sorted[i].row]] += weight;
      above[examples_.labels[sorted[i].row]] -= weight;
      weight_below += weight;
      if (sorted[i].number == sorted[i + 1].number) continue;
      if (weight_below < required || total - weight_below < required) continue;
      ++num_thresholds;
      const double gain = (before - information_of(below) - information_of(above)) / total;
      if (gain <= best.gain) continue;
      best.gain = gain;
      best.threshold = between(sorted[i].number, sorted[i + 1].number);
      best_below = weight_below;
    }
    if (num_thresholds == 0) return std::nullopt;
    best.gain -= log2_of(double(num_thresholds)) / total;
    if (!(best.gain > 0)) return std::nullopt;
    const double sides[] = {best_below, total - best_below};
    best.ratio = best.gain / (information_of(sides) / total);
    return best;
  }

  double leaf_errors(std::span<const double> weights) const {
    return expected_errors(wrong_weight(weights), sum_of_weights(weights), options_.confidence);
  }
  // The expected errors of a subtree on its own examples.
  double tree_errors(const GrownNode& node) const {
    if (node.is_leaf()) return leaf_errors(node.weights);
    return tree_errors(*node.below) + tree_errors(*node.above);
  }
  // The same on these examples.
  double errors_on(const GrownNode& node, std::span<const std::uint32_t> rows) const {
    if (node.is_leaf()) {
      const std::vector<double> weights = weights_of(rows);
      // It keeps its class.
      const auto own = std::max_element(node.weights.begin(), node.weights.end()) - node.weights.begin();
      const double total = sum_of_weights(weights);
      return total > 0 ? expected_errors(total - weights[std::size_t(own)], total, options_.confidence) : 0;
    }
    return errors_on(*node.below, side(node, rows, false)) + errors_on(*node.above, side(node, rows, true));
  }
  void distribute(GrownNode& node, std::span<const std::uint32_t> rows) const {
    node.weights = weights_of(rows);
    if (node.is_leaf()) return;
    distribute(*node.below, side(node, rows, false));
    distribute(*node.above, side(node, rows, true));
  }

  void prune(GrownNode& node, std::span<const std::uint32_t> rows) const {
    if (node.is_leaf()) return;
    prune(*node.below, side(node, rows, false));
    prune(*node.above, side(node, rows, true));
    const bool is_below_larger = sum_of_weights(node.below->weights) >= sum_of_weights(node.above->weights);
    auto& larger = is_below_larger ? node.below : node.above;
    const double as_leaf = leaf_errors(node.weights), as_tree = tree_errors(node),
                 as_branch = errors_on(*larger, rows);
    if (as_leaf <= as_tree + kErrorSlack && as_leaf <= as_branch + kErrorSlack) {
      node.below.reset();
      node.above.reset();
    } else if (as_branch <= as_tree + kErrorSlack) {
      GrownNode raised = std::move(*larger);
      node = std::move(raised);
      distribute(node, rows);
      prune(node, rows);
    }
  }

  const TreeExamples& examples_;
  const GrowthOptions& options_;
  const WorkContext& work_;
  ColumnNumbers columns_;
};

}  // namespace

double information_of(std::span<const double> weights) {
  double total = 0, sum = 0;
  for (const double weight : weights) {
    total += weight;
    if (weight > 0) sum -= weight * log2_of(weight);
  }
  return total > 0 ? sum + total * log2_of(total) : 0;
}

double expected_errors(double wrong, double n, double confidence) {
  if (n <= 0) return 0;
  if (wrong <= 0) return n * (1 - stable_exp(stable_log(confidence) / n));
  if (wrong >= n) return n;
  return n * boost::math::ibeta_inv(wrong + 1, n - wrong, 1 - confidence);
}

Result<std::unique_ptr<GrownNode>> grow_c45(const TreeExamples& examples, const GrowthOptions& options,
                                            const WorkContext& work) {
  return TreeGrowth(examples, options, work).grow();
}

}  // namespace mash
