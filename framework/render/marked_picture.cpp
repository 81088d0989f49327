// SPDX-License-Identifier: Apache-2.0
#include "framework/render/marked_picture.hpp"

#include <cmath>

#include "framework/render/picture.hpp"
#include "framework/render/svg.hpp"

namespace mash {
namespace {

constexpr double kStrongest = 0.7;  // the opacity of a mark of weight 1 or -1
constexpr double kFaintest = 0.02;  // marks below it are not drawn

}  // namespace

Result<Html> marked_picture(const PictureToMark& picture, std::span<const PictureMark> marks) {
  MASH_ASSIGN(const std::string address, png_data_uri(picture.pixels, picture.shape));
  const std::uint32_t width = picture.shape.width, height = picture.shape.height;
  Html out = svg::open(width, height, picture.id, picture.title, picture.description);
  out += markup("<image class=\"photo\" href=\"{}\" width=\"{}\" height=\"{}\"/>\n", address, width, height);
  for (const PictureMark& mark : marks) {
    const double opacity = kStrongest * std::abs(mark.weight);
    if (opacity < kFaintest) continue;
    out += markup(
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"{:.2f}\"/>\n",
        mark.weight > 0 ? "speaks-for" : "speaks-against", mark.x, mark.y, mark.width, mark.height, opacity);
  }
  out += markup("</svg>\n");
  return out;
}

}  // namespace mash
