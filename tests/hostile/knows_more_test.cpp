// SPDX-License-Identifier: Apache-2.0
// Heuristics that know more than the picture, or fill the store, beside a good one: each is left out with its
// sentence, nothing of it is kept, and the good one has what it has alone.
#include <gmock/gmock.h>

#include <filesystem>

#include "framework/base/random.hpp"
#include "framework/base/settings.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/isolation/plugin_access.hpp"
#include "tests/support/box.hpp"
#include "tests/support/places.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Knowing {
  const char* what;
  const char* sentence;  // empty: it stays
};
constexpr const char* kNotEqual = "its features are not the same when they are computed again";
constexpr Knowing kKnowing[] = {
    {"the-picture", ""},
    {"the-count", kNotEqual},
    {"the-count-at-times", kNotEqual},
    {"the-count-later", kNotEqual},
    {"the-last-picture", kNotEqual},
    {"dice", kNotEqual},
    {"dice-at-times", kNotEqual},
    {"the-time", kNotEqual},
    {"fill-the-store", "its 200000 features of 1000 pictures take "},
    {"fill-all", "its 16777216 features of 1000 pictures take "},
};

// Noise, class after class.
Dataset noise() {
  Dataset dataset;
  dataset.name = dataset.fingerprint = "noise";
  dataset.class_names = {"a", "b"};
  dataset.shape = {8, 8, 1};
  RandomStream random(1, "noise");
  for (Split* split : {&dataset.train, &dataset.test}) {
    split->num_examples = split == &dataset.train ? 800 : 200;
    for (std::size_t n = 0; n < split->num_examples; ++n)
      split->labels.push_back(n < split->num_examples / 2 ? 0 : 1);
    for (std::size_t i = 0; i < split->num_examples * dataset.shape.num_bytes(); ++i)
      split->pixels.push_back(std::uint8_t(random.below(256)));
  }
  return dataset;
}

class KnowsMore : public ::testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    if (GetParam() == Isolation::kBox && !testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  }
  static FamilySpec spec_of(const HeuristicInfo& info) {
    FamilySpec spec;
    spec.name = info.id;
    spec.heuristic = info;
    for (const ParameterInfo& parameter : info.parameters) spec.values.push_back(parameter.default_value);
    return spec;
  }
  Result<FeatureSet> open(std::span<const FamilySpec> specs, const fs::path& folder) {
    StoreSettings settings;
    settings.folder = folder;
    settings.family_limit = std::uint64_t(256) << 20;
    return FeatureSet::open(specs, settings, {catalogue_.host(), dataset_, testing::quiet_work()});
  }
  static std::vector<std::vector<std::uint8_t>> codes(const FeatureSet& features, std::uint32_t count) {
    std::vector<std::vector<std::uint8_t>> codes;
    for (std::uint32_t j = 0; j < count; ++j)
      for (const Side side : {Side::kTrain, Side::kTest}) {
        const FeatureColumn column = features.column(side, j);
        codes.emplace_back(column.codes.begin(), column.codes.end());
      }
    return codes;
  }

  testing::ScratchFolder folder_;
  Dataset dataset_ = noise();
  Catalogue catalogue_{access_to_plugins(IsolationSettings{.isolation = GetParam()}, testing::quiet_work())};
};

TEST_P(KnowsMore, IsLeftOutAndCostsNobodyAnything) {
  const fs::path plugins = MASH_HOSTILE_DIR;
  ASSERT_TRUE(catalogue_.add(plugins / "knows_more.so").ok());
  ASSERT_TRUE(catalogue_.add(testing::binary_folder() + "/heuristics/grayscale.so").ok());
  const FamilySpec good = spec_of(**catalogue_.find("grayscale"));
  FamilySpec stranger = spec_of(**catalogue_.find("knows-more"));
  const auto alone = open({&good, 1}, folder_ / "alone");
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  const std::vector<std::string>& choices = stranger.heuristic.parameters[0].choices;
  for (const Knowing& knowing : kKnowing) {
    const auto choice = std::ranges::find(choices, knowing.what) - choices.begin();
    stranger.values = {double(choice)};
    stranger.settings = knowing.what;
    const FamilySpec specs[] = {good, stranger};
    const fs::path store = folder_ / knowing.what;
    const auto features = open(specs, store);
    ASSERT_TRUE(features.ok()) << features.error().message;
    EXPECT_TRUE(codes(*features, 64) == codes(*alone, 64)) << knowing.what;
    std::size_t num_kept = 0;
    for (const auto& entry : fs::recursive_directory_iterator(store)) {
      num_kept += entry.path().filename() == "codes.mash";
      EXPECT_NE(entry.path().filename(), "values.part") << knowing.what;
    }
    const bool stays = std::string(knowing.sentence).empty();
    EXPECT_EQ(num_kept, stays ? 2u : 1u) << knowing.what;
    ASSERT_EQ(features->left_out().size(), stays ? 0u : 1u) << knowing.what;
    if (stays) continue;
    EXPECT_THAT(features->left_out()[0].reason, HasSubstr(knowing.sentence)) << knowing.what;
  }
}

INSTANTIATE_TEST_SUITE_P(Isolations, KnowsMore, ::testing::Values(Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace mash
