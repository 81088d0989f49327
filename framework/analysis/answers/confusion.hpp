// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// Examples of a class that are taken for a class.
struct ConfusedPair {
  std::size_t label = 0, predicted = 0;
  std::uint64_t count = 0;
};

// How often examples of each class are taken for each class.
class Confusion {
 public:
  Confusion() = default;
  explicit Confusion(std::size_t num_classes);

  void add(std::size_t label, std::size_t predicted) { ++counts_[label * num_classes_ + predicted]; }

  std::size_t num_classes() const { return num_classes_; }
  std::uint64_t count(std::size_t label, std::size_t predicted) const {
    return counts_[label * num_classes_ + predicted];
  }
  std::uint64_t num_examples() const;
  std::uint64_t num_wrong() const;

  // The pairs of two classes that are confused, the most frequent first; among equals in order of the
  // classes.
  std::vector<ConfusedPair> pairs(std::size_t most) const;

 private:
  std::size_t num_classes_ = 0;
  std::vector<std::uint64_t> counts_;  // label x predicted
};

// scores: examples x classes. labels: one for each example.
Confusion confusion_of(std::span<const double> scores, std::span<const std::uint16_t> labels,
                       std::size_t num_classes);

}  // namespace mash
