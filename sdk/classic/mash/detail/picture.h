/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_PICTURE_H
#define MASH_CLASSIC_DETAIL_PICTURE_H

#include <string.h>

#include "../image.h"
#include "mash/abi/image.h"

namespace Mash {
namespace sdk_detail {

/* How a view becomes a picture with a region of interest, a square of odd side. */
enum Fit {
  kCrop, /* the whole picture as it is; the region is the view's centre */
  kPad   /* the view, scaled to the region's side and black where it has no pixels */
};

/* The heuristic's own copy of the host's picture. */
class Picture : private ColourSource {
 public:
  Picture() : image_(0), source_(0) {}
  virtual ~Picture() { delete image_; }

  /* The whole picture. Valid, and `source` needed, until the next. */
  Image* copy(const mash_image_t& source) {
    resize(source.width, source.height);
    source_ = &source;
    if (source.gray.column_stride == 1 && source.gray.row_stride == (ptrdiff_t)source.width)
      memcpy(image_->_gray_buffer, source.gray.origin, size_t(source.width) * source.height);
    else
      for (unsigned int y = 0; y < source.height; ++y)
        copy_row(source.gray, y, source.width, image_->_gray_lines[y]);
    image_->_unread_colours = this;
    return image_;
  }

  /* A square of this side with the view in its middle: scaled so that its longer side fills the square where
   * is_scaled, otherwise as large as it is, and black around it. */
  Image* pad(const mash_image_t& source, const mash_view_t& view, unsigned int side, bool is_scaled) {
    resize(side, side);
    image_->_unread_colours = 0;
    memset((void*)image_->_rgb_buffer, 0, size_t(side) * side * sizeof(RGBPixel_t));
    const unsigned int longer = view.width < view.height ? view.height : view.width;
    const unsigned int width = is_scaled ? scaled(view.width, side, longer) : view.width;
    const unsigned int height = is_scaled ? scaled(view.height, side, longer) : view.height;
    const unsigned int left = (side - width) / 2, top = (side - height) / 2;
    for (unsigned int y = 0; y < height; ++y)
      for (unsigned int x = 0; x < width; ++x) {
        RGBPixel_t& pixel = image_->_rgb_lines[top + y][left + x];
        const Span columns = span(x, width, view.width), rows = span(y, height, view.height);
        pixel.r = mean(source.red, view, columns, rows);
        pixel.g = mean(source.green, view, columns, rows);
        pixel.b = mean(source.blue, view, columns, rows);
      }
    for (size_t i = 0; i < size_t(side) * side; ++i) image_->_gray_buffer[i] = gray(image_->_rgb_buffer[i]);
    return image_;
  }

 private:
  /* A pixel of a scaled picture covers [begin, end) of `size` source pixels, in units of 1 / count of one.
   */
  struct Span {
    size_t begin, end, count;
  };

  Picture(const Picture&);
  Picture& operator=(const Picture&);

  void resize(unsigned int width, unsigned int height) {
    if (image_ && image_->width() == width && image_->height() == height) return;
    delete image_;
    image_ = 0;
    image_ = new Image(width, height);
    image_->addPixelFormats(Image::PIXELFORMAT_ALL);
  }

  virtual void write(RGBPixel_t* pixels) const {
    const mash_plane_t &red = source_->red, &green = source_->green, &blue = source_->blue;
    for (unsigned int y = 0; y < source_->height; ++y) {
      const byte_t* r = red.origin + (ptrdiff_t)y * red.row_stride;
      const byte_t* g = green.origin + (ptrdiff_t)y * green.row_stride;
      const byte_t* b = blue.origin + (ptrdiff_t)y * blue.row_stride;
      for (unsigned int x = 0; x < source_->width; ++x, ++pixels) {
        pixels->r = *r;
        pixels->g = *g;
        pixels->b = *b;
        r += red.column_stride;
        g += green.column_stride;
        b += blue.column_stride;
      }
    }
  }

  static void copy_row(const mash_plane_t& plane, unsigned int y, unsigned int width, byte_t* out) {
    const byte_t* in = plane.origin + (ptrdiff_t)y * plane.row_stride;
    if (plane.column_stride == 1) {
      memcpy(out, in, width);
      return;
    }
    for (unsigned int x = 0; x < width; ++x) out[x] = in[(ptrdiff_t)x * plane.column_stride];
  }

  static unsigned int scaled(unsigned int size, unsigned int side, unsigned int longer) {
    const size_t rounded = (size_t(size) * side + longer / 2) / longer;
    return rounded == 0 ? 1 : (unsigned int)rounded;
  }

  static Span span(unsigned int place, unsigned int count, unsigned int size) {
    const Span span = {size_t(place) * size, size_t(place + 1) * size, count};
    return span;
  }
  /* How much of source pixel `place` is in the span. */
  static size_t share(const Span& span, size_t place) {
    const size_t begin = place * span.count, end = begin + span.count;
    return (end < span.end ? end : span.end) - (begin < span.begin ? span.begin : begin);
  }

  /* The mean of the source pixels that a pixel covers, each by its share, rounded. */
  static byte_t mean(const mash_plane_t& plane, const mash_view_t& view, const Span& columns,
                     const Span& rows) {
    size_t sum = 0;
    for (size_t y = rows.begin / rows.count; y * rows.count < rows.end; ++y)
      for (size_t x = columns.begin / columns.count; x * columns.count < columns.end; ++x)
        sum += share(rows, y) * share(columns, x) *
               plane.origin[(ptrdiff_t)(view.y + y) * plane.row_stride +
                            (ptrdiff_t)(view.x + x) * plane.column_stride];
    const size_t whole = (rows.end - rows.begin) * (columns.end - columns.begin);
    return (byte_t)((sum + whole / 2) / whole);
  }

  /* The conversion of the original. */
  static byte_t gray(const RGBPixel_t& pixel) {
    return (byte_t)((11 * pixel.r + 16 * pixel.g + 5 * pixel.b) >> 5);
  }

  Image* image_;
  const mash_image_t* source_; /* of the colours */
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
