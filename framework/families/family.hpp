// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/dataset/dataset.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "framework/families/columns/given_columns.hpp"

namespace mash {

// Identity of a family: a heuristic with its settings (the view size comes from the data set).
struct FamilySpec {
  std::string name;  // unique in an experiment: the heuristic's id, with "(cell=7)" where it occurs twice
  // Its id is "columns" for the reserved family of a table, "columns:NAME" for columns of a file: `plugin` is
  // that file then, and plugin_sha256 GivenColumns::sha256.
  HeuristicInfo heuristic;
  std::vector<double> values;
  std::string settings;  // describe_values: "cell=4,bins=9"
  bool named = true;     // by the user; one that was only found is left out, with a warning, if it misbehaves
  // The columns of a file, once they are matched to the pictures of the data set (match_columns); else null.
  std::shared_ptr<const GivenColumns> columns = nullptr;

  // Whether its values are there already, and no heuristic computes them.
  bool is_given() const { return heuristic.id == kColumnsFamily || has_given_columns(heuristic.id); }
};

// The family of the columns of a file, which are not read yet. id: "columns:NAME".
inline FamilySpec given_family(std::string id, std::filesystem::path file) {
  FamilySpec spec;
  spec.name = spec.heuristic.id = std::move(id);
  spec.heuristic.version = "1.0.0";
  spec.heuristic.summary = "the columns of a file";
  spec.heuristic.plugin = std::move(file);
  return spec;
}

// The reserved family of tables.
inline FamilySpec columns_family() {
  FamilySpec spec;
  spec.name = spec.heuristic.id = std::string(kColumnsFamily);
  spec.heuristic.version = "1.0.0";
  spec.heuristic.summary = "the columns of the table";
  return spec;
}

inline constexpr std::size_t kMaxFaultsKept = 5;  // of each family, with their messages

// A family over a data set, as known after its extraction.
struct FamilyInfo {
  FamilySpec spec;
  std::uint32_t dim = 0;
  // The number of features that are neither constant nor an exact copy of an earlier feature of any family;
  // dim where the family is lazy.
  std::uint32_t num_distinct = 0;
  std::uint64_t num_faults = 0;  // non-finite values over both splits
  // Those of the training side alone. What is published has no other number: where the test side is hidden,
  // that of both would tell of its pictures.
  std::uint64_t num_training_faults = 0;
  std::vector<Fault> first_faults;
  double extract_seconds = 0;         // wall time of its extraction, now or earlier
  double microseconds_per_image = 0;  // of processor time; NaN for columns of a file: nobody knows
  bool lazy = false;                  // beyond the store limit: evaluated on demand
};

}  // namespace mash
