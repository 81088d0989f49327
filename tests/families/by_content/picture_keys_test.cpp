// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/picture_keys.hpp"

#include <gtest/gtest.h>

#include "tests/support/film.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

std::vector<ContentKey> keys_of(const Dataset& dataset, Content content, int num_threads = 2) {
  const Workers workers(num_threads);
  return PictureKeys(dataset, workers).of(content);
}

Dataset films_of(const std::vector<std::size_t>& lengths) {
  Dataset dataset;
  dataset.shape = {3, 2, 1, 2};
  dataset.train = testing::films(lengths, dataset.shape, 1);
  dataset.test = testing::films({5}, dataset.shape, 2);
  return dataset;
}

TEST(PictureKeys, AreEqualWhereThePicturesAre) {
  Dataset dataset = testing::numbered_images({0, 1, 0}, {1, 0}, 2);
  // The second test picture is the first training picture again.
  std::copy_n(dataset.train.pixels.begin(), dataset.shape.num_bytes(),
              dataset.test.pixels.begin() + std::ptrdiff_t(dataset.shape.num_bytes()));
  const auto keys = keys_of(dataset, Content::kPicture);
  ASSERT_EQ(keys.size(), 5u);
  EXPECT_EQ(keys[4], keys[0]);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(keys[i], keys[j]);
  EXPECT_EQ(keys_of(dataset, Content::kPicture, 1), keys);
}

TEST(PictureKeys, OfFilmsHangOnTheWholeFilmAndThePlace) {
  const Dataset dataset = films_of({3, 4});
  const auto keys = keys_of(dataset, Content::kFilm);
  ASSERT_EQ(keys.size(), 12u);
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(keys[i], keys[j]) << i << " " << j;
  Dataset changed = films_of({3, 4});
  changed.train.pixels[2 * changed.shape.num_bytes()] ^= 1;  // in the last picture of the first film
  const auto others = keys_of(changed, Content::kFilm);
  for (std::size_t n = 0; n < keys.size(); ++n) EXPECT_EQ(others[n] == keys[n], n >= 3) << n;
  changed = films_of({3, 4});
  changed.train.frames[4].camera ^= 1;
  EXPECT_NE(keys_of(changed, Content::kFilm)[6], keys[6]) << "another camera took it";
}

}  // namespace
}  // namespace mash
