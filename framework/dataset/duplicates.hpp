// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/parallel.hpp"
#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// Examples of both sides that are equal: the same pixels, or the same values in all columns.
struct Duplicates {
  // Two equal examples, in words: "test example 3 (class b, b/1.png)".
  struct Pair {
    std::string first, second;
  };
  std::size_t num_repeated = 0;        // examples that equal one before them, training examples first
  std::size_t num_across_sides = 0;    // test examples that equal a training example
  std::size_t num_across_classes = 0;  // examples whose first equal has another class
  std::optional<Pair> across_sides, across_classes;  // an example of each
};

// Finds equal examples by the SHA-256 of each; nothing where they are not looked for, as a side never ends or
// both are more than 8 GiB. Errors: kStopped.
Result<std::optional<Duplicates>> find_duplicates(const Dataset& dataset, const Workers& workers,
                                                  const StopFlag& stop);

// A sentence each: examples on both sides, and in several classes.
std::vector<std::string> warnings_of(const Duplicates& duplicates);

// "12 examples equal an earlier one", or that they were not looked for.
std::string count_in_words(const std::optional<Duplicates>& duplicates);
nlohmann::ordered_json to_json(const std::optional<Duplicates>& duplicates);

}  // namespace mash
