// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/pnm.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "framework/base/number.hpp"

namespace mash {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The text of a map: words and numbers between blanks and comments.
class MapText {
 public:
  explicit MapText(std::string_view text) : rest_(text) {}

  std::string_view word() {
    pass_over_blanks();
    const auto end = std::size_t(std::ranges::find_if(rest_, is_blank) - rest_.begin());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  std::optional<std::uint64_t> number() {
    pass_over_blanks();
    return take_number<std::uint64_t>(rest_);
  }
  // The next digit of a bitmap, whose digits need no blanks between them.
  std::optional<std::uint64_t> digit() {
    pass_over_blanks();
    if (rest_.empty() || (rest_[0] != '0' && rest_[0] != '1')) return std::nullopt;
    const auto digit = std::uint64_t(rest_[0] - '0');
    rest_.remove_prefix(1);
    return digit;
  }
  // The bytes behind the one blank that ends the head.
  std::string_view bytes() const { return rest_.substr(std::min<std::size_t>(1, rest_.size())); }

 private:
  void pass_over_blanks() {
    while (!rest_.empty() && (is_blank(rest_[0]) || rest_[0] == '#'))
      rest_.remove_prefix(rest_[0] == '#' ? std::min(rest_.find('\n'), rest_.size()) : 1);
  }

  std::string_view rest_;
};

struct MapHead {
  std::uint64_t width = 0, height = 0, num_channels = 1, white = 1;
  bool is_text = false, is_bitmap = false;  // bitmap: one bit a pixel, 1 is black

  std::uint64_t num_colours() const { return num_channels < 3 ? 1 : 3; }
};

// "P1" to "P6": bits, greys, colours as text, then the same as bytes.
bool read_old_head(char kind, MapText& text, MapHead& head) {
  head.is_text = kind <= '3';
  head.is_bitmap = kind == '1' || kind == '4';
  head.num_channels = kind == '3' || kind == '6' ? 3 : 1;
  const auto width = text.number(), height = text.number();
  const auto white = head.is_bitmap ? 1 : text.number();
  if (!width || !height || !white) return false;
  head.width = *width, head.height = *height, head.white = *white;
  return true;
}

// "P7": a line for each number, then ENDHDR.
bool read_pam_head(MapText& text, MapHead& head) {
  for (std::string_view key = text.word(); key != "ENDHDR"; key = text.word()) {
    if (key == "TUPLTYPE") {
      text.word();
      continue;
    }
    const auto value = text.number();
    if (!value) return false;
    if (key == "WIDTH") head.width = *value;
    if (key == "HEIGHT") head.height = *value;
    if (key == "DEPTH") head.num_channels = *value;
    if (key == "MAXVAL") head.white = *value;
  }
  return head.num_channels >= 1 && head.num_channels <= 4;
}

// The levels of a map, a row at a time. 0 is black, also of bitmaps, whose files have 1 for it.
class MapRows {
 public:
  MapRows(const MapHead& head, const MapText& text) : head_(head), text_(text), bytes_(text.bytes()) {}

  // False where the file ends before.
  bool read(std::vector<std::uint16_t>& row) {
    if (head_.is_text) return read_text(row);
    const std::size_t bits = head_.is_bitmap ? 1 : head_.white < 256 ? 8 : 16;
    const std::size_t num_bytes = (row.size() * bits + 7) / 8;  // bitmaps have rows of whole bytes
    if (bytes_.size() < num_bytes) return false;
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes_.data());
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = std::uint16_t(bits == 8    ? from[i]
                             : bits == 16 ? from[2 * i] << 8 | from[2 * i + 1]
                                          : ~from[i / 8] >> (7 - i % 8) & 1);
    bytes_.remove_prefix(num_bytes);
    return true;
  }

 private:
  bool read_text(std::vector<std::uint16_t>& row) {
    for (std::uint16_t& level : row) {
      const auto number = head_.is_bitmap ? text_.digit() : text_.number();
      if (!number) return false;
      level = std::uint16_t(head_.is_bitmap ? 1 - *number : std::min<std::uint64_t>(*number, head_.white));
    }
    return true;
  }

  const MapHead& head_;
  MapText text_;
  std::string_view bytes_;
};

// The levels of a row from 0 to 255.
void scale_levels(std::vector<std::uint16_t>& row, const MapHead& head,
                  const std::array<std::uint8_t, 256>& of_one_byte) {
  for (std::uint16_t& level : row)
    level = head.white < 256 ? of_one_byte[level] : scaled_level(level, head.white);
}

}  // namespace

Result<Picture> decode_pnm(std::string_view bytes, const BeforePixels& before) {
  MapText text(bytes.substr(2));
  MapHead head;
  const bool has_head = bytes[1] == '7' ? read_pam_head(text, head) : read_old_head(bytes[1], text, head);
  if (!has_head || head.white == 0 || head.white > 65535)
    return damaged("PNM", "its size or its white cannot be read");
  MASH_ASSIGN(Picture picture, black_picture(head.width, head.height, before));
  picture.is_grey = head.num_colours() == 1;
  std::array<std::uint8_t, 256> of_one_byte{};
  for (std::size_t level = 0; level < 256; ++level) of_one_byte[level] = scaled_level(level, head.white);
  MapRows rows(head, text);
  std::vector<std::uint16_t> row(head.width * head.num_channels);
  for (std::size_t y = 0; y < picture.height; ++y) {
    if (!rows.read(row)) return damaged("PNM", fmt::format("it ends in row {} of {}", y + 1, head.height));
    scale_levels(row, head, of_one_byte);
    std::uint8_t* pixel = picture.row(y);
    for (std::size_t x = 0; x < row.size(); x += head.num_channels, pixel += 3)
      for (std::size_t channel = 0; channel < 3; ++channel)
        pixel[channel] = std::uint8_t(row[x + (picture.is_grey ? 0 : channel)]);
  }
  return picture;
}

}  // namespace mash
