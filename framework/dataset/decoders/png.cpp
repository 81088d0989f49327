// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/png.hpp"

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <new>
#include <optional>
#include <string>

#include "framework/dataset/decoders/orientation.hpp"

namespace mash {
namespace {

// State of libpng, which ends what it cannot do by a jump. One for each picture: its messages are that
// picture's, on any number of threads.
struct PngState {
  std::string_view rest;  // of the file
  bool is_grey = false;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::jmp_buf failed{};
  std::array<char, 160> message{};

  PngState() = default;
  PngState(const PngState&) = delete;
  PngState& operator=(const PngState&) = delete;
  ~PngState() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] void fail_png(png_structp png, png_const_charp message) {
  auto& state = *static_cast<PngState*>(png_get_error_ptr(png));
  std::strncpy(state.message.data(), message, state.message.size() - 1);
  std::longjmp(state.failed, 1);  // no exception may pass through a library in C
}

// Warnings are about colour profiles, dates and the like. Pixels have checksums, whose faults are errors.
void pass_over_warning(png_structp, png_const_charp) {}

void give_bytes(png_structp png, png_bytep to, std::size_t num_bytes) {
  auto& state = *static_cast<PngState*>(png_get_io_ptr(png));
  if (state.rest.size() < num_bytes) png_error(png, "the file ends too early");
  std::memcpy(to, state.rest.data(), num_bytes);
  state.rest.remove_prefix(num_bytes);
}

Error error_of_png(const PngState& state) {
  if (std::string_view(state.message.data()) == "Out of memory") throw std::bad_alloc();
  return damaged("PNG", state.message.data());
}

// The jumps of libpng lead into the three functions below. They hold nothing that a destructor would have to
// release.

bool read_png_head(PngState& state) {
  if (setjmp(state.failed) != 0) return false;
  state.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, fail_png, pass_over_warning);
  if (state.png) state.info = png_create_info_struct(state.png);
  if (!state.info) throw std::bad_alloc();
  png_set_read_fn(state.png, &state, give_bytes);
  png_set_crc_action(state.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_user_limits(state.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // black_picture has ours
  png_read_info(state.png, state.info);
  return true;
}

// libpng takes memory for rows here, as long as the head says that they are.
bool settle_png_rows(PngState& state) {
  if (setjmp(state.failed) != 0) return false;
  const png_byte kind = png_get_color_type(state.png, state.info);
  if (kind == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(state.png);
  if (kind == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(state.png);
  state.is_grey = (kind & PNG_COLOR_MASK_COLOR) == 0;
  if (state.is_grey) png_set_gray_to_rgb(state.png);
  png_set_scale_16(state.png);
  png_set_strip_alpha(state.png);
  png_set_interlace_handling(state.png);
  png_read_update_info(state.png, state.info);
  return true;
}

bool read_png_rows(PngState& state, png_bytepp rows) {
  if (setjmp(state.failed) != 0) return false;
  png_read_image(state.png, rows);
  png_read_end(state.png, state.info);  // EXIF data may stand behind the pixels
  return true;
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return unsigned(c - '0');
  if (c >= 'a' && c <= 'f') return unsigned(c - 'a') + 10;
  return std::nullopt;
}

// The bytes of a profile that ImageMagick has written as text: its name and length, then hexadecimal digits.
std::string raw_profile(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  for (int line = 0; line < 2; ++line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  std::string bytes;
  std::optional<unsigned> high;
  for (const char c : text) {
    const std::optional<unsigned> digit = hex_digit(c);
    if (!digit) continue;  // the end of a line
    if (high) bytes += char(*high << 4 | *digit);
    high = high ? std::nullopt : digit;
  }
  return bytes;
}

Orientation png_orientation(const PngState& state) {
  png_uint_32 num_bytes = 0;
  png_bytep exif = nullptr;
  if (png_get_eXIf_1(state.png, state.info, &num_bytes, &exif) != 0)
    return orientation_in({reinterpret_cast<const char*>(exif), num_bytes});
  png_textp texts = nullptr;
  int num_texts = 0;
  png_get_text(state.png, state.info, &texts, &num_texts);
  for (int i = 0; i < num_texts; ++i) {
    const std::string_view key = texts[i].key;
    if ((key == "Raw profile type exif" || key == "Raw profile type APP1") && texts[i].text)
      return orientation_in(raw_profile(texts[i].text));
  }
  return 1;
}

}  // namespace

Result<Picture> decode_png(std::string_view bytes, const BeforePixels& before) {
  if (bytes.substr(0, 16).ends_with("CgBI"))
    return not_read("PNG", "Apple's own, of programs for telephones");
  PngState state;
  state.rest = bytes;
  if (!read_png_head(state)) return error_of_png(state);
  MASH_ASSIGN(Picture picture, black_picture(png_get_image_width(state.png, state.info),
                                             png_get_image_height(state.png, state.info), before));
  if (!settle_png_rows(state)) return error_of_png(state);
  picture.is_grey = state.is_grey;
  std::vector<png_bytep> rows(picture.height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = picture.row(y);
  if (!read_png_rows(state, rows.data())) return error_of_png(state);
  turn_upright(picture, png_orientation(state));
  return picture;
}

}  // namespace mash
