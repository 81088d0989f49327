// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// The amount of examples that goes to one side.
//   count     "train: 60000", that number, the first in published order
//   fraction  "train: 0.8", a seeded choice of that part, with the classes in their proportions (stratified)
//   per class "train: 30 per class", a seeded choice of that number of each class; where a class has fewer,
//             `test` takes all of them, and `train` is an error
struct PerClass {
  std::size_t count = 0;
  bool at_most = false;
};
using Amount = std::variant<std::size_t, double, PerClass>;

// Examples of a side that is generated.
inline constexpr std::size_t kMaxGenerated = 10'000'000;

// The keys `train` and `test` as the user gave them.
struct SplitRequest {
  std::optional<Amount> train;
  std::optional<Amount> test;
  std::string train_where = "train";  // for errors: "file.yaml:3: train"
  std::string test_where = "test";
};

// Errors: kInput unless each is a whole number >= 1, such a number "per class", or a fraction in (0, 1].
Result<SplitRequest> read_split_request(Settings& settings);

// Whether a side of a generator, which has no published size, is given as a number of examples. where: the
// place of the key. Errors: kInput for another amount.
Status check_count(const std::optional<Amount>& amount, const std::string& where);
// That number; `fallback` where the key is missing. REQUIRES: check_count holds.
std::size_t count_of(const std::optional<Amount>& amount, std::size_t fallback);

// Cuts a data set as published down to what was asked for.
//
// Where the publisher gives both sides, each is cut on its own, and stays whole without a key. Where all
// examples are on the training side (a single file, a folder of classes) they are divided: `train` takes its
// part first, `test` its part of the rest, or all of the rest without a key; with `test` alone, training gets
// what it leaves, and comes first (except with a number per class, where test chooses first). With neither
// key the division is `train: 0.8`, and a warning says so. Either way the chosen examples stay in published
// order. Errors: kInput when there are not as many as asked for, or a side is left empty.
Status apply_split(const SplitRequest& request, std::uint64_t seed, Dataset& dataset);

// Puts this part of the training side, a seeded choice with the classes in their proportions, in place of the
// test side: for choosing settings without a look at the test examples.
// Errors: kInput when a side is left empty.
Status hold_out(double fraction, std::uint64_t seed, Dataset& dataset);

// The data set with about this number of its training examples alone: a seeded choice, with the classes in
// their proportions and whole sequences, and no test example. All of them where it has fewer. Its warnings
// stay with the whole data set, and fingerprint is for the caller to fill in. REQUIRES: an example, and a
// side that is not endless.
Dataset part_of_training(const Dataset& dataset, std::size_t num_examples, std::uint64_t seed);

// How much of the test side is kept: `test_part: private`.
enum class TestPart { kAll, kPublic, kPrivate };
// Errors (kInput): another word.
Result<TestPart> read_test_part(Settings& settings);

// Keeps that part of the test side, in its order. Examples of the private part have no names then, and files
// of pictures that are on neither side are no sources any more. Errors (kInput): no example is left.
Status keep_test_part(TestPart part, Dataset& dataset);

}  // namespace mash
