// SPDX-License-Identifier: Apache-2.0
// Films in workers: what a heuristic sees of them is what it sees in this process.
#include <gmock/gmock.h>

#include "framework/extractors/in_process_host.hpp"
#include "framework/isolation/isolated_host.hpp"
#include "framework/isolation/second_extraction.hpp"
#include "tests/support/box.hpp"
#include "tests/support/film.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kDim = 7;
constexpr double kSound = 0, kFails = 1, kCrashes = 2, kRemembers = 3;  // the plugin's parameter

// A film of 60 pictures and one of 40, as a tile.
class ShownFilms {
 public:
  ShownFilms() : split_(testing::films({60, 40}, kShape, 1)) {}

  void set_pixel(std::size_t example, std::uint8_t value) {
    split_.pixels[example * kShape.num_bytes()] = value;
  }
  ImageTile tile() {
    images_.clear();
    frames_.clear();
    numbers_.clear();
    for (std::uint32_t n = 0; n < split_.num_examples; ++n) {
      const mash_plane_t plane{split_.image(n, kShape).data(), kShape.width, 1};
      images_.push_back({sizeof(mash_image_t), 1, kShape.width, kShape.height, plane, plane, plane, plane});
      frames_.push_back({split_.frames[n].place, split_.frames[n].camera, 0});
      numbers_.push_back(1000 + n);
    }
    return {images_, {&kWhole, 1}, numbers_, frames_};
  }
  std::vector<float> expected() const {
    std::vector<float> all;
    for (std::size_t n = 0; n < split_.num_examples; ++n) {
      const auto features = testing::film_features(split_, n, kShape);
      all.insert(all.end(), features.begin(), features.end());
    }
    return all;
  }

 private:
  static constexpr ImageShape kShape{6, 5, 1, 2};
  static constexpr mash_view_t kWhole{0, 0, kShape.width, kShape.height};
  Split split_;
  std::vector<mash_image_t> images_;
  std::vector<mash_frame_t> frames_;
  std::vector<std::uint32_t> numbers_;
};

// The outcome of each wanted image of a tile, going on behind those that fail.
struct Outcome {
  std::vector<float> values;
  std::vector<std::size_t> failed;
  std::string first_error;
};
Outcome extract_all(HeuristicInstance& instance, const ImageTile& tile) {
  Outcome outcome;
  outcome.values.resize(tile.num_wanted() * kDim, -7);
  for (std::size_t first = 0; first < tile.num_wanted(); ++first) {
    const TileResult result =
        instance.extract(tile.from(first, 3), {}, std::span(outcome.values).subspan(first * kDim));
    first += result.num_done;
    if (result.status.ok()) continue;
    if (outcome.failed.empty()) outcome.first_error = result.status.error().message;
    outcome.failed.push_back(first);
    std::fill_n(outcome.values.begin() + std::ptrdiff_t(first * kDim), kDim, -7.0f);
  }
  return outcome;
}

class FilmsInWorkers : public ::testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    if (GetParam() == Isolation::kBox && !testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  }
  static IsolatedHost new_host() {
    IsolationSettings settings;
    settings.isolation = GetParam();
    return {settings, no_remarks()};
  }

  ShownFilms films_;
  HeuristicInfo info_ = describe_in_process(*read_plugin_file(MASH_FILM))->front();
};

TEST_P(FilmsInWorkers, AreSeenAsInThisProcess) {
  IsolatedHost host = new_host();
  const auto described = host.describe(*read_plugin_file(MASH_FILM));
  ASSERT_TRUE(described.ok());
  EXPECT_EQ(described->front().looks_back, 3u);
  const auto instance = host.open(info_, std::vector{kSound}, 2);
  const ImageTile tile = films_.tile();
  const std::vector<float> expected = films_.expected();
  EXPECT_EQ(extract_all(**instance, tile).values, expected);
  for (const std::size_t first : {1u, 2u, 59u, 60u, 61u, 99u}) {
    std::vector<float> rest((tile.images.size() - first) * kDim);
    ASSERT_TRUE((*instance)->extract(tile.from(first, 3), {}, rest).status.ok());
    EXPECT_EQ(rest, std::vector<float>(expected.begin() + std::ptrdiff_t(first * kDim), expected.end()))
        << "from picture " << first;
  }
}

TEST_P(FilmsInWorkers, APictureThatFailsIsPassedOver) {
  films_.set_pixel(20, 200);
  InProcessHost here{no_remarks()};
  IsolatedHost there = new_host();
  const auto a = here.open(info_, std::vector{kFails}, 2), b = there.open(info_, std::vector{kFails}, 2);
  const Outcome expected = extract_all(**a, films_.tile()), found = extract_all(**b, films_.tile());
  EXPECT_THAT(expected.failed, ::testing::ElementsAre(20));
  EXPECT_EQ(found.failed, expected.failed);
  EXPECT_EQ(found.values, expected.values);
  EXPECT_THAT(found.first_error, HasSubstr("prepare: a picture that it cannot work on"));
}

TEST_P(FilmsInWorkers, APictureThatCrashesCostsThoseThatLookBackAtIt) {
  films_.set_pixel(20, 200);
  IsolatedHost host = new_host();
  const auto instance = host.open(info_, std::vector{kCrashes}, 2);
  const Outcome outcome = extract_all(**instance, films_.tile());
  EXPECT_THAT(outcome.failed, ::testing::ElementsAre(20, 21, 22, 23));
  EXPECT_THAT(outcome.first_error, HasSubstr("prepare, image 1020: "));
  const auto incidents = host.take_incidents();
  ASSERT_EQ(incidents.size(), 4u);
  for (const Incident& incident : incidents) EXPECT_EQ(incident.image, 1020u);
  std::vector<float> expected = films_.expected();
  for (const std::size_t failed : outcome.failed)
    std::fill_n(expected.begin() + std::ptrdiff_t(failed * kDim), kDim, -7.0f);
  EXPECT_EQ(outcome.values, expected);
}

TEST_P(FilmsInWorkers, ASecondExtractionFindsALongerMemory) {
  const ImageTile tile = films_.tile();
  for (const double trouble : {kSound, kRemembers}) {
    IsolatedHost host = new_host(), other = new_host();
    const auto instance = host.open(info_, std::vector{trouble}, 2);
    const auto again = other.open(info_, std::vector{trouble}, 2);
    const Outcome first = extract_all(**instance, tile);
    ASSERT_TRUE(first.failed.empty()) << first.first_error;
    const auto deviation = find_deviation(**again, info_, tile, first.values, 1);
    ASSERT_TRUE(deviation.ok()) << deviation.error().message;
    EXPECT_EQ(deviation->has_value(), trouble == kRemembers);
    if (deviation->has_value()) {
      EXPECT_EQ((*deviation)->feature, 4u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isolations, FilmsInWorkers, ::testing::Values(Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace mash
