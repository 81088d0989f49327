// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/tiff.hpp"

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "framework/dataset/decoders/orientation.hpp"

namespace mash {
namespace {

// A file in memory as libtiff reads it, and the first that it says of it. One for each picture, on any number
// of threads.
struct TiffSource {
  std::string_view bytes;
  std::size_t offset = 0;
  bool reads_pixels = false;  // warnings before are about tags that say nothing of the pixels
  std::array<char, 200> message{};
};

void keep_message(TiffSource& source, const char* format, va_list values) {
  if (source.message[0] == '\0') std::vsnprintf(source.message.data(), source.message.size(), format, values);
}
int hear_of_error(TIFF*, void* source, const char*, const char* format, va_list values) {
  keep_message(*static_cast<TiffSource*>(source), format, values);
  return 1;  // nobody else needs to hear
}
int hear_of_warning(TIFF*, void* source, const char*, const char* format, va_list values) {
  if (static_cast<TiffSource*>(source)->reads_pixels)
    keep_message(*static_cast<TiffSource*>(source), format, values);
  return 1;
}

tmsize_t read_bytes(thandle_t handle, void* to, tmsize_t size) {
  auto& source = *static_cast<TiffSource*>(handle);
  const std::string_view rest = source.bytes.substr(std::min(source.offset, source.bytes.size()));
  const std::size_t num_bytes = std::min(rest.size(), std::size_t(size));
  std::memcpy(to, rest.data(), num_bytes);
  source.offset += num_bytes;
  return tmsize_t(num_bytes);
}
tmsize_t write_nothing(thandle_t, void*, tmsize_t) { return 0; }
toff_t seek_byte(thandle_t handle, toff_t offset, int from) {
  auto& source = *static_cast<TiffSource*>(handle);
  const std::size_t begin = from == SEEK_CUR ? source.offset : from == SEEK_END ? source.bytes.size() : 0;
  return source.offset = begin + std::size_t(offset);
}
int close_nothing(thandle_t) { return 0; }
toff_t size_of_source(thandle_t handle) { return static_cast<TiffSource*>(handle)->bytes.size(); }
int map_source(thandle_t handle, void** base, toff_t* size) {
  const std::string_view bytes = static_cast<TiffSource*>(handle)->bytes;
  *base = const_cast<char*>(bytes.data());  // only read
  *size = bytes.size();
  return 1;
}
void unmap_nothing(thandle_t, void*, toff_t) {}

using Tiff = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

Tiff open_tiff(TiffSource& source) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 TIFFOpenOptionsFree);
  if (!options) throw std::bad_alloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), hear_of_error, &source);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), hear_of_warning, &source);
  return {TIFFClientOpenExt("picture", "r", &source, read_bytes, write_nothing, seek_byte, close_nothing,
                            size_of_source, map_source, unmap_nothing, options.get()),
          TIFFClose};
}

template <class Value>
Value field(TIFF* tiff, std::uint32_t tag) {
  Value value{};
  TIFFGetFieldDefaulted(tiff, tag, &value);
  return value;
}

// Tags of a picture. Its samples are the channels of a pixel: colours, then others.
struct TiffHead {
  std::uint32_t width = 0, height = 0;
  unsigned num_bits = 0, num_samples = 0, format = 0, colours = 0, compression = 0, orientation = 1;
  bool is_apart = false;       // each channel on its own
  bool is_multiplied = false;  // by the alpha channel behind the colours
  unsigned num_colours = 0;    // 0: of a kind that is not read

  bool is_grey() const { return colours == PHOTOMETRIC_MINISBLACK || colours == PHOTOMETRIC_MINISWHITE; }
  // Colours in this space may have fewer samples than there are pixels; libtiff makes colours of all.
  bool is_subsampled() const { return colours == PHOTOMETRIC_YCBCR; }
  unsigned num_used() const { return num_colours + (is_multiplied ? 1 : 0); }
};

unsigned colours_of(unsigned photometric) {
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_PALETTE: return 1;
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_YCBCR: return 3;
    case PHOTOMETRIC_SEPARATED: return 4;
    default: return 0;
  }
}

TiffHead read_tiff_head(TIFF* tiff) {
  TiffHead head;
  head.width = field<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH);
  head.height = field<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH);
  head.num_bits = field<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE);
  head.num_samples = field<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL);
  head.format = field<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT);
  head.compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION);
  head.orientation = field<std::uint16_t>(tiff, TIFFTAG_ORIENTATION);
  head.is_apart = field<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
  std::uint16_t colours = 0;  // the one tag that has no value of its own where it is missing
  if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &colours) == 0)
    colours = head.num_samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
  if (colours == PHOTOMETRIC_YCBCR && head.compression == COMPRESSION_JPEG && !head.is_apart) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);  // libjpeg makes colours
    colours = PHOTOMETRIC_RGB;
  }
  head.colours = colours;
  head.num_colours = colours_of(colours);
  std::uint16_t num_others = 0;
  const std::uint16_t* others = nullptr;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &num_others, &others);
  head.is_multiplied = num_others > 0 && others[0] == EXTRASAMPLE_ASSOCALPHA;
  return head;
}

// Why a picture is of a kind that is not read; nothing where it is read.
std::string why_not_read(TIFF* tiff, const TiffHead& head) {
  constexpr unsigned kMostSamples = 8;
  if (TIFFIsCODECConfigured(std::uint16_t(head.compression)) == 0)
    return fmt::format("compression {}", head.compression);
  if ((field<std::uint32_t>(tiff, TIFFTAG_SUBFILETYPE) & FILETYPE_REDUCEDIMAGE) != 0)
    return "a preview stands in front of its picture, as in raw photos";
  if (head.format == SAMPLEFORMAT_INT) return fmt::format("signed numbers of {} bits", head.num_bits);
  if (head.format == SAMPLEFORMAT_IEEEFP) return fmt::format("fractions of {} bits", head.num_bits);
  if (head.format != SAMPLEFORMAT_UINT && head.format != SAMPLEFORMAT_VOID)
    return fmt::format("sample format {}", head.format);
  if (head.num_colours == 0) return fmt::format("colour space {} (photometric interpretation)", head.colours);
  if (head.num_bits == 0 || head.num_bits > 16) return fmt::format("{} bits a channel", head.num_bits);
  if (head.num_samples < head.num_used() || head.num_samples > kMostSamples)
    return fmt::format("{} channels", head.num_samples);
  if (head.colours == PHOTOMETRIC_SEPARATED && field<std::uint16_t>(tiff, TIFFTAG_INKSET) != INKSET_CMYK)
    return "other inks than cyan, magenta, yellow and black";
  if (head.is_subsampled() && head.num_bits != 8)
    return fmt::format("{} bits a channel of luminance and colour", head.num_bits);
  return "";
}

// Meanings of the levels of a channel: a level from 0 to 255, of palettes a colour.
struct TiffLevels {
  std::array<std::vector<std::uint8_t>, 3> channels;  // of palettes: red, green, blue; else only the first
};

Result<TiffLevels> read_levels(TIFF* tiff, const TiffHead& head) {
  TiffLevels levels;
  const std::uint32_t white = (1u << head.num_bits) - 1;
  if (head.colours != PHOTOMETRIC_PALETTE) {
    for (std::uint32_t level = 0; level <= white; ++level) {
      const bool is_inverted = head.colours == PHOTOMETRIC_MINISWHITE;
      levels.channels[0].push_back(scaled_level(is_inverted ? white - level : level, white));
    }
    return levels;
  }
  std::array<std::uint16_t*, 3> map{};
  if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]) == 0)
    return damaged("TIFF", "its palette is missing");
  // Palettes have 16 bits. Old programs wrote 8.
  const bool is_old = std::ranges::all_of(map, [&](const std::uint16_t* channel) {
    return *std::max_element(channel, channel + white + 1) < 256;
  });
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::uint32_t level = 0; level <= white; ++level)
      levels.channels[channel].push_back(
          std::uint8_t(is_old ? map[channel][level] : map[channel][level] >> 8));
  return levels;
}

// Levels of a row of the file, each of `num_bits`, `step` places apart.
void unpack_levels(const std::uint8_t* row, unsigned num_bits, std::size_t count, std::size_t step,
                   std::uint16_t* levels) {
  if (num_bits == 16) {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(levels + i * step, row + 2 * i, 2);
    return;
  }
  std::uint32_t bits = 0;
  unsigned num_known = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (; num_known < num_bits; num_known += 8) bits = bits << 8 | *row++;
    num_known -= num_bits;
    levels[i * step] = std::uint16_t(bits >> num_known & ((1u << num_bits) - 1));
  }
}

// A pixel of the picture from its levels in the file.
void put_pixel(const TiffHead& head, const TiffLevels& levels, const std::uint16_t* from,
               std::uint8_t* pixel) {
  const auto& [first, green, blue] = levels.channels;
  if (head.colours == PHOTOMETRIC_PALETTE) {
    pixel[0] = first[from[0]], pixel[1] = green[from[0]], pixel[2] = blue[from[0]];
    return;
  }
  if (head.colours == PHOTOMETRIC_SEPARATED) {
    std::array<std::uint8_t, 4> lights{};
    for (std::size_t i = 0; i < 4; ++i) lights[i] = std::uint8_t(255 - first[from[i]]);
    mix_inks(lights.data(), pixel);
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) pixel[i] = first[from[head.is_grey() ? 0 : i]];
  if (!head.is_multiplied) return;
  const std::uint8_t alpha = first[from[head.num_colours]];
  if (alpha > 0)
    for (std::size_t i = 0; i < 3; ++i) pixel[i] = scaled_level(pixel[i], alpha);
}

// Strips and tiles: parts of a picture that are compressed each on its own.
struct TiffParts {
  std::uint32_t width = 0, height = 0;
  bool are_tiles = false;
  std::size_t row_bytes = 0;
};

TiffParts parts_of(TIFF* tiff, const TiffHead& head) {
  TiffParts parts;
  parts.are_tiles = TIFFIsTiled(tiff) != 0;
  parts.width = parts.are_tiles ? field<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH) : head.width;
  parts.height = parts.are_tiles ? field<std::uint32_t>(tiff, TIFFTAG_TILELENGTH)
                                 : std::min(field<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP), head.height);
  parts.row_bytes = std::size_t(parts.are_tiles ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff));
  return parts;
}

class TiffPixels {
 public:
  TiffPixels(TIFF* tiff, const TiffHead& head, const TiffLevels& levels)
      : tiff_(tiff),
        head_(head),
        levels_(levels),
        parts_(parts_of(tiff, head)),
        step_(head.is_apart ? head.num_used() : head.num_samples),
        planes_(head.is_apart ? head.num_used() : 1) {}

  // False where a part cannot be decoded.
  bool fill(Picture& picture) {
    // A forged size of a part is no reason to take more memory than its picture needs.
    const std::size_t most_bytes = 6 * std::max<std::size_t>(picture.pixels.size(), std::size_t(4) << 20);
    if (parts_.height == 0 || parts_.row_bytes == 0 || parts_.height > most_bytes / parts_.row_bytes)
      return false;
    for (auto& plane : planes_) plane.resize(parts_.height * parts_.row_bytes);
    row_.resize(step_ * parts_.width);
    for (std::uint32_t y = 0; y < head_.height; y += parts_.height)
      for (std::uint32_t x = 0; x < head_.width; x += parts_.width) {
        for (std::size_t plane = 0; plane < planes_.size(); ++plane)
          if (!read_part(x, y, plane)) return false;
        put_part(x, y, picture);
      }
    return true;
  }

 private:
  bool read_part(std::uint32_t x, std::uint32_t y, std::size_t plane) {
    std::vector<std::uint8_t>& bytes = planes_[plane];
    const auto sample = std::uint16_t(plane);
    if (parts_.are_tiles)
      return TIFFReadEncodedTile(tiff_, TIFFComputeTile(tiff_, x, y, 0, sample), bytes.data(),
                                 tmsize_t(bytes.size())) == tmsize_t(bytes.size());
    const auto wanted = tmsize_t(std::min(parts_.height, head_.height - y) * parts_.row_bytes);
    return TIFFReadEncodedStrip(tiff_, TIFFComputeStrip(tiff_, y, sample), bytes.data(), wanted) == wanted;
  }

  void put_part(std::uint32_t left, std::uint32_t top, Picture& picture) {
    const std::size_t width = std::min(parts_.width, head_.width - left);
    const std::size_t height = std::min(parts_.height, head_.height - top);
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t plane = 0; plane < planes_.size(); ++plane)
        unpack_levels(planes_[plane].data() + y * parts_.row_bytes, head_.num_bits,
                      head_.is_apart ? width : width * step_, head_.is_apart ? step_ : 1,
                      row_.data() + plane);
      std::uint8_t* pixel = picture.row(top + y) + 3 * std::size_t(left);
      for (std::size_t x = 0; x < width; ++x, pixel += 3)
        put_pixel(head_, levels_, row_.data() + x * step_, pixel);
    }
  }

  TIFF* tiff_;
  const TiffHead& head_;
  const TiffLevels& levels_;
  TiffParts parts_;
  std::size_t step_;  // levels of a pixel
  std::vector<std::vector<std::uint8_t>> planes_;
  std::vector<std::uint16_t> row_;
};

// Luminance and colour differences that no libjpeg decodes.
bool fill_subsampled(TIFF* tiff, const TiffHead& head, Picture& picture) {
  std::vector<std::uint32_t> raster(picture.pixels.size() / 3);
  // As it lies in the file: the picture is turned later.
  if (TIFFReadRGBAImageOriented(tiff, head.width, head.height, raster.data(), int(head.orientation), 1) == 0)
    return false;
  for (std::size_t i = 0; i < raster.size(); ++i) {
    picture.pixels[3 * i] = std::uint8_t(TIFFGetR(raster[i]));
    picture.pixels[3 * i + 1] = std::uint8_t(TIFFGetG(raster[i]));
    picture.pixels[3 * i + 2] = std::uint8_t(TIFFGetB(raster[i]));
  }
  return true;
}

}  // namespace

Result<Picture> decode_tiff(std::string_view bytes, const BeforePixels& before) {
  TiffSource source{bytes};
  const Tiff tiff = open_tiff(source);
  const auto damage = [&] {
    return damaged("TIFF", source.message[0] != '\0' ? source.message.data() : "a part of it is missing");
  };
  if (!tiff) return damage();
  const TiffHead head = read_tiff_head(tiff.get());
  if (const std::string why = why_not_read(tiff.get(), head); !why.empty()) return not_read("TIFF", why);
  MASH_ASSIGN(Picture picture, black_picture(head.width, head.height, before));
  picture.is_grey = head.is_grey();
  source.message[0] = '\0';
  source.reads_pixels = true;
  bool is_whole = false;
  if (head.is_subsampled()) {
    is_whole = fill_subsampled(tiff.get(), head, picture);
  } else {
    MASH_ASSIGN(const TiffLevels levels, read_levels(tiff.get(), head));
    is_whole = TiffPixels(tiff.get(), head, levels).fill(picture);
  }
  if (!is_whole || source.message[0] != '\0') return damage();
  turn_upright(picture, head.orientation);
  return picture;
}

}  // namespace mash
