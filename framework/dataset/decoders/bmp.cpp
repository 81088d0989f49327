// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/bmp.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <span>

#include "framework/dataset/decoders/byte_order.hpp"

namespace mash {
namespace {

// Numbers of compressions.
constexpr std::uint64_t kPlain = 0, kRuns8 = 1, kRuns4 = 2, kMasks = 3, kMasksWithAlpha = 6;
// Sizes of the information behind the 14 bytes of the file's own head, which tell its version.
constexpr std::uint64_t kOs2 = 12, kWindows3 = 40, kOs2Version2 = 64;
constexpr std::size_t kInformation = 14;

struct BmpHead {
  std::uint64_t width = 0, height = 0, num_bits = 0, compression = kPlain;
  bool is_top_down = false;
  std::size_t pixels = 0;                     // where they begin
  std::size_t palette = 0, palette_step = 4;  // where it begins, and the bytes of a colour
  std::size_t num_colours = 0;
  std::array<std::uint64_t, 3> masks{};  // of red, green, blue

  std::size_t row_bytes() const { return (width * num_bits + 31) / 32 * 4; }
  bool has_runs() const { return compression == kRuns8 || compression == kRuns4; }
};

void read_size(OrderedBytes& bytes, BmpHead& head, bool is_os2) {
  const auto side = [&](std::size_t offset) { return std::int64_t(std::int32_t(bytes.number(offset, 4))); };
  head.width = is_os2 ? bytes.number(18, 2) : std::uint64_t(std::abs(side(18)));
  head.height = is_os2 ? bytes.number(20, 2) : std::uint64_t(std::abs(side(22)));
  head.is_top_down = !is_os2 && side(22) < 0;
  head.num_bits = bytes.number(is_os2 ? 24 : 28, 2);
}

// The masks of a head of `size` bytes. Those of Windows 3 stand behind it.
void read_masks(OrderedBytes& bytes, BmpHead& head) {
  head.masks = head.num_bits == 16 ? std::array<std::uint64_t, 3>{0x7c00, 0x3e0, 0x1f}
                                   : std::array<std::uint64_t, 3>{0xff0000, 0xff00, 0xff};
  if (head.compression != kMasks && head.compression != kMasksWithAlpha) return;
  for (std::size_t i = 0; i < 3; ++i) head.masks[i] = bytes.number(kInformation + 40 + 4 * i, 4);
}

Result<BmpHead> read_bmp_head(std::string_view file) {
  OrderedBytes bytes(file, false);
  BmpHead head;
  const std::uint64_t size = bytes.number(kInformation, 4);
  const bool is_os2 = size == kOs2;
  if (!is_os2 && size < 16) return damaged("BMP", fmt::format("a head of {} bytes", size));
  read_size(bytes, head, is_os2);
  if (size >= 20) head.compression = bytes.number(30, 4);
  head.pixels = bytes.number(10, 4);
  const bool is_fax = size == kOs2Version2 && head.compression >= kMasks;
  if (is_fax || (head.compression > kMasks && head.compression != kMasksWithAlpha))
    return not_read("BMP", fmt::format("compression {}", head.compression));
  read_masks(bytes, head);
  head.palette = kInformation + size;
  if (size == kWindows3 && head.compression >= kMasks) head.palette += head.compression == kMasks ? 12 : 16;
  if (head.pixels < head.palette) return damaged("BMP", "its pixels begin within its head");
  head.palette_step = is_os2 ? 3 : 4;
  if (head.num_bits <= 8) {
    const std::uint64_t num_colours = size >= 36 ? bytes.number(46, 4) : 0, most = 1u << head.num_bits;
    const std::uint64_t room = (head.pixels - head.palette) / head.palette_step;
    head.num_colours = std::min({num_colours == 0 ? most : num_colours, most, room});
  }
  if (bytes.is_cut()) return damaged("BMP", "its head is cut");
  return head;
}

Status check_kind(const BmpHead& head) {
  static constexpr std::array<std::uint64_t, 6> kBits{1, 4, 8, 16, 24, 32};
  const bool has_masks = head.compression == kMasks || head.compression == kMasksWithAlpha;
  const bool is_known = std::ranges::count(kBits, head.num_bits) > 0;
  if (!is_known || (has_masks && head.num_bits != 16 && head.num_bits != 32) ||
      (head.compression == kRuns8 && head.num_bits != 8) ||
      (head.compression == kRuns4 && head.num_bits != 4))
    return not_read("BMP",
                    fmt::format("{} bits a pixel with compression {}", head.num_bits, head.compression));
  for (const std::uint64_t mask : head.masks)
    if (mask != 0 && !std::has_single_bit((mask >> std::countr_zero(mask)) + 1))
      return not_read("BMP", fmt::format("a colour in the bits {:#x}, which are no row", mask));
  return Done{};
}

struct BmpColour {
  std::array<std::uint8_t, 3> rgb{};
};

Result<std::vector<BmpColour>> read_palette(std::string_view file, const BmpHead& head) {
  OrderedBytes bytes(file, false);
  std::vector<BmpColour> palette(head.num_colours);
  for (std::size_t i = 0; i < palette.size(); ++i)
    for (std::size_t channel = 0; channel < 3; ++channel)  // blue comes first
      palette[i].rgb[2 - channel] =
          std::uint8_t(bytes.number(head.palette + i * head.palette_step + channel, 1));
  if (bytes.is_cut()) return damaged("BMP", "its palette is cut");
  return palette;
}

// The place in the palette of each pixel, rows from the bottom up, of run-length encoded ones.
class BmpRuns {
 public:
  BmpRuns(std::string_view data, const BmpHead& head)
      : data_(data), head_(head), indices_(head.width * head.height) {}

  Result<std::vector<std::uint8_t>> indices() && {
    while (true) {
      const unsigned count = byte(), value = byte();
      if (is_cut_) return damaged("BMP", "its runs end too early");
      if (count == 0 && value == 1) return std::move(indices_);
      if (count > 0)
        repeat(count, value);
      else if (value > 2)
        copy(value);
      else if (value == 0)
        x_ = 0, ++y_;
      else
        x_ += byte(), y_ += byte();  // moves, and leaves out pixels
      if (is_outside_) return damaged("BMP", "a run leads out of the picture");
      if (y_ >= head_.height && data_.empty()) return std::move(indices_);
    }
  }

 private:
  unsigned byte() {
    is_cut_ = is_cut_ || data_.empty();
    if (is_cut_) return 0;
    const auto first = std::uint8_t(data_[0]);
    data_.remove_prefix(1);
    return first;
  }
  void put(unsigned index) {
    is_outside_ = is_outside_ || x_ >= head_.width || y_ >= head_.height;
    if (!is_outside_) indices_[y_ * head_.width + x_++] = std::uint8_t(index);
  }
  // A byte has two pixels of 4 bits, the upper half first.
  unsigned half(unsigned pair, unsigned place) const { return place % 2 == 0 ? pair >> 4 : pair & 15; }

  void repeat(unsigned count, unsigned value) {
    for (unsigned i = 0; i < count; ++i) put(head_.compression == kRuns4 ? half(value, i) : value);
  }
  // Pixels as they are, filled up to an even number of bytes.
  void copy(unsigned count) {
    const unsigned per_byte = head_.compression == kRuns4 ? 2 : 1;
    const unsigned num_bytes = (count + per_byte - 1) / per_byte;
    unsigned pair = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (i % per_byte == 0) pair = byte();
      put(per_byte == 2 ? half(pair, i) : pair);
    }
    if (num_bytes % 2 == 1) byte();
  }

  std::string_view data_;
  const BmpHead& head_;
  std::vector<std::uint8_t> indices_;
  std::size_t x_ = 0, y_ = 0;
  bool is_cut_ = false, is_outside_ = false;
};

// The row of the picture that the file has in place `y`.
std::uint8_t* row_of(Picture& picture, const BmpHead& head, std::size_t y) {
  return picture.row(head.is_top_down ? y : picture.height - 1 - y);
}

Status put_indices(std::span<const std::uint8_t> indices, const std::vector<BmpColour>& palette,
                   std::uint8_t* row) {
  for (const std::uint8_t index : indices) {
    if (index >= palette.size())
      return damaged("BMP", fmt::format("colour {} of a palette of {}", index, palette.size()));
    row = std::ranges::copy(palette[index].rgb, row).out;
  }
  return Done{};
}

Status put_palette_rows(std::string_view data, const BmpHead& head, const std::vector<BmpColour>& palette,
                        Picture& picture) {
  std::vector<std::uint8_t> all, row(head.width);
  if (head.has_runs()) {
    MASH_ASSIGN(all, BmpRuns(data, head).indices());
  }
  for (std::size_t y = 0; y < head.height; ++y) {
    std::span<const std::uint8_t> indices(row);
    if (head.has_runs())
      indices = std::span(all).subspan(y * head.width, head.width);
    else
      for (std::size_t x = 0; x < head.width; ++x) {
        const std::size_t bit = x * head.num_bits;
        const auto byte = std::uint8_t(data[y * head.row_bytes() + bit / 8]);
        row[x] = std::uint8_t(byte >> (8 - head.num_bits - bit % 8) & ((1u << head.num_bits) - 1));
      }
    MASH_TRY(put_indices(indices, palette, row_of(picture, head, y)));
  }
  return Done{};
}

void put_colour_rows(std::string_view data, const BmpHead& head, Picture& picture) {
  const std::size_t num_bytes = head.num_bits / 8;
  for (std::size_t y = 0; y < head.height; ++y) {
    const char* from = data.data() + y * head.row_bytes();
    std::uint8_t* to = row_of(picture, head, y);
    for (std::size_t x = 0; x < head.width; ++x) {
      std::uint64_t pixel = 0;
      for (std::size_t i = 0; i < num_bytes; ++i)
        pixel |= std::uint64_t(std::uint8_t(from[x * num_bytes + i])) << 8 * i;
      for (const std::uint64_t mask : head.masks) {
        const int shift = mask == 0 ? 0 : std::countr_zero(mask);
        *to++ = mask == 0 ? std::uint8_t(0) : scaled_level((pixel & mask) >> shift, mask >> shift);
      }
    }
  }
}

}  // namespace

Result<Picture> decode_bmp(std::string_view bytes, const BeforePixels& before) {
  MASH_ASSIGN(const BmpHead head, read_bmp_head(bytes));
  MASH_TRY(check_kind(head));
  MASH_ASSIGN(Picture picture, black_picture(head.width, head.height, before));
  const std::string_view data = bytes.substr(std::min(head.pixels, bytes.size()));
  if (!head.has_runs() && data.size() / head.row_bytes() < head.height)
    return damaged("BMP",
                   fmt::format("it ends in row {} of {}", data.size() / head.row_bytes() + 1, head.height));
  if (head.num_bits > 8) {
    put_colour_rows(data, head, picture);
    return picture;
  }
  MASH_ASSIGN(const std::vector<BmpColour> palette, read_palette(bytes, head));
  MASH_TRY(put_palette_rows(data, head, palette, picture));
  picture.is_grey = std::ranges::all_of(palette, [](const BmpColour& colour) {
    return colour.rgb[0] == colour.rgb[1] && colour.rgb[1] == colour.rgb[2];
  });
  return picture;
}

}  // namespace mash
