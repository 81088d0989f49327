// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/webp.hpp"

#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <memory>
#include <new>

#include "framework/dataset/decoders/orientation.hpp"

namespace mash {
namespace {

Error error_of_webp(VP8StatusCode code) {
  switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: throw std::bad_alloc();
    case VP8_STATUS_NOT_ENOUGH_DATA: return damaged("WebP", "the file ends too early");
    case VP8_STATUS_UNSUPPORTED_FEATURE: return not_read("WebP", "libwebp has no such feature");
    default: return damaged("WebP", "its data make no sense");
  }
}

Status fill_still(const WebPData& file, Picture& picture) {
  WebPDecoderConfig config;
  WebPInitDecoderConfig(&config);
  config.output.colorspace = MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {picture.pixels.data(), int(3 * picture.width), picture.pixels.size()};
  if (const auto code = WebPDecode(file.bytes, file.size, &config); code != VP8_STATUS_OK)
    return error_of_webp(code);
  return Done{};
}

// The first picture of an animation, on its whole canvas.
Status fill_first(const WebPData& file, Picture& picture) {
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  options.color_mode = MODE_RGBA;
  const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(
      WebPAnimDecoderNew(&file, &options), WebPAnimDecoderDelete);
  std::uint8_t* canvas = nullptr;
  int time = 0;
  if (!decoder || !WebPAnimDecoderGetNext(decoder.get(), &canvas, &time))
    return damaged("WebP", "its animation has no first picture");
  for (std::size_t i = 0; i < picture.pixels.size() / 3; ++i)
    std::copy_n(canvas + 4 * i, 3, picture.pixels.data() + 3 * i);
  return Done{};
}

Orientation webp_orientation(const WebPData& file) {
  const std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> parts(WebPDemux(&file), WebPDemuxDelete);
  WebPChunkIterator chunk{};
  if (!parts || !WebPDemuxGetChunk(parts.get(), "EXIF", 1, &chunk)) return 1;
  const Orientation orientation =
      orientation_in({reinterpret_cast<const char*>(chunk.chunk.bytes), chunk.chunk.size});
  WebPDemuxReleaseChunkIterator(&chunk);
  return orientation;
}

}  // namespace

Result<Picture> decode_webp(std::string_view bytes, const BeforePixels& before) {
  const WebPData file{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPBitstreamFeatures features;
  if (const auto code = WebPGetFeatures(file.bytes, file.size, &features); code != VP8_STATUS_OK)
    return error_of_webp(code);
  MASH_ASSIGN(Picture picture,
              black_picture(std::uint64_t(features.width), std::uint64_t(features.height), before));
  MASH_TRY(features.has_animation ? fill_first(file, picture) : fill_still(file, picture));
  turn_upright(picture, webp_orientation(file));
  return picture;
}

}  // namespace mash
