// SPDX-License-Identifier: Apache-2.0
// Heuristics that look back see the pictures before one, wherever extraction begins.
#include <gmock/gmock.h>

#include "framework/extractors/catalogue.hpp"
#include "framework/extractors/in_process_host.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/families/feature_timing.hpp"
#include "framework/families/image_planes.hpp"
#include "framework/families/lazy_family.hpp"
#include "tests/support/film.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::ElementsAreArray;
using testing::film_features;
using testing::films;

// Films that are longer than a tile of the values, shorter, and of one picture.
struct Films : ::testing::Test {
  Films() {
    dataset.name = "films";
    dataset.class_names = {"a", "b"};
    dataset.shape = {3, 2, 1, 2};
    dataset.train = films({300, 1, 2, 400, 7}, dataset.shape, 1);
    dataset.test = films({30, 80}, dataset.shape, 2);
    dataset.fingerprint = "films";
    const auto infos = describe_in_process(*read_plugin_file(MASH_FILM));
    spec.name = "film";
    spec.heuristic = infos->front();
    spec.values = {0};
  }
  ExtractionContext context() { return {host, dataset, {workers, no_progress(), no_remarks(), stop}}; }

  testing::ScratchFolder folder;
  Dataset dataset;
  FamilySpec spec;
  InProcessHost host{no_remarks()};
  Workers workers{2};
  StopFlag stop;
};

TEST_F(Films, AreExtractedAsTheyWereShown) {
  ASSERT_EQ(spec.heuristic.looks_back, 3u);
  const auto dim = family_dim(spec, context());
  ASSERT_TRUE(dim.ok());
  auto values = ValuesFile::open_or_create(folder / "values", *dim,
                                           dataset.train.num_examples + dataset.test.num_examples);
  ASSERT_TRUE(values.ok()) << values.error().message;
  ASSERT_TRUE(extract_values(spec, context(), *values).ok());
  for (std::size_t n = 0; n < values->num_examples(); ++n) {
    const bool is_train = n < dataset.train.num_examples;
    const Split& split = is_train ? dataset.train : dataset.test;
    const auto expected = film_features(split, is_train ? n : n - dataset.train.num_examples, dataset.shape);
    ASSERT_THAT(values->row(n), ElementsAreArray(expected)) << "example " << n;
  }
}

// As prediction within a budget asks for them: one picture, one feature after the other.
TEST_F(Films, PieceByPieceToo) {
  const auto instance = host.open(spec.heuristic, spec.values, dataset.shape.num_cameras);
  ASSERT_TRUE(instance.ok());
  ImagePlanes planes(dataset.shape, 1, 1, spec.heuristic.looks_back);
  for (std::uint32_t n = 0; n < dataset.test.num_examples; ++n) {
    const auto expected = film_features(dataset.test, n, dataset.shape);
    planes.clear();
    planes.add(dataset.test, n);
    ASSERT_TRUE((*instance)->begin_image(planes.tile()).ok());
    for (std::uint32_t feature = std::uint32_t(expected.size()); feature-- > 0;) {
      float value = 0;
      ASSERT_TRUE((*instance)->more({&feature, 1}, {&value, 1}).ok());
      ASSERT_EQ(value, expected[feature]) << "feature " << feature << " of " << n;
    }
    ASSERT_TRUE((*instance)->end_image().ok());
  }
}

TEST_F(Films, AreTimedWithThePicturesThatTheyLookBackAt) {
  const auto timings = time_features(std::array{spec}, context(), 0.01);
  ASSERT_TRUE(timings.ok()) << timings.error().message;
  EXPECT_TRUE((*timings)[0].ok()) << (*timings)[0].error().message;
}

TEST_F(Films, OnDemandToo) {
  FamilyInfo info;
  info.spec = spec;
  info.dim = 7;
  const LazyFamily family(info, context());
  for (const Side side : {Side::kTrain, Side::kTest}) {
    const Split& split = side == Side::kTrain ? dataset.train : dataset.test;
    std::vector<float> found(split.num_examples);
    std::vector<std::uint32_t> rows(split.num_examples);
    std::iota(rows.begin(), rows.end(), 0u);
    for (std::uint32_t j = 0; j < info.dim; ++j) {
      family.values(side, {&j, 1}, rows, found.data(), found.size());
      for (std::size_t n = 0; n < found.size(); ++n)
        ASSERT_EQ(found[n], film_features(split, n, dataset.shape)[j]) << "feature " << j << " of " << n;
    }
  }
  // In any order, with repeats and gaps.
  RandomStream random(1, "rows");
  std::vector<std::uint32_t> rows(200), features{0, 3, 4};
  for (std::uint32_t& row : rows) row = std::uint32_t(random.below(dataset.train.num_examples));
  rows[1] = rows[0];
  std::vector<std::uint8_t> codes(features.size() * rows.size());
  family.gather(features, rows, codes.data(), rows.size());
  for (std::size_t i = 0; i < features.size(); ++i)
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const float value = film_features(dataset.train, rows[r], dataset.shape)[features[i]];
      for (std::uint32_t cut = 1; cut <= family.num_cuts(features[i]); ++cut)
        ASSERT_EQ(codes[i * rows.size() + r] >= cut, value >= family.threshold(features[i], cut));
    }
}

TEST_F(Films, ATileBeginsWithWhatItsFirstPictureLooksBackAt) {
  ImagePlanes planes(dataset.shape, 4, 1, 3);
  const Split& train = dataset.train;
  planes.add(train, 100);
  EXPECT_EQ(planes.tile().num_shown, 3u);
  EXPECT_EQ(planes.tile().num_wanted(), 1u);
  EXPECT_EQ(planes.tile().images[0].gray.origin[0], train.image(97, dataset.shape)[0]);
  EXPECT_FALSE(planes.has_room_for(train, 100));
  EXPECT_FALSE(planes.has_room_for(train, 102));
  EXPECT_FALSE(planes.has_room_for(dataset.test, 1));
  EXPECT_TRUE(planes.has_room_for(train, 101));
  EXPECT_TRUE(planes.has_room_for(train, 300)) << "the first of a film";
  planes.add(train, 300);
  EXPECT_FALSE(planes.has_room_for(train, 101));
  planes.add(train, 301);
  planes.add(train, 302);
  EXPECT_TRUE(planes.is_full());
  const ImageTile tile = planes.tile();
  EXPECT_EQ(tile.images.size(), 7u);
  EXPECT_EQ(tile.frames[6].num_before, 1u);
  EXPECT_EQ(tile.frames[6].camera, 1u);
  const ImageTile rest = tile.from(3, 3);
  EXPECT_EQ(rest.num_shown, 1u);
  EXPECT_EQ(rest.images.data(), tile.images.data() + 5);
  EXPECT_EQ(tile.from(0, 1).num_shown, 1u);
}

}  // namespace
}  // namespace mash
