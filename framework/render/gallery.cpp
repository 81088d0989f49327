// SPDX-License-Identifier: Apache-2.0
#include "framework/render/gallery.hpp"

#include "framework/base/require.hpp"
#include "framework/render/picture.hpp"

namespace mash {

Result<Html> picture_of(std::size_t example_idx, std::string_view description, const Dataset& dataset) {
  require(!dataset.is_table(), "picture_of: a data set of images");
  MASH_ASSIGN(const std::string address,
              png_data_uri(dataset.test.image(example_idx, dataset.shape), dataset.shape));
  return markup("<img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\">", address, dataset.shape.width,
                dataset.shape.height, description);
}

Result<page::Piece> gallery(std::span<const GalleryPicture> pictures, const Dataset& dataset) {
  page::Piece out{markup("<ul class=\"pictures\">\n"), ""};
  for (const GalleryPicture& picture : pictures) {
    MASH_ASSIGN(const Html image, picture_of(picture.example_idx, picture.description, dataset));
    out.html += markup("<li><figure>{}\n<figcaption>{}</figcaption></figure></li>\n", image, picture.caption);
    out.markdown +=
        fmt::format("- test image {}: {}\n", picture.example_idx, page::markdown_text(picture.caption));
  }
  out.html += markup("</ul>\n");
  out.markdown += "\n";
  return out;
}

}  // namespace mash
