// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/digit_fonts.hpp"

#include <array>
#include <cassert>

namespace mash {
namespace {

constexpr int kStepsPerSquare = 6;  // of a smooth stroke

struct FontText {
  std::string_view name;
  std::array<std::string_view, 10> digits;
};

constexpr std::array kTrainFonts{
    FontText{"round",
             {"~e0h1i4h8e9b8a4b1e0", "-c2e0e9", "~a2c0f0h2g4d7a9 -a9i9", "~a1d0h1g3d4 ~d4h5h8d9a8",
              "-g9g0a6i6", "-h0b0a4 ~a4e3i6f9a8", "~h0c3a6d9h8h5d4a6", "-a0i0d9", "~e4b3c0g0h3e4a6c9g9i6e4",
              "~h3e5a4b1f0h3h6e9b9"}},
    FontText{"block",
             {"-b0h0h9b9b0", "-e0e9", "-b0h0h4b4b9h9", "-b0h0h9b9 -c4h4", "-b0b5h5 -h0h9", "-h0b0b4h4h9b9",
              "-h0b0b9h9h4b4", "-b0h0h9", "-b0h0h9b9b0 -b4h4", "-h4b4b0h0h9b9"}},
    FontText{"hand",
             {"~d0a3b8f9i5g1d0", "-d0c9", "~b2e0h1f5b9a8c7f9i8", "~b0g0f3d4h6f9a9", "-d0a5h4 -g2f9",
              "-i0c0b4 ~b4g4g8a9", "~f0b4b8e9g7f5b7", "~a1c0i0f4d9 -c5h5", "~h1e0c2g6f9b8e4h1",
              "~g2d0b3d5g2 ~g2g5f9"}},
    FontText{"serif",
             {"~e0g2h5g8e9c8b5c2e0", "-c1e0e9 -c9g9", "~b2d0g1g4b9 -b9h9h8", "-b1b0h0e4 ~e4h6f9b8",
              "-f9f0a7h7 -e9g9", "-h0c0b5 ~b5f4h6f9b8", "~g1e0b4c8f9h6f4c6", "-a1a0h0d9",
              "~e0g1g3e4b6c9f9h7e4c3c1e0", "~g3e5b3c0f0h4e9c8"}},
    FontText{"sharp",
             {"-e0h3h6e9b6b3e0", "-b3f0f9", "-a2d0g2a9h9", "-a0h0d4h7d9a8", "-d0a6i6 -g3g9",
              "-h0b0b4f4h6e9a9", "-f0a6d9h7e5b5", "-a2a0h0c9 -c5g5", "-e0h2b7e9h7b2e0", "-h3d5b3e0h3e9"}},
};

constexpr std::array kTestFonts{
    FontText{
        "wide",
        {"~e0i2i7e9a7a2e0", "-b3e0e9 -b9h9", "~a3b0h0i3d6a9 -a9i9", "~a0f0h2d4 ~d4i5h9a9", "-c0a5i5 -g3g9",
         "-i0a0a4 ~a4h4h9a8", "~g0b2a7e9i7f4a6", "-a0i0c9 -c4g4", "~e0h2e4a7e9i7e4b2e0", "~i3d5a3d0i2g7b9"}},
    FontText{"brush",
             {"~f0b3c8g8h2f0", "-c2f0e9", "~b1f0g3c8 ~c8e8h9", "~c0g1d4 ~d4g6b9", "-e0b5i5 -g3f9",
              "-h0d0c4 ~c4g5b9", "~g0b5d9g7e5b7", "~b1e1h0d9", "~g0c1g6e9b7g2g0", "~g1c1c4g2 ~g1g4d9"}},
    FontText{"octagon",
             {"-d0f0h2h7f9d9b7b2d0", "-c1e0e9", "-b2d0f0h2h4b9h9", "-b1d0f0h2f4h6h7f9d9b8 -d4f4",
              "-f0b6h6 -f0f9", "-h0b0b4f4h6h7f9b9", "-g0d0b3b7d9f9h7h6f4b4", "-b0h0h2d9",
              "-d0f0h2f4d4b2d0 -d4b6b7d9f9h7h6f4", "-h5d5b3b2d0f0h2h6f9c9"}},
};

Point square(std::string_view text) {
  assert(text[0] >= 'a' && text[0] <= 'i' && text[1] >= '0' && text[1] <= '9');
  return {(text[0] - 'a') / 8.0 - 0.5, (text[1] - '0') / 9.0 - 0.5};
}

Point spline(const std::array<Point, 4>& p, double t) {
  const auto blend = [t](double a, double b, double c, double d) {
    return 0.5 *
           (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
  };
  return {blend(p[0].x, p[1].x, p[2].x, p[3].x), blend(p[0].y, p[1].y, p[2].y, p[3].y)};
}

Polyline smooth(const Polyline& corners) {
  const std::size_t last = corners.size() - 1;
  const bool closed = corners.front().x == corners.back().x && corners.front().y == corners.back().y;
  Polyline curve{corners.front()};
  for (std::size_t i = 0; i < last; ++i) {
    const Point before = i > 0 ? corners[i - 1] : closed ? corners[last - 1] : corners[0];
    const Point after = i + 1 < last ? corners[i + 2] : closed ? corners[1] : corners[last];
    for (int step = 1; step <= kStepsPerSquare; ++step)
      curve.push_back(spline({before, corners[i], corners[i + 1], after}, step / double(kStepsPerSquare)));
  }
  return curve;
}

std::vector<DigitFont> parse_fonts(std::span<const FontText> texts) {
  std::vector<DigitFont> fonts;
  for (const FontText& text : texts) {
    DigitFont& font = fonts.emplace_back(DigitFont{text.name, {}});
    for (const std::string_view strokes : text.digits) font.digits.push_back(parse_glyph(strokes));
  }
  return fonts;
}

}  // namespace

Glyph parse_glyph(std::string_view strokes) {
  Glyph glyph;
  while (!strokes.empty()) {
    const std::string_view stroke = strokes.substr(0, strokes.find(' '));
    Polyline corners;
    for (std::size_t i = 1; i + 1 < stroke.size(); i += 2) corners.push_back(square(stroke.substr(i, 2)));
    glyph.push_back(stroke[0] == '~' ? smooth(corners) : corners);
    strokes.remove_prefix(std::min(stroke.size() + 1, strokes.size()));
  }
  return glyph;
}

std::span<const DigitFont> train_digit_fonts() {
  static const std::vector<DigitFont> fonts = parse_fonts(kTrainFonts);
  return fonts;
}

std::span<const DigitFont> test_digit_fonts() {
  static const std::vector<DigitFont> fonts = parse_fonts(kTestFonts);
  return fonts;
}

}  // namespace mash
