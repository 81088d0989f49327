// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/image_header.hpp"

#include <cctype>

#include "framework/base/number.hpp"

namespace mash {
namespace {

// Numbers of a file, in its byte order; reading behind the end gives 0 and is remembered.
class Bytes {
 public:
  Bytes(std::string_view bytes, bool is_big_endian) : bytes_(bytes), is_big_endian_(is_big_endian) {}

  std::uint64_t number(std::size_t offset, std::size_t num_bytes) {
    if (offset > bytes_.size() || bytes_.size() - offset < num_bytes) {
      is_cut_ = true;
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < num_bytes; ++i) {
      const std::size_t place = offset + (is_big_endian_ ? i : num_bytes - 1 - i);
      value = value << 8 | std::uint8_t(bytes_[place]);
    }
    return value;
  }
  bool is_cut() const { return is_cut_; }

 private:
  std::string_view bytes_;
  bool is_big_endian_;
  bool is_cut_ = false;
};

std::optional<ImageHeader> unless_cut(const Bytes& bytes, const ImageHeader& header) {
  if (bytes.is_cut()) return std::nullopt;
  return header;
}

std::optional<ImageHeader> read_png(std::string_view file) {
  Bytes bytes(file, true);
  const ImageHeader header{"PNG", bytes.number(16, 4), bytes.number(20, 4)};
  return unless_cut(bytes, header);
}

// The sizes are in the first frame header, SOF0 to SOF15, which other segments precede.
std::optional<ImageHeader> read_jpeg(std::string_view file) {
  Bytes bytes(file, true);
  std::size_t offset = 2;
  while (!bytes.is_cut()) {
    if (bytes.number(offset, 1) != 0xff) return std::nullopt;
    const std::uint64_t marker = bytes.number(offset + 1, 1);
    if (marker == 0xff) {  // fill bytes may stand before a marker
      ++offset;
      continue;
    }
    if (marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {  // these have no length
      offset += 2;
      continue;
    }
    const bool is_frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (is_frame) {
      const ImageHeader header{"JPEG", bytes.number(offset + 7, 2), bytes.number(offset + 5, 2)};
      return unless_cut(bytes, header);
    }
    offset += 2 + bytes.number(offset + 2, 2);
  }
  return std::nullopt;
}

std::optional<ImageHeader> read_bmp(std::string_view file) {
  Bytes bytes(file, false);
  const auto side = [&](std::size_t offset) {
    const auto value = std::int32_t(bytes.number(offset, 4));  // a negative height: rows top down
    return std::uint64_t(value < 0 ? -std::int64_t(value) : value);
  };
  const bool is_old = bytes.number(14, 4) == 12;  // of OS/2: two bytes a side
  const ImageHeader header{"BMP", is_old ? bytes.number(18, 2) : side(18),
                           is_old ? bytes.number(20, 2) : side(22)};
  return unless_cut(bytes, header);
}

// The next number of a text header, behind blanks and comments.
std::optional<std::uint64_t> next_number(std::string_view file, std::size_t& offset) {
  while (offset < file.size() &&
         (std::isspace(static_cast<unsigned char>(file[offset])) || file[offset] == '#'))
    if (file[offset++] == '#')
      while (offset < file.size() && file[offset] != '\n') ++offset;
  std::string_view rest = file.substr(offset);
  const auto value = take_number<std::uint64_t>(rest);
  offset = file.size() - rest.size();
  return value;
}

std::optional<ImageHeader> read_pnm(std::string_view file) {
  std::size_t offset = 2;
  const bool has_levels = file[1] != '1' && file[1] != '4';
  const auto width = next_number(file, offset), height = next_number(file, offset);
  const auto white = has_levels ? next_number(file, offset) : 255;
  if (!width || !height || !white || *white == 0 || *white > 65535) return std::nullopt;
  return ImageHeader{"PNM", *width, *height, std::uint32_t(*white)};
}

// The first directory's entries of 12 bytes: tag, type (3: two bytes, 4: four), count, value.
std::optional<ImageHeader> read_tiff(std::string_view file) {
  constexpr std::uint64_t kWidth = 256, kHeight = 257, kShort = 3;
  Bytes bytes(file, file[0] == 'M');
  ImageHeader header{"TIFF"};
  const std::size_t directory = bytes.number(4, 4);
  const std::uint64_t num_entries = bytes.number(directory, 2);
  for (std::uint64_t i = 0; i < num_entries && !bytes.is_cut(); ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    const std::uint64_t tag = bytes.number(entry, 2);
    if (tag != kWidth && tag != kHeight) continue;
    const std::uint64_t value = bytes.number(entry + 8, bytes.number(entry + 2, 2) == kShort ? 2 : 4);
    (tag == kWidth ? header.width : header.height) = value;
  }
  return unless_cut(bytes, header);
}

using HeaderReader = std::optional<ImageHeader> (*)(std::string_view bytes);

// The reader of the format that the bytes begin as; null where it is none of these.
HeaderReader reader_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89PNG")) return read_png;
  if (bytes.starts_with("\xff\xd8")) return read_jpeg;
  if (bytes.starts_with("BM")) return read_bmp;
  if (bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv)) return read_tiff;
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6') return read_pnm;
  return nullptr;
}

}  // namespace

bool begins_as_picture(std::string_view bytes) { return reader_of(bytes) != nullptr; }

std::optional<ImageHeader> read_image_header(std::string_view bytes) {
  const HeaderReader read = reader_of(bytes);
  return read ? read(bytes) : std::nullopt;
}

}  // namespace mash
