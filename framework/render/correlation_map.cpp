// SPDX-License-Identifier: Apache-2.0
#include "framework/render/correlation_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "framework/base/require.hpp"
#include "framework/render/picture.hpp"
#include "framework/render/svg.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

// Blue and orange are told apart by nearly everybody who confuses red and green.
using Colour = std::array<double, 3>;
constexpr Colour kNegative{33, 102, 172}, kNone{247, 247, 247}, kPositive{179, 88, 6};

// share: of the largest correlation, in [-1, 1].
std::array<std::uint8_t, 3> colour_of(double share) {
  if (!std::isfinite(share)) share = 0;
  const double weight = std::min(1.0, std::abs(share));
  const Colour& end = share < 0 ? kNegative : kPositive;
  std::array<std::uint8_t, 3> colour{};
  for (std::size_t i = 0; i < colour.size(); ++i)
    colour[i] = std::uint8_t(std::lround(kNone[i] + weight * (end[i] - kNone[i])));
  return colour;
}

}  // namespace

Result<std::string> correlation_map_uri(const cv::Mat& pixels, double largest) {
  require(largest > 0, "correlation_map_uri: largest > 0");
  std::vector<std::uint8_t> colours;
  for (int y = 0; y < pixels.rows; ++y)
    for (int x = 0; x < pixels.cols; ++x) {
      const auto colour = colour_of(double(pixels.at<float>(y, x)) / largest);
      colours.insert(colours.end(), colour.begin(), colour.end());
    }
  return png_data_uri(colours, {std::uint32_t(pixels.cols), std::uint32_t(pixels.rows), 3});
}

Html correlation_legend_svg(std::string_view id, double largest) {
  require(largest > 0, "correlation_legend_svg: largest > 0");
  constexpr double kWidth = 340, kHeight = 40, kBar = 14, kMargin = 30;
  constexpr int kSteps = 41;
  const double step = (kWidth - 2 * kMargin) / kSteps;
  Html out = svg::open(
      kWidth, kHeight, id, "Colours of the correlation maps",
      fmt::format("Blue is a correlation of {}, white none, orange one of {}.",
                  svg::tick_label(-largest, Format::kDecimal), svg::tick_label(largest, Format::kDecimal)));
  for (int i = 0; i < kSteps; ++i) {
    const auto [red, green, blue] = colour_of(2.0 * i / (kSteps - 1) - 1);
    // A little wider than a step: no seams.
    out += markup("<rect x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"{}\" fill=\"rgb({},{},{})\"/>",
                  kMargin + i * step, step + 0.4, kBar, red, green, blue);
  }
  for (const double value : {-largest, 0.0, largest})
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                  kWidth / 2 + value / largest * (kWidth / 2 - kMargin), kBar + 18, with_minus(value, 2));
  out += markup("</svg>\n");
  return out;
}

}  // namespace mash
