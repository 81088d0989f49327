// SPDX-License-Identifier: Apache-2.0
#include "framework/families/value_extractor.hpp"

#include <gmock/gmock.h>

#include "framework/extractors/in_process_host.hpp"
#include "tests/support/film.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::FakeHost;

float extracted_value_of(std::uint32_t example, std::uint32_t feature_idx) {
  return float(example * 10 + feature_idx);
}

struct Extractor : ::testing::Test {
  Extractor() { spec = host.add({"fake", 3, extracted_value_of}); }

  FakeHost host;
  FamilySpec spec;
  Dataset dataset =
      testing::numbered_images(std::vector<std::uint16_t>(300), std::vector<std::uint16_t>(50), 2);
  StopFlag stop;
};

TEST_F(Extractor, GivesARowForEachExampleOfAnyRange) {
  const auto extractor = ValueExtractor::open(host, spec, dataset.shape);
  ASSERT_TRUE(extractor.ok());
  ASSERT_EQ(extractor->dim(), 3u);
  for (const int num_threads : {1, 3})
    for (const auto& [begin, end] :
         {std::pair(0u, 300u), std::pair(63u, 65u), std::pair(299u, 300u), std::pair(7u, 7u)}) {
      std::vector<float> values((end - begin) * 3);
      ASSERT_TRUE(extractor->extract(dataset.train, begin, end, values, Workers(num_threads), stop).ok());
      for (std::uint32_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], extracted_value_of(begin + i / 3, i % 3)) << begin << " " << end;
    }
}

TEST_F(Extractor, TakesImagesWhereTheyAre) {
  const auto extractor = ValueExtractor::open(host, spec, dataset.shape);
  std::vector<float> values(50 * 3);
  ASSERT_TRUE(extractor->extract(dataset.test.pixels, values, Workers(2), stop).ok());
  for (std::uint32_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(values[i], extracted_value_of(300 + i / 3, i % 3));
}

// A heuristic that counts pictures must not tell the classes to those who learn from these values.
TEST_F(Extractor, ShowsPicturesInASecretOrder) {
  const auto extractor = ValueExtractor::open(host, spec, dataset.shape);
  std::vector<float> values(300 * 3);
  for (const bool has_data_set : {true, false}) {
    host.forget_images();
    ASSERT_TRUE((has_data_set ? extractor->extract(dataset.train, 0, 300, values, Workers(1), stop)
                              : extractor->extract(dataset.train.pixels, values, Workers(1), stop))
                    .ok());
    EXPECT_EQ(host.num_distinct_images(), 300u);
    EXPECT_EQ(host.num_images, 300u);
    EXPECT_FALSE(std::ranges::is_sorted(host.shown()));
  }
}

TEST_F(Extractor, StopsWhenAsked) {
  const auto extractor = ValueExtractor::open(host, spec, dataset.shape);
  std::vector<float> values(300 * 3);
  stop.raise();
  const Status status = extractor->extract(dataset.train, 0, 300, values, Workers(2), stop);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kStopped);
}

TEST_F(Extractor, CopiesTheColumnsOfATable) {
  const Dataset table = testing::table({1, 2, 3, 4, 5, 6}, {0, 1, 0}, 2);
  const auto extractor = ValueExtractor::open(host, columns_family(), table.shape, 2);
  ASSERT_TRUE(extractor.ok());
  std::vector<float> values(4);
  ASSERT_TRUE(extractor->extract(table.train, 1, 3, values, Workers(1), stop).ok());
  EXPECT_THAT(values, ::testing::ElementsAre(3, 4, 5, 6));
}

// A heuristic that looks back sees the pictures before the first one of a range.
TEST(FilmExtractor, ShowsThePicturesBeforeTheRange) {
  const ImageShape shape{3, 2, 1, 2};
  const Split split = testing::films({300, 1, 40}, shape, 1);
  FamilySpec spec;
  spec.name = "film";
  spec.heuristic = describe_in_process(*read_plugin_file(MASH_FILM))->front();
  spec.values = {0};
  InProcessHost host{no_remarks()};
  const auto extractor = ValueExtractor::open(host, spec, shape);
  ASSERT_TRUE(extractor.ok());
  for (const std::size_t begin : {std::size_t(0), std::size_t(150), std::size_t(299), std::size_t(310)}) {
    std::vector<float> values((split.num_examples - begin) * extractor->dim());
    ASSERT_TRUE(extractor->extract(split, begin, split.num_examples, values, Workers(2), StopFlag()).ok());
    for (std::size_t n = begin; n < split.num_examples; ++n)
      ASSERT_THAT(std::span(values).subspan((n - begin) * extractor->dim(), extractor->dim()),
                  ::testing::ElementsAreArray(testing::film_features(split, n, shape)))
          << "from " << begin << ", example " << n;
  }
}

}  // namespace
}  // namespace mash
