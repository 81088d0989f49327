// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/dataset/dataset.hpp"
#include "framework/dataset/reader.hpp"

namespace mash {

// How hard the digits are. 1 is the standard difficulty of each knob, 0 none of it.
struct DigitsSettings {
  ImageShape shape{28, 28, 1};
  double pose = 1;        // spread of rotation, shear, scale, position and bending
  double clutter = 1;     // number of stray strokes
  double noise = 1;       // strength of the pixel noise
  double inverted = 0.1;  // the part of the digits that is dark on light
};

enum class DigitsSide { kTrain, kTest };

// The class of an example: the digits take turns, so that every side has all of them.
constexpr std::uint16_t digit_label(std::size_t example_idx) { return std::uint16_t(example_idx % 10); }

// Renders one example into `image` (shape.num_bytes() bytes). The picture depends on the arguments alone, not
// on the other examples, so any of them can be made at any time on any thread.
void render_digit(const DigitsSettings& settings, DigitsSide side, std::uint64_t seed,
                  std::size_t example_idx, std::span<std::uint8_t> image);

// The data set of them. Keys: size, in pixels a side; channels; the knobs of DigitsSettings; and endless: the
// training side never ends, and holds the first examples only.
Result<Dataset> generate_digits(Settings& settings, const ReadRequest& request);

}  // namespace mash
