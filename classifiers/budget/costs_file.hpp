// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "classifiers/budget/costs.hpp"
#include "framework/base/result.hpp"

namespace mash {

// A family whose features have costs.
struct FamilySize {
  std::string name;
  std::uint32_t num_features = 0;
};

// Reads what features cost from a table of comma-separated values with the columns family, feature, and cost
// or microseconds, which says the unit (a table without names of its columns has costs). A feature is its
// number in the family, or `*` for all those of the family that have no line of their own, or `setup` for
// what they share (0 where there is no such line):
//
//   family,feature,cost
//   hog,setup,12.5
//   hog,*,0.1
//   hog,7,0.4
//
// Families that are not in `families` are passed over, so that one table does for many experiments.
// Errors (kInput): file and line of what cannot be read; another unit; a feature without a cost; one that has
// two.
Result<FeatureCosts> read_costs(const std::filesystem::path& path, std::span<const FamilySize> families);

// The same as far as the names of families tell, for who does not know their features yet. required: those of
// `families` that must have a line.
Status check_costs(const std::filesystem::path& path, std::span<const std::string> families,
                   std::span<const std::string> required);

// The same table of these families; feature by feature only where their costs differ.
std::string costs_table(std::span<const FamilyCosts> families, const std::string& unit = "");

}  // namespace mash
