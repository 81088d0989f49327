// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/idx.hpp"

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kImagesMagic = 0x00000803;
constexpr std::uint32_t kLabelsMagic = 0x00000801;
constexpr std::size_t kImagesHeader = 16;
constexpr std::size_t kLabelsHeader = 8;
constexpr std::uint32_t kMaxIdxSide = 16384;  // keeps number x height x width below 2^64

std::uint32_t big_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::uint8_t(bytes[offset + i]);
  return value;
}

void append_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += char(value >> shift & 0xff);
}

Status check_header(const LoadedSource& source, std::uint32_t magic, std::size_t header_size,
                    std::string_view what) {
  if (source.bytes.size() < header_size)
    return input_error("{}: byte {}: truncated in the header, expected {} bytes", source.place(),
                       source.bytes.size(), header_size);
  if (const std::uint32_t found = big_endian(source.bytes, 0); found != magic)
    return input_error("{}: byte 0: found magic number {:#010x}, expected {:#010x} (IDX {})", source.place(),
                       found, magic, what);
  return Done{};
}

// Before anything is allocated: the body is exactly what the header says.
Status check_body(const LoadedSource& source, std::size_t header_size, std::uint64_t num_items,
                  std::uint64_t item_size) {
  const std::uint64_t found = source.bytes.size() - header_size;
  const std::uint64_t expected = num_items * item_size;
  if (found < expected)
    return input_error("{}: byte {}: truncated in record {}, expected {} records of {} bytes", source.place(),
                       source.bytes.size(), found / item_size, num_items, item_size);
  if (found > expected)
    return input_error("{}: byte {}: found {} more bytes, expected the end after {} records of {} bytes",
                       source.place(), header_size + expected, found - expected, num_items, item_size);
  return Done{};
}

}  // namespace

Result<IdxImages> parse_idx_images(const LoadedSource& source) {
  MASH_TRY(check_header(source, kImagesMagic, kImagesHeader, "images"));
  const std::uint32_t num_images = big_endian(source.bytes, 4);
  const std::uint32_t height = big_endian(source.bytes, 8);
  const std::uint32_t width = big_endian(source.bytes, 12);
  if (num_images == 0)
    return input_error("{}: byte 4: found no images, expected at least one", source.place());
  if (height == 0 || width == 0 || height > kMaxIdxSide || width > kMaxIdxSide)
    return input_error("{}: byte 8: found images of {}x{}, expected sides from 1 to {}", source.place(),
                       width, height, kMaxIdxSide);
  MASH_TRY(check_body(source, kImagesHeader, num_images, std::uint64_t(height) * width));
  IdxImages images{{width, height, 1}, {}, num_images};
  images.pixels.assign(source.bytes.begin() + kImagesHeader, source.bytes.end());
  return images;
}

Result<std::vector<std::uint16_t>> parse_idx_labels(const LoadedSource& source, std::size_t num_classes) {
  MASH_TRY(check_header(source, kLabelsMagic, kLabelsHeader, "labels"));
  const std::uint32_t num_labels = big_endian(source.bytes, 4);
  if (num_labels == 0)
    return input_error("{}: byte 4: found no labels, expected at least one", source.place());
  MASH_TRY(check_body(source, kLabelsHeader, num_labels, 1));
  std::vector<std::uint16_t> labels(num_labels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = std::uint8_t(source.bytes[kLabelsHeader + i]);
    if (labels[i] >= num_classes)
      return input_error(
          "{}: byte {}: record {}: found label {}, expected 0 to {}; the key 'classes' says how "
          "many there are",
          source.place(), kLabelsHeader + i, i, labels[i], num_classes - 1);
  }
  return labels;
}

std::string write_idx_images(const IdxImages& images) {
  require(images.pixels.size() == images.num_images * images.shape.num_bytes(),
          "write_idx_images: pixels for each image");
  std::string bytes;
  append_big_endian(bytes, kImagesMagic);
  append_big_endian(bytes, std::uint32_t(images.num_images));
  append_big_endian(bytes, images.shape.height);
  append_big_endian(bytes, images.shape.width);
  bytes.append(images.pixels.begin(), images.pixels.end());
  return bytes;
}

std::string write_idx_labels(const std::vector<std::uint16_t>& labels) {
  std::string bytes;
  append_big_endian(bytes, kLabelsMagic);
  append_big_endian(bytes, std::uint32_t(labels.size()));
  for (const std::uint16_t label : labels) bytes += char(label);
  return bytes;
}

}  // namespace mash
