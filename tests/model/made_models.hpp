// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/random.hpp"

namespace mash::testing {

// A model file of tests/model/files, and what stands in it.
std::string stored(std::string_view name);
ModelHead head_of_stored();

// Models of all kinds that differ in all that a file has.
StrongClassifier random_model(std::uint64_t seed);
ModelProbe random_probe(const std::vector<std::vector<std::uint32_t>>& needed, RandomStream& stream);
LinearModel random_linear(std::uint64_t seed);
GaussianModel random_gaussian(std::uint64_t seed);
KernelModel random_machines(std::uint64_t seed);
NeighboursModel random_neighbours(std::uint64_t seed);
TreeModel random_tree(std::uint64_t seed);

struct Damage {
  const char* pointer;   // JSON pointer of what is replaced
  const char* value;     // by this JSON; "" removes it
  const char* expected;  // in the error
};

// The reader's error for the model with that damage.
std::string error_of(const Model& model, const Damage& damage);

}  // namespace mash::testing
