// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/idx.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::source_of;

IdxImages images_of(std::size_t num_images, std::uint32_t width, std::uint32_t height) {
  IdxImages images{{width, height, 1}, {}, num_images};
  for (std::size_t i = 0; i < num_images * images.shape.num_bytes(); ++i)
    images.pixels.push_back(std::uint8_t(i * 7));
  return images;
}

RC_GTEST_PROP(Idx, ImagesReadAsWritten, ()) {
  const auto width = *rc::gen::inRange<std::uint32_t>(1, 9), height = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto num_images = *rc::gen::inRange<std::size_t>(1, 6);
  const auto pixels = *rc::gen::container<std::vector<std::uint8_t>>(std::size_t(width) * height * num_images,
                                                                     rc::gen::arbitrary<std::uint8_t>());
  const IdxImages images{{width, height, 1}, PixelArray(pixels.begin(), pixels.end()), num_images};
  const auto read = parse_idx_images(source_of(write_idx_images(images)));
  RC_ASSERT(read.ok());
  RC_ASSERT(read->shape == images.shape);
  RC_ASSERT(read->num_images == num_images);
  RC_ASSERT(read->pixels == images.pixels);
}

RC_GTEST_PROP(Idx, LabelsReadAsWritten, ()) {
  const auto labels = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::uint16_t>>(rc::gen::inRange<std::uint16_t>(0, 256)));
  const auto read = parse_idx_labels(source_of(write_idx_labels(labels)), 256);
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == labels);
}

// There is an answer for any bytes; what is accepted is exactly as large as its header says.
RC_GTEST_PROP(Idx, IsTotal, ()) {
  std::string bytes = write_idx_images(images_of(3, 4, 2));
  const auto position = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[position] = *rc::gen::arbitrary<char>();
  bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 3));
  const auto read = parse_idx_images(source_of(bytes));
  if (read.ok())
    RC_ASSERT(read->pixels.size() == bytes.size() - 16 &&
              read->pixels.size() == read->num_images * read->shape.num_bytes());
  else
    RC_ASSERT(read.error().kind == ErrorKind::kInput);
}

TEST(Idx, WritesTheHeaderOfTheFormat) {
  const std::string bytes = write_idx_images(images_of(3, 4, 2));
  EXPECT_EQ(bytes.substr(0, 16), std::string("\0\0\x08\x03\0\0\0\3\0\0\0\2\0\0\0\4", 16));
  EXPECT_EQ(write_idx_labels({7}), std::string("\0\0\x08\x01\0\0\0\1\7", 9));
}

}  // namespace
}  // namespace mash
