// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/pnm.hpp"

#include <algorithm>
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

// The levels of a map, one after the other.
class MapLevels {
 public:
  MapLevels(const MapHead& head, const MapText& text) : head_(head), text_(text), bytes_(text.bytes()) {}

  // Bytes of a row are whole.
  void start_row() { bit_ = 0; }

  std::optional<std::uint64_t> next() {
    if (head_.is_text) return head_.is_bitmap ? text_.digit() : text_.number();
    const std::size_t num_bytes = head_.white > 255 ? 2 : 1;
    if (head_.is_bitmap && bit_ > 0) return next_bit();
    if (bytes_.size() < num_bytes) return std::nullopt;
    std::uint64_t level = 0;
    for (std::size_t i = 0; i < num_bytes; ++i) level = level << 8 | std::uint8_t(bytes_[i]);
    bytes_.remove_prefix(num_bytes);
    if (!head_.is_bitmap) return level;
    byte_ = std::uint8_t(level);
    bit_ = 8;
    return next_bit();
  }

 private:
  std::uint64_t next_bit() { return byte_ >> --bit_ & 1; }

  const MapHead& head_;
  MapText text_;
  std::string_view bytes_;
  std::uint8_t byte_ = 0;
  int bit_ = 0;
};

bool read_map_row(MapLevels& levels, const MapHead& head, std::uint8_t* row) {
  levels.start_row();
  for (std::uint64_t x = 0; x < head.width; ++x, row += 3) {
    for (std::uint64_t channel = 0; channel < head.num_channels; ++channel) {
      const auto level = levels.next();
      if (!level) return false;
      if (channel < head.num_colours()) row[channel] = scaled_level(*level, head.white);
    }
    if (head.is_bitmap) row[0] = std::uint8_t(255 - row[0]);
    if (head.num_colours() == 1) row[1] = row[2] = row[0];
  }
  return true;
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
  MapLevels levels(head, text);
  for (std::size_t y = 0; y < picture.height; ++y)
    if (!read_map_row(levels, head, picture.row(y)))
      return damaged("PNM", fmt::format("it ends in row {} of {}", y + 1, picture.height));
  return picture;
}

}  // namespace mash
