// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/held_out.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "framework/base/random.hpp"

namespace mash {
namespace {

Dataset noise_images(std::size_t num_examples) {
  Dataset dataset;
  dataset.shape = {4, 4, 1};
  dataset.train.num_examples = num_examples;
  dataset.train.labels.resize(num_examples);
  RandomStream stream(1, "test.images");
  for (std::size_t i = 0; i < 16 * num_examples; ++i)
    dataset.train.pixels.push_back(std::uint8_t(stream.below(256)));
  return dataset;
}

TEST(HeldOutPart, IsASixthAndIncreasing) {
  const auto rows = held_out_part(noise_images(6000));
  EXPECT_NEAR(double(rows.size()), 1000, 4 * std::sqrt(6000 * 5. / 36));
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
}

TEST(HeldOutPart, StaysWhenExamplesAreAdded) {
  auto more = held_out_part(noise_images(3000));
  std::erase_if(more, [](std::uint32_t n) { return n >= 2000; });
  EXPECT_EQ(held_out_part(noise_images(2000)), more);
}

TEST(HeldOutPart, EqualPicturesAreOnOneSide) {
  Dataset twice = noise_images(300);
  twice.train.pixels.insert(twice.train.pixels.end(), twice.train.pixels.begin(), twice.train.pixels.end());
  twice.train.num_examples = 600;
  const auto rows = held_out_part(twice);
  for (const std::uint32_t n : rows)
    EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), (n + 300) % 600));
}

TEST(HeldOutPart, TakesWholeGroups) {
  for (const std::size_t num_groups : {2u, 5u, 20u}) {
    Dataset grouped = noise_images(1000);
    for (std::uint32_t n = 0; n < 1000; ++n) grouped.train.groups.push_back(std::uint32_t(n % num_groups));
    const auto rows = held_out_part(grouped);
    const std::size_t group_size = 1000 / num_groups, wanted = (1000 + 5) / 6;
    EXPECT_EQ(rows.size(), (wanted + group_size - 1) / group_size * group_size);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    std::vector<std::size_t> taken(num_groups);
    for (const std::uint32_t n : rows) ++taken[n % num_groups];
    for (const std::size_t count : taken) EXPECT_TRUE(count == 0 || count == group_size);
  }
}

// Half of the test side, equal pictures together, and not the same choice as that of the held-out part.
TEST(PrivatePart, IsHalfOfTheTestSide) {
  Dataset dataset = noise_images(4000);
  dataset.test = dataset.train;
  const auto rows = private_part(dataset);
  EXPECT_NEAR(double(rows.size()), 2000, 4 * std::sqrt(4000 * .25));
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  dataset.train = {};
  EXPECT_EQ(private_part(dataset), rows);
}

TEST(HeldOutPart, OfATableGoesByItsValues) {
  Dataset table;
  table.column_names = {"a", "b"};
  for (std::uint32_t n = 0; n < 600; ++n)
    table.train.values.insert(table.train.values.end(), {float(n), 1.f});
  table.train.num_examples = 600;
  EXPECT_NEAR(double(held_out_part(table).size()), 100, 4 * std::sqrt(600 * 5. / 36));
}

}  // namespace
}  // namespace mash
