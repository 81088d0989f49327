// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mash {

// The examples of a side that a model classifies rightly, by class, to find those that the model finds most
// like another example: whose scores are nearest to its scores (Euclid's distance).
class RightExamples {
 public:
  // scores: examples x num_classes, which outlive this object. labels: classes of the examples, of which some
  // may be none of the model's (>= num_classes): such examples are never right.
  RightExamples(std::span<const double> scores, std::size_t num_classes,
                std::span<const std::uint16_t> labels);

  // The nearest one of this class, among equals the first; nothing where there is none. example: any of the
  // side; never the answer itself.
  std::optional<std::size_t> nearest(std::size_t example, std::size_t class_idx) const;

 private:
  std::span<const double> scores_of(std::size_t example) const {
    return scores_.subspan(example * num_classes_, num_classes_);
  }

  std::span<const double> scores_;
  std::size_t num_classes_;
  std::vector<std::vector<std::size_t>> right_;  // of each class
};

}  // namespace mash
