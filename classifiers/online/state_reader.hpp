// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "framework/base/require.hpp"

namespace mash {

// Reads the numbers of a state one after the other, in the order in which they were written.
class StateReader {
 public:
  explicit StateReader(std::span<const double> numbers) : numbers_(numbers) {}

  // REQUIRES: some are left.
  double next() {
    require(position_ < numbers_.size(), "a state has as many numbers as its owner wrote");
    return numbers_[position_++];
  }
  // REQUIRES: all have been read.
  void finish() const {
    require(position_ == numbers_.size(), "a state has as many numbers as its owner wrote");
  }

 private:
  std::span<const double> numbers_;
  std::size_t position_ = 0;
};

}  // namespace mash
