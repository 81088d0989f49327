// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "framework/base/require.hpp"

namespace mash {

// Puts a state together: numbers one after the other, as a checkpoint keeps them. Whole numbers up to 2^53
// come back as they were.
class StateWriter {
 public:
  template <class... Numbers>
  void add(Numbers... numbers) {
    (numbers_.push_back(double(numbers)), ...);
  }
  // Those of a list, for a reader that knows their count.
  template <class List>
  void add_all(const List& list) {
    numbers_.insert(numbers_.end(), std::begin(list), std::end(list));
  }
  // Their count, then those of the list.
  template <class List>
  void add_counted(const List& list) {
    add(std::size(list));
    add_all(list);
  }
  // The numbers that were written so far; none is left.
  std::vector<double> take() { return std::exchange(numbers_, {}); }

 private:
  std::vector<double> numbers_;
};

// Reads the numbers of a state in the order in which they were written; they outlive it.
class StateReader {
 public:
  explicit StateReader(std::span<const double> numbers) : left_(numbers) {}

  // REQUIRES: some are left.
  template <class Number = double>
  Number next() {
    return Number(next_all(1)[0]);
  }
  // REQUIRES: as many are left.
  std::span<const double> next_all(std::size_t count) {
    require(count <= left_.size(), "a state has as many numbers as its owner wrote");
    return std::exchange(left_, left_.subspan(count)).first(count);
  }
  // Those that StateWriter::add_counted wrote.
  std::span<const double> next_counted() { return next_all(next<std::size_t>()); }
  // All that are left.
  std::span<const double> rest() { return next_all(left_.size()); }
  // REQUIRES: all have been read.
  void finish() const { require(left_.empty(), "a state has as many numbers as its owner wrote"); }

 private:
  std::span<const double> left_;
};

}  // namespace mash
