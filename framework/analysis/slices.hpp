// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/analysis/gain_parts.hpp"
#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// The looks of a picture, apart from what it shows: of the grey plane that heuristics see, pixels in [0, 1].
struct PictureTraits {
  double brightness = 0;    // mean
  double contrast = 0;      // standard deviation
  double sharpness = 0;     // variance of the Laplacian: low for a blurred picture (Pech-Pacheco et al. 2000)
  double edge_density = 0;  // share of pixels whose Sobel gradient is longer than half the picture's longest
};
// One for each of the examples. REQUIRES: the split has images.
std::vector<PictureTraits> picture_traits(const Split& split, std::span<const std::uint32_t> examples,
                                          const ImageShape& shape, const Workers& workers);

// Examples that look alike in some way.
struct Slice {
  std::string trait;                  // "brightness", "contrast", "sharpness", "edge density"
  std::string name;                   // "lowest fifth", "second fifth", ... "highest fifth"
  double low = 0, high = 0;           // of the trait within it
  std::vector<std::size_t> examples;  // places in what was cut up
};
// Fifths of each trait, lowest first (ties go by place); those without an example are left out.
std::vector<Slice> slices_of(std::span<const PictureTraits> pictures);

// The part of a slice in a gain; part.group_idx: its place.
struct SliceGain {
  std::string trait, slice;
  double low = 0, high = 0;
  GainPart part;
};
// parts: of the slices' examples, by GroupedGains, which leaves out slices of one example.
std::vector<SliceGain> slice_gains(std::span<const Slice> slices, std::span<const GainPart> parts);

}  // namespace mash
