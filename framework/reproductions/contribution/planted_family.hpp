// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// A family that no heuristic computes: its features are made from what the experimenter knows, to see what a
// test says of a family whose worth is known.
struct PlantedFamily {
  std::string name;
  std::uint32_t dim = 0;
  // The code of a feature for an example of a side: 0 ... 255. Pure; called from any thread.
  std::function<std::uint8_t(Side side, std::uint32_t example, std::uint32_t feature)> code;
};

// Features that say nothing. number: other numbers, other noise.
PlantedFamily noise_family(std::uint32_t dim, std::uint64_t number);

// The features of a family of a set, of other examples: real features, with all that they have in common,
// that say nothing of the class. features: outlives it.
PlantedFamily permuted_family(const FeatureSet& features, std::size_t family_idx, std::uint64_t number);

// The same features again, under another name. features: outlives it.
PlantedFamily copied_family(const FeatureSet& features, std::size_t family_idx);

// One feature that is the class.
PlantedFamily leaking_family(const Dataset& dataset);

// Features of which each knows a little of every class: Gaussian noise that is higher or lower by `strength`
// standard deviations, as a random half of the classes says.
PlantedFamily knowing_family(const Dataset& dataset, std::uint32_t dim, double strength,
                             std::uint64_t number);

// The set with the family behind the others. `examples`: those of the set.
FeatureSet plant(const FeatureSet& features, PlantedFamily family);

}  // namespace mash
