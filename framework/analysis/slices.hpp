// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/analysis/contribution.hpp"

namespace mash {

// What a picture looks like, whatever it shows: of the grey plane that heuristics see, pixels in [0, 1].
struct PictureTraits {
  double brightness = 0;    // mean
  double contrast = 0;      // standard deviation
  double sharpness = 0;     // variance of the Laplacian: low for a blurred picture (Pech-Pacheco et al. 2000)
  double edge_density = 0;  // share of pixels whose Sobel gradient is longer than half the picture's longest
};
// One for each image of a side. REQUIRES: the split has images.
std::vector<PictureTraits> picture_traits(const Split& split, const ImageShape& shape,
                                          const Workers& workers);

// A part of the test side, and what became of it.
struct SliceGain {
  std::string trait;         // "class", "brightness", "contrast", "sharpness", "edge density"
  std::string slice;         // the class's name, or "lowest fifth", "second fifth", ... "highest fifth"
  double low = 0, high = 0;  // of the trait within it; both 0 for classes
  std::size_t num_examples = 0;
  double error_before = 0, error_after = 0;   // fractions, means over seeds
  std::size_t num_fixed = 0, num_broken = 0;  // by majority, as in Comparison
  double p_mid = 1;                           // McNemar's
  double p_corrected = 1;                     // for all slices that are looked at: holm_corrected
};
// Every class, and fifths of each trait, lowest first (ties go by place; a table has classes alone); those
// without an example are left out. REQUIRES: that of compare().
std::vector<SliceGain> slice_gains(std::span<const TestRun> before, std::span<const TestRun> after,
                                   const Dataset& dataset, const Workers& workers);

}  // namespace mash
