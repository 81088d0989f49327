// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "framework/dataset/dataset.hpp"

namespace mash {

// Makes the pictures of a side that never ends, each from its number alone: the same at any time, after any
// others. All members are thread-safe.
class EndlessExamples {
 public:
  virtual ~EndlessExamples() = default;
  virtual std::uint16_t label(std::uint32_t example_idx) const = 0;
  // image: ImageShape::num_bytes() of it.
  virtual void render(std::uint32_t example_idx, std::span<std::uint8_t> image) const = 0;
};

// The class of an example, be it held or one of those behind. REQUIRES: the side has it.
inline std::uint16_t label_of(const Split& split, std::uint32_t example_idx) {
  return example_idx < split.num_examples ? split.labels[example_idx] : split.beyond->label(example_idx);
}

}  // namespace mash
