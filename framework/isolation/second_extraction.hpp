// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "framework/base/result.hpp"
#include "framework/extractors/host.hpp"

namespace mash {

// Features that are not the same when they are extracted again.
struct Deviation {
  std::size_t num_values = 0;  // that differ
  std::size_t image = 0;       // the first of them: its place among the wanted ones of the tile
  std::uint32_t feature = 0;
  float first = 0, second = 0;

  // "2 of 4000 values differ; the first: feature 3 of image 17 is 0.25 and then 0.5".
  std::string describe(std::size_t num_all) const;
};

// Extracts all features of some pictures once more, in another order and in tiles of other sizes (both drawn
// from the seed), and compares them with what came first. again: an instance of a host that has not run the
// heuristic before, and so puts it into a process of its own. Features that depend on earlier pictures (for a
// heuristic that looks back: on those before these), on addresses, on the process or on the time differ; what
// depends on nothing but the picture is equal bit for bit. NaN is equal to NaN.
//
// first: a row of dim features for each wanted image, as extract gives them. Errors: the heuristic's own
// (kInput), or it has another number of features than before; kFailure. REQUIRES: `first` has as many values
// for each wanted image; only tiles of sequences show images that are not wanted; its views are of one size.
Result<std::optional<Deviation>> find_deviation(HeuristicInstance& again, const HeuristicInfo& info,
                                                const ImageTile& tile, std::span<const float> first,
                                                std::uint64_t seed);

}  // namespace mash
