/* SPDX-License-Identifier: Apache-2.0 */
/* The images of the classic MASH interface (SDK 1.x). Valid C++98 and every later standard. */
#ifndef MASH_CLASSIC_IMAGE_H
#define MASH_CLASSIC_IMAGE_H

#include <stddef.h>

#ifndef MASH_SYMBOL
#define MASH_SYMBOL
#endif

namespace Mash {

typedef unsigned char byte_t;

struct RGBPixel_t {
  byte_t r;
  byte_t g;
  byte_t b;
};

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
    for (size_t i = 0; _rgb_buffer && i < num_pixels; ++i) other->_rgb_buffer[i] = _rgb_buffer[i];
    for (size_t i = 0; _gray_buffer && i < num_pixels; ++i) other->_gray_buffer[i] = _gray_buffer[i];
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
  bool hasPixelFormat(tPixelFormat format) const { return (_formats & format) == (unsigned int)format; }

  unsigned int width() const { return _width; }
  unsigned int height() const { return _height; }
  unsigned int view() const { return _view; }
  void setView(unsigned int view) { _view = view; }

  RGBPixel_t* rgbBuffer() const { return _rgb_buffer; }
  RGBPixel_t** rgbLines() const { return _rgb_lines; }
  byte_t* grayBuffer() const { return _gray_buffer; }
  byte_t** grayLines() const { return _gray_lines; }

 private:
  Image(const Image&);
  Image& operator=(const Image&);

  template <class Pixel>
  void _allocate(Pixel*& buffer, Pixel**& lines) {
    buffer = new Pixel[size_t(_width) * _height]();
    lines = new Pixel*[_height];
    for (unsigned int y = 0; y < _height; ++y) lines[y] = buffer + size_t(y) * _width;
  }

  unsigned int _width;
  unsigned int _height;
  unsigned int _view;
  unsigned int _formats;
  RGBPixel_t* _rgb_buffer;
  RGBPixel_t** _rgb_lines;
  byte_t* _gray_buffer;
  byte_t** _gray_lines;
};

}  // namespace Mash

#endif
