// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/decision_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// A threshold above `low` and at most `high`, in the middle where floats are dense enough.
float midpoint(float low, float high) {
  const auto middle = float((double(low) + double(high)) / 2);
  return middle > low ? middle : high;
}

// How many examples of each class there are, with the sum of the squares of these numbers.
class ClassCounts {
 public:
  explicit ClassCounts(std::size_t num_classes) : counts_(num_classes) {}

  void add(std::uint16_t label) {
    sum_of_squares_ += 2 * counts_[label] + 1;
    ++counts_[label];
    ++total_;
  }
  void remove(std::uint16_t label) {
    sum_of_squares_ -= 2 * counts_[label] - 1;
    --counts_[label];
    --total_;
  }

  std::uint32_t total() const { return std::uint32_t(total_); }
  // The sum of squares divided by n. It is n less n times the Gini index 1 - sum p^2: the larger, the purer.
  double purity() const { return double(sum_of_squares_) / double(total_); }
  std::uint16_t commonest() const {
    return std::uint16_t(std::max_element(counts_.begin(), counts_.end()) - counts_.begin());
  }
  std::uint32_t num_wrong() const { return std::uint32_t(total_ - counts_[commonest()]); }
  bool is_pure() const { return num_wrong() == 0; }

 private:
  std::vector<std::int64_t> counts_;
  std::int64_t total_ = 0, sum_of_squares_ = 0;
};

struct Split {
  std::uint32_t feature = 0;
  std::size_t num_below = 0;
  double purity = -1;  // the sum of both sides'
};

class Grower {
 public:
  explicit Grower(const TreeData& data)
      : data_(data), is_above_(data.num_examples()), moved_(data.num_examples()) {
    orders_.resize(data.num_features() * data.num_examples());
    for (std::size_t j = 0; j < data.num_features(); ++j) {
      const auto order = order_of(j, {0, data.num_examples()});
      std::iota(order.begin(), order.end(), 0u);
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return data.value(j, a) < data.value(j, b); });
    }
  }

  DecisionTree grow() {
    ClassCounts all(data_.num_classes);
    for (const std::uint16_t label : data_.labels) all.add(label);
    add_node(all, {0, data_.num_examples()});
    while (!unfinished_.empty()) {
      const Unfinished next = unfinished_.back();
      unfinished_.pop_back();
      if (const auto split = best_split(next.range, next.counts)) apply(*split, next);
    }
    return std::move(tree_);
  }

 private:
  // Where the examples of a node stand in the order of each feature.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  struct Unfinished {
    std::uint32_t node = 0;
    Range range;
    ClassCounts counts;
  };

  // The examples of a node in increasing order of a feature's values.
  std::span<std::uint32_t> order_of(std::size_t feature, const Range& range) {
    return std::span(orders_).subspan(feature * data_.num_examples() + range.begin, range.end - range.begin);
  }

  std::uint32_t add_node(const ClassCounts& counts, const Range& range) {
    const auto node = std::uint32_t(tree_.size());
    tree_.push_back({0, 0, 0, 0, counts.total(), counts.num_wrong(), counts.commonest()});
    if (!counts.is_pure()) unfinished_.push_back({node, range, counts});
    return node;
  }

  // Nothing where no feature tells the examples apart.
  std::optional<Split> best_split(const Range& range, const ClassCounts& counts) {
    Split best;
    for (std::uint32_t j = 0; j < data_.num_features(); ++j) look_at(j, range, counts, best);
    if (best.purity < 0) return std::nullopt;
    return best;
  }

  void look_at(std::uint32_t feature, const Range& range, const ClassCounts& counts, Split& best) {
    const auto order = order_of(feature, range);
    if (data_.value(feature, order.front()) == data_.value(feature, order.back())) return;
    ClassCounts below(data_.num_classes), above = counts;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      below.add(data_.labels[order[i]]);
      above.remove(data_.labels[order[i]]);
      if (data_.value(feature, order[i]) == data_.value(feature, order[i + 1])) continue;
      const double purity = below.purity() + above.purity();
      if (purity > best.purity) best = {feature, i + 1, purity};
    }
  }

  void apply(const Split& split, const Unfinished& parent) {
    const Range& range = parent.range;
    const auto order = order_of(split.feature, range);
    ClassCounts below(data_.num_classes), above = parent.counts;
    for (std::size_t i = 0; i < order.size(); ++i) {
      is_above_[order[i]] = i >= split.num_below;
      if (i >= split.num_below) continue;
      below.add(data_.labels[order[i]]);
      above.remove(data_.labels[order[i]]);
    }
    const float threshold = midpoint(data_.value(split.feature, order[split.num_below - 1]),
                                     data_.value(split.feature, order[split.num_below]));
    if (!below.is_pure() || !above.is_pure()) divide(range);
    const std::size_t middle = range.begin + split.num_below;
    const std::uint32_t below_node = add_node(below, {range.begin, middle});
    const std::uint32_t above_node = add_node(above, {middle, range.end});
    TreeNode& node = tree_[parent.node];
    node.feature = split.feature;
    node.threshold = threshold;
    node.below = below_node;
    node.above = above_node;
  }

  // Brings the examples that are not above to the front of the range, for each feature, both sides in the
  // order that they had.
  void divide(const Range& range) {
    for (std::size_t j = 0; j < data_.num_features(); ++j) {
      const auto order = order_of(j, range);
      std::size_t num_below = 0, num_moved = 0;
      for (const std::uint32_t example : order) {
        order[num_below] = example;
        moved_[num_moved] = example;
        num_below += !is_above_[example];
        num_moved += is_above_[example];
      }
      std::copy_n(moved_.begin(), num_moved, order.begin() + std::ptrdiff_t(num_below));
    }
  }

  const TreeData& data_;
  std::vector<std::uint32_t> orders_;  // num_features x num_examples
  std::vector<std::uint8_t> is_above_;
  std::vector<std::uint32_t> moved_;
  std::vector<Unfinished> unfinished_;
  DecisionTree tree_;
};

}  // namespace

Result<DecisionTree> grow_tree(const TreeData& data) {
  if (data.labels.empty()) return input_error("decision tree: found no examples, expected at least one");
  require(data.values.size() % data.num_examples() == 0, "grow_tree: as many values as labels");
  for (std::size_t n = 0; n < data.num_examples(); ++n)
    if (data.labels[n] >= data.num_classes)
      return input_error("decision tree: found class {} of example {}, expected one of {} classes",
                         data.labels[n], n, data.num_classes);
  for (std::size_t i = 0; i < data.values.size(); ++i)
    if (!std::isfinite(data.values[i]))
      return input_error("decision tree: found {} as feature {} of example {}, expected a finite number",
                         data.values[i], i / data.num_examples(), i % data.num_examples());
  return Grower(data).grow();
}

}  // namespace mash
