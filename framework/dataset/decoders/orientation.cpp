// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/orientation.hpp"

#include <array>
#include <opencv2/core.hpp>

#include "framework/dataset/decoders/byte_order.hpp"

namespace mash {
namespace {

using namespace std::string_view_literals;

// OpenCV's numbers of flips.
constexpr int kUpsideDown = 0, kLeftToRight = 1, kBoth = -1, kNoFlip = 2;

// Parts of a turn: whether rows become columns, and the flip that follows.
struct Turn {
  bool transposes;
  int flip;
};
constexpr std::array<Turn, 9> kTurns{{{},
                                      {false, kNoFlip},
                                      {false, kLeftToRight},
                                      {false, kBoth},
                                      {false, kUpsideDown},
                                      {true, kNoFlip},
                                      {true, kLeftToRight},
                                      {true, kBoth},
                                      {true, kUpsideDown}}};

}  // namespace

Orientation orientation_in(std::string_view exif) {
  constexpr std::uint64_t kTag = 0x0112, kShort = 3, kLong = 4;
  if (exif.starts_with("Exif\0\0"sv)) exif.remove_prefix(6);
  if (!exif.starts_with("II*\0"sv) && !exif.starts_with("MM\0*"sv)) return 1;
  OrderedBytes bytes(exif, exif[0] == 'M');
  const std::size_t directory = bytes.number(4, 4);
  const std::uint64_t num_entries = bytes.number(directory, 2);
  // An entry has 12 bytes: tag, type, count, value.
  for (std::uint64_t i = 0; i < num_entries && !bytes.is_cut(); ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    const std::uint64_t type = bytes.number(entry + 2, 2);
    if (bytes.number(entry, 2) != kTag || (type != kShort && type != kLong)) continue;
    const auto orientation = Orientation(bytes.number(entry + 8, type == kShort ? 2 : 4));
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

void turn_upright(Picture& picture, Orientation orientation) {
  if (orientation < 2 || orientation > 8) return;
  const Turn turn = kTurns[orientation];
  std::vector<std::uint8_t> pixels(picture.pixels.size());
  const cv::Mat from(int(picture.height), int(picture.width), CV_8UC3, picture.pixels.data());
  if (turn.transposes) std::swap(picture.width, picture.height);
  cv::Mat to(int(picture.height), int(picture.width), CV_8UC3, pixels.data());
  if (turn.transposes)
    cv::transpose(from, to);
  else
    from.copyTo(to);
  if (turn.flip != kNoFlip) cv::flip(to, to, turn.flip);
  picture.pixels = std::move(pixels);
}

}  // namespace mash
