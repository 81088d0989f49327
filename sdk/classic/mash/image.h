/* SPDX-License-Identifier: Apache-2.0 */
/* The images of the classic MASH interface (SDK 1.x). Valid C++98 and every later standard. */
#ifndef MASH_CLASSIC_IMAGE_H
#define MASH_CLASSIC_IMAGE_H

#include <stddef.h>
#include <string.h>

#ifndef MASH_SYMBOL
#define MASH_SYMBOL
#endif

namespace Mash {

typedef unsigned char byte_t;

/* A size in pixels. */
struct dim_t {
  unsigned int width;
  unsigned int height;
};

struct RGBPixel_t {
  byte_t r;
  byte_t g;
  byte_t b;
};

namespace sdk_detail {

/* Where the host's picture has its colours: most heuristics look at grey values alone, and then nobody needs
 * to put red, green and blue beside each other. */
class ColourSource {
 public:
  virtual ~ColourSource() {}
  /* Writes all pixels of the picture, row by row. */
  virtual void write(RGBPixel_t* pixels) const = 0;
};
class Picture;

}  // namespace sdk_detail

/* A picture in colour, in grey or both. A heuristic gets one of its own with both formats and may write to
 * it.
 *
 * Pixel (x, y) of a format is buffer[y * width + x] and lines[y][x]; a format that is absent has null
 * pointers. The buffers are the image's and live as long as it does. */
class Image {
 public:
  enum tPixelFormat { PIXELFORMAT_RGB = 1, PIXELFORMAT_GRAY = 2, PIXELFORMAT_ALL = 3 };

  /* An image of width x height pixels without a format yet. */
  Image(unsigned int width, unsigned int height, unsigned int view = 0)
      : _width(width),
        _height(height),
        _view(view),
        _formats(0),
        _unread_colours(0),
        _rgb_buffer(0),
        _rgb_lines(0),
        _gray_buffer(0),
        _gray_lines(0) {}

  ~Image() {
    delete[] _rgb_lines;
    delete[] _rgb_buffer;
    delete[] _gray_lines;
    delete[] _gray_buffer;
  }

  /* An equal image, with the same formats. The caller owns it. */
  Image* copy() const {
    Image* other = new Image(_width, _height, _view);
    other->addPixelFormats(_formats);
    const size_t num_pixels = size_t(_width) * _height;
    if (_rgb_buffer) memcpy(other->_rgb_buffer, rgbBuffer(), num_pixels * sizeof(RGBPixel_t));
    if (_gray_buffer) memcpy(other->_gray_buffer, _gray_buffer, num_pixels);
    return other;
  }

  /* Adds black buffers for the formats (tPixelFormat, or-ed) that are absent; those present stay as they are.
   */
  void addPixelFormats(unsigned int formats) {
    if ((formats & PIXELFORMAT_RGB) && !_rgb_buffer) _allocate(_rgb_buffer, _rgb_lines);
    if ((formats & PIXELFORMAT_GRAY) && !_gray_buffer) _allocate(_gray_buffer, _gray_lines);
    _formats |= formats & PIXELFORMAT_ALL;
  }

  unsigned int pixelFormats() const { return _formats; }
  /* Whether it has one of the formats at least. */
  bool hasPixelFormat(tPixelFormat format) const { return (_formats & format) != 0; }

  unsigned int width() const { return _width; }
  unsigned int height() const { return _height; }
  unsigned int view() const { return _view; }
  void setView(unsigned int view) { _view = view; }

  RGBPixel_t* rgbBuffer() const {
    _read_colours();
    return _rgb_buffer;
  }
  RGBPixel_t** rgbLines() const {
    _read_colours();
    return _rgb_lines;
  }
  byte_t* grayBuffer() const { return _gray_buffer; }
  byte_t** grayLines() const { return _gray_lines; }

 private:
  friend class sdk_detail::Picture;

  Image(const Image&);
  Image& operator=(const Image&);

  template <class Pixel>
  void _allocate(Pixel*& buffer, Pixel**& lines) {
    buffer = new Pixel[size_t(_width) * _height]();
    lines = new Pixel*[_height];
    for (unsigned int y = 0; y < _height; ++y) lines[y] = buffer + size_t(y) * _width;
  }

  void _read_colours() const {
    if (!_unread_colours) return;
    _unread_colours->write(_rgb_buffer);
    _unread_colours = 0;
  }

  unsigned int _width;
  unsigned int _height;
  unsigned int _view;
  unsigned int _formats;
  mutable const sdk_detail::ColourSource* _unread_colours; /* or null: _rgb_buffer has them */
  RGBPixel_t* _rgb_buffer;
  RGBPixel_t** _rgb_lines;
  byte_t* _gray_buffer;
  byte_t** _gray_lines;
};

}  // namespace Mash

#endif
