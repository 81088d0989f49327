// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/jpeg.hpp"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <new>

// libjpeg's headers need <cstdio>, and what they declare in front of them.
#include <jerror.h>
#include <jpeglib.h>

#include "framework/dataset/decoders/orientation.hpp"

namespace mash {
namespace {

using namespace std::string_view_literals;

// State of libjpeg, which ends what it cannot do by a jump. One for each picture: its messages are that
// picture's, on any number of threads.
struct JpegState {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  std::jmp_buf failed{};
  std::array<char, JMSG_LENGTH_MAX> message{};

  JpegState() = default;
  JpegState(const JpegState&) = delete;
  JpegState& operator=(const JpegState&) = delete;
  ~JpegState() { jpeg_destroy_decompress(&info); }
};

[[noreturn]] void fail_jpeg(j_common_ptr info) {
  auto& state = *static_cast<JpegState*>(info->client_data);
  info->err->format_message(info, state.message.data());
  std::longjmp(state.failed, 1);  // no exception may pass through a library in C
}

// Below 0 are warnings, above it traces. That of an unknown version of JFIF says nothing of the pixels.
void hear_of_jpeg(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code != JWRN_JFIF_MAJOR) fail_jpeg(info);
}

Error error_of_jpeg(const JpegState& state) {
  switch (state.errors.msg_code) {
    case JERR_OUT_OF_MEMORY: throw std::bad_alloc();
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED: return not_read("JPEG", state.message.data());
    default: return damaged("JPEG", state.message.data());
  }
}

// The jumps of libjpeg lead into the two functions below. They hold nothing that a destructor would have to
// release.

bool read_jpeg_head(JpegState& state, std::string_view bytes) {
  jpeg_decompress_struct& info = state.info;
  info.err = jpeg_std_error(&state.errors);
  info.client_data = &state;
  state.errors.error_exit = fail_jpeg;
  state.errors.emit_message = hear_of_jpeg;
  if (setjmp(state.failed) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = info.num_components == 4 ? JCS_CMYK : JCS_RGB;
  return true;
}

// inks: room for a row of four channels, where the file has them.
bool read_jpeg_rows(JpegState& state, std::uint8_t* pixels, std::uint8_t* inks) {
  jpeg_decompress_struct& info = state.info;
  if (setjmp(state.failed) != 0) return false;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    std::uint8_t* row = pixels + std::size_t(info.output_scanline) * info.output_width * 3;
    JSAMPROW target = info.output_components == 4 ? inks : row;
    jpeg_read_scanlines(&info, &target, 1);
    if (info.output_components != 4) continue;
    for (std::size_t x = 0; x < info.output_width; ++x) mix_inks(inks + 4 * x, row + 3 * x);
  }
  jpeg_finish_decompress(&info);  // reads up to the mark of the end, which a file that is cut lacks
  return true;
}

Orientation jpeg_orientation(const jpeg_decompress_struct& info) {
  for (const jpeg_saved_marker_ptr* marker = &info.marker_list; *marker; marker = &(*marker)->next) {
    const std::string_view data(reinterpret_cast<const char*>((*marker)->data), (*marker)->data_length);
    if (data.starts_with("Exif\0\0"sv)) return orientation_in(data);
  }
  return 1;
}

}  // namespace

Result<Picture> decode_jpeg(std::string_view bytes, const BeforePixels& before) {
  JpegState state;
  if (!read_jpeg_head(state, bytes)) return error_of_jpeg(state);
  const Orientation orientation = jpeg_orientation(state.info);
  MASH_ASSIGN(Picture picture, black_picture(state.info.image_width, state.info.image_height, before));
  picture.is_grey = state.info.num_components == 1;
  std::vector<std::uint8_t> inks(state.info.num_components == 4 ? 4 * std::size_t(picture.width) : 0);
  if (!read_jpeg_rows(state, picture.pixels.data(), inks.data())) return error_of_jpeg(state);
  turn_upright(picture, orientation);
  return picture;
}

}  // namespace mash
