// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/base/parallel.hpp"
#include "framework/base/progress.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/extraction.hpp"
#include "framework/families/family.hpp"
#include "framework/families/tile_walk.hpp"

namespace mash {

// Computes all features of one family, as floats and without a store, for one group of images after another.
// The values equal, to the bit, those that a feature store holds. Each group is shown in a secret order.
class ValueExtractor {
 public:
  // shape, num_columns: of the data set; columns are for the reserved family of tables. host: outlives the
  // extractor. Errors: the heuristic's own; columns of a file (kInput).
  static Result<ValueExtractor> open(HeuristicHost& host, const FamilySpec& spec, const ImageShape& shape,
                                     std::size_t num_columns = 0);

  std::uint32_t dim() const { return dim_; }

  // Fills `out` with a row of dim() values for each example in [begin, end); NaN where a value is missing.
  // Errors: the heuristic's own, kStopped.
  Status extract(const Split& split, std::size_t begin, std::size_t end, std::span<float> out,
                 const Workers& workers, const StopFlag& stop) const;
  // The same for images without a data set, which lie one after the other in `pixels` and are not copied.
  Status extract(std::span<const std::uint8_t> pixels, std::span<float> out, const Workers& workers,
                 const StopFlag& stop) const;

 private:
  ValueExtractor(const ImageShape& shape, std::size_t looks_back) : shape_(shape), looks_back_(looks_back) {}

  // out: a row for each of all pictures. order, places: of pictures among them.
  Status extract_some(const Pictures& all, std::span<const std::uint32_t> places, std::span<float> out,
                      const StopFlag& stop) const;
  Status extract_all(const Pictures& all, std::span<const std::uint32_t> order, std::span<float> out,
                     const Workers& workers, const StopFlag& stop) const;

  ImageShape shape_;
  std::size_t looks_back_;
  std::uint32_t dim_ = 0;
  std::unique_ptr<InstancePool> pool_;  // null: columns
};

}  // namespace mash
