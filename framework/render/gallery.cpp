// SPDX-License-Identifier: Apache-2.0
#include "framework/render/gallery.hpp"

#include "framework/base/require.hpp"
#include "framework/render/picture.hpp"

namespace mash {
namespace {

Result<Html> picture_of(const GalleryPicture& picture, const GallerySide& side) {
  MASH_ASSIGN(const std::string address,
              png_data_uri(side.images.image(picture.example_idx, side.shape), side.shape));
  return markup("<img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\">", address, side.shape.width,
                side.shape.height, picture.description);
}

}  // namespace

Result<page::Piece> gallery(std::span<const GalleryPicture> pictures, const GallerySide& side) {
  require(side.shape.num_bytes() > 0, "gallery: a side with images");
  page::Piece out{markup("<ul class=\"pictures\">\n"), ""};
  for (const GalleryPicture& picture : pictures) {
    MASH_ASSIGN(const Html image, picture_of(picture, side));
    const Html name = picture.name.empty() ? Html() : markup("<br/><code>{}</code>", picture.name);
    out.html +=
        markup("<li><figure>{}\n<figcaption>{}{}</figcaption></figure></li>\n", image, picture.caption, name);
    out.markdown += fmt::format(
        "- {} {}{}: {}\n", side.noun, picture.example_idx,
        picture.name.empty() ? "" : fmt::format(" ({})", page::markdown_text(std::string_view(picture.name))),
        page::markdown_text(picture.caption));
  }
  out.html += markup("</ul>\n");
  out.markdown += "\n";
  return out;
}

}  // namespace mash
