// SPDX-License-Identifier: Apache-2.0
#include "tests/dataset/pictures.hpp"

#include "framework/dataset/decoders/formats.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t(1) << 20;

// Leaves a decoder before it takes the memory for a large picture, which would only cost time.
struct TooLarge {};

}  // namespace

bool take(std::string_view input) {
  std::uint64_t told = 0;
  try {
    const auto picture = decode_picture(input, [&](std::uint64_t num_pixels) {
      told = num_pixels;
      if (num_pixels > kMostPixels) throw TooLarge{};
    });
    if (!is_taken(picture)) return false;
    MASH_PROMISE(told == std::uint64_t(picture->width) * picture->height);
    MASH_PROMISE(picture->pixels.size() == 3 * told);
    return true;
  } catch (const TooLarge&) {
    return false;
  }
}

std::vector<std::string> seeds() {
  cv::Mat noise(5, 6, CV_8UC3), grey(5, 6, CV_16UC1);
  cv::RNG(1).fill(noise, cv::RNG::UNIFORM, 0, 256);
  cv::RNG(2).fill(grey, cv::RNG::UNIFORM, 0, 65536);
  std::vector<std::string> seeds{"P1 3 1 0 1 0\n", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 9\nENDHDR\n\5"};
  for (const char* format : {".png", ".jpg", ".bmp", ".ppm", ".tif", ".webp"})
    seeds.push_back(testing::encoded(format, noise));
  for (const char* format : {".png", ".pgm", ".tif"}) seeds.push_back(testing::encoded(format, grey));
  return seeds;
}

}  // namespace mash::fuzz
