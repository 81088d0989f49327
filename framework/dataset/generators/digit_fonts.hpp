// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace mash {

struct Point {
  double x = 0;
  double y = 0;
};
using Polyline = std::vector<Point>;

// The pen strokes of a digit: x and y in [-0.5, 0.5], y downward.
using Glyph = std::vector<Polyline>;

// One hand's ten digits as the skeletons of their strokes; own designs.
struct DigitFont {
  std::string_view name;
  std::vector<Glyph> digits;
};

// The fonts of each side; no font is in both.
std::span<const DigitFont> train_digit_fonts();
std::span<const DigitFont> test_digit_fonts();

// Parses strokes written as squares of a chess board, columns a to i from the left and rows 0 to 9 from the
// top: "-b2e0e9" goes straight from square to square, "~a1d0h2" smoothly through them (a Catmull-Rom spline,
// closed when it ends where it starts). Strokes are parted by blanks. REQUIRES: well formed; the texts are
// ours.
Glyph parse_glyph(std::string_view strokes);

}  // namespace mash
