// SPDX-License-Identifier: Apache-2.0
// The features of an image piece by piece: one order of calls, wherever the heuristic runs.
#include <gmock/gmock.h>

#include <deque>

#include "framework/extractors/in_process_host.hpp"
#include "framework/isolation/isolated_host.hpp"
#include "tests/support/box.hpp"
#include "tests/support/film.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

constexpr ImageShape kShape{6, 5, 1, 2};
constexpr mash_view_t kPieceView{0, 0, kShape.width, kShape.height};
constexpr std::uint32_t kPieceDim = 7;
constexpr double kPieceSound = 0, kPieceFails = 1, kPieceCrashes = 2;  // the plugin's parameter

std::string refusal(const Status& status) {
  if (status.ok()) return "";
  EXPECT_EQ(status.error().kind, ErrorKind::kFailure);
  return status.error().message;
}

class PieceByPiece : public ::testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    if (GetParam() == Isolation::kBox && !testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  }
  std::unique_ptr<HeuristicInstance> open(double trouble) {
    if (GetParam() == Isolation::kNone) {
      host_ = std::make_unique<InProcessHost>(no_remarks());
    } else {
      IsolationSettings settings;
      settings.isolation = GetParam();
      host_ = std::make_unique<IsolatedHost>(settings, no_remarks());
    }
    const HeuristicInfo info = describe_in_process(*read_plugin_file(MASH_FILM))->front();
    auto opened = host_->open(info, std::vector{trouble}, kShape.num_cameras);
    EXPECT_TRUE(opened.ok());
    return *std::move(opened);
  }
  // One of the pictures, each the first of a film of its own.
  ImageTile tile(std::size_t picture) {
    const mash_plane_t plane{split_.image(picture, kShape).data(), kShape.width, 1};
    images_.push_back({sizeof(mash_image_t), 1, kShape.width, kShape.height, plane, plane, plane, plane});
    return {{&images_.back(), 1}, {&kPieceView, 1}, {}, {&first_, 1}};
  }
  // The features of that picture, one after the other, and then all at once: as they are by hand.
  void expect_all_is_well(HeuristicInstance& instance, std::size_t picture) {
    const auto expected = testing::film_features(split_, picture, kShape);
    std::vector<float> values(kPieceDim), all(kPieceDim);
    ASSERT_TRUE(instance.begin_image(tile(picture)).ok());
    for (std::uint32_t i = 0; i < kPieceDim; ++i) ASSERT_TRUE(instance.more({&i, 1}, {&values[i], 1}).ok());
    ASSERT_TRUE(instance.end_image().ok());
    EXPECT_EQ(values, expected);
    ASSERT_TRUE(instance.extract(tile(picture), {}, all).status.ok());
    EXPECT_EQ(all, expected);
  }

  Split split_ = testing::films({1, 1, 1}, kShape, 1);
  std::deque<mash_image_t> images_;
  const mash_frame_t first_{0, 0, 0};
  std::unique_ptr<HeuristicHost> host_;
};

TEST_P(PieceByPiece, AnotherOrderOfCallsIsRefusedAndChangesNothing) {
  const auto instance = open(kPieceSound);
  std::vector<float> all(kPieceDim);
  float value = -7;
  const std::uint32_t feature = 0;
  EXPECT_THAT(refusal(instance->more({&feature, 1}, {&value, 1})),
              HasSubstr("illegal more: no image is begun, expected begin_image first"));
  EXPECT_THAT(refusal(instance->end_image()), HasSubstr("illegal end_image: no image is begun"));
  ASSERT_TRUE(instance->begin_image(tile(0)).ok());
  EXPECT_THAT(refusal(instance->begin_image(tile(1))),
              HasSubstr("illegal begin_image: an image is begun, expected end_image first"));
  const TileResult extracted = instance->extract(tile(1), {}, all);
  EXPECT_EQ(extracted.num_done, 0u);
  EXPECT_THAT(refusal(extracted.status), HasSubstr("illegal extract: an image is begun"));
  EXPECT_EQ(*instance->dim({kShape.width, kShape.height}), kPieceDim) << "dim is legal at any time";
  ASSERT_TRUE(instance->more({&feature, 1}, {&value, 1}).ok());
  EXPECT_EQ(value, testing::film_features(split_, 0, kShape)[0]) << "of the image that was begun";
  ASSERT_TRUE(instance->end_image().ok());
  EXPECT_THAT(refusal(instance->end_image()), HasSubstr("illegal end_image"));
  expect_all_is_well(*instance, 1);
}

TEST_P(PieceByPiece, TakesOneImage) {
  const auto instance = open(kPieceSound);
  (void)tile(0);
  ImageTile none = tile(1);
  none.num_shown = 1;
  EXPECT_THAT(refusal(instance->begin_image(none)), HasSubstr("found 0 wanted images, expected 1"));
  expect_all_is_well(*instance, 1);
}

TEST_P(PieceByPiece, AfterAPieceThatFailsTheImageIsStillBegun) {
  const auto instance = open(kPieceSound);
  ASSERT_TRUE(instance->begin_image(tile(0)).ok());
  float value = -7;
  std::uint32_t feature = kPieceDim;
  EXPECT_FALSE(instance->more({&feature, 1}, {&value, 1}).ok()) << "no feature of that number";
  EXPECT_FALSE(instance->begin_image(tile(1)).ok());
  feature = 6;
  ASSERT_TRUE(instance->more({&feature, 1}, {&value, 1}).ok());
  EXPECT_EQ(value, 2) << "cameras";
  ASSERT_TRUE(instance->end_image().ok());
  expect_all_is_well(*instance, 1);
}

TEST_P(PieceByPiece, AnImageThatFailsLeavesItUsable) {
  split_.pixels[0] = 200;
  const auto instance = open(kPieceFails);
  float value = -7;
  const std::uint32_t feature = 0;
  const Status begun = instance->begin_image(tile(0));
  EXPECT_EQ(begun.ok(), GetParam() != Isolation::kNone) << "a worker is shown the image for each piece";
  const Status failed = begun.ok() ? instance->more({&feature, 1}, {&value, 1}) : begun;
  ASSERT_FALSE(failed.ok());
  EXPECT_THAT(failed.error().message, HasSubstr("prepare: a picture that it cannot work on"));
  EXPECT_EQ(instance->end_image().ok(), begun.ok()) << "a begin_image that fails has begun nothing";
  expect_all_is_well(*instance, 1);
}

// In this process it would end the test.
class PieceByPieceApart : public PieceByPiece {};

TEST_P(PieceByPieceApart, GoesOnAfterOneThatEndsItsWorker) {
  split_.pixels[0] = 200;
  const auto instance = open(kPieceCrashes);
  float value = -7;
  const std::uint32_t feature = 0;
  ASSERT_TRUE(instance->begin_image(tile(0)).ok());
  for (int tries = 0; tries < 2; ++tries) EXPECT_FALSE(instance->more({&feature, 1}, {&value, 1}).ok());
  ASSERT_TRUE(instance->end_image().ok());
  EXPECT_EQ(host_->take_incidents().size(), 2u);
  expect_all_is_well(*instance, 1);
}

INSTANTIATE_TEST_SUITE_P(Isolations, PieceByPiece,
                         ::testing::Values(Isolation::kNone, Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });
INSTANTIATE_TEST_SUITE_P(Isolations, PieceByPieceApart,
                         ::testing::Values(Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace mash
