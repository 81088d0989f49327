// SPDX-License-Identifier: Apache-2.0
#include "framework/families/feature_set.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "framework/base/cpu_watch.hpp"
#include "framework/families/extraction_plan.hpp"
#include "framework/families/lazy_family.hpp"
#include "tests/support/heard_progress.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::World;

float value_of(std::uint32_t example, std::uint32_t feature_idx) {
  if ((example + feature_idx) % 37 == 0) return std::numeric_limits<float>::quiet_NaN();
  return float((example * (2 * feature_idx + 3)) % (50 + 40 * feature_idx));
}
float other_value(std::uint32_t example, std::uint32_t feature_idx) {
  return value_of(example, feature_idx) * 0.5f - 3;
}

std::vector<FakeFamily> three_families() {
  return {{"a", 3, value_of}, {"b", 1, other_value}, {"c", 12, [](std::uint32_t n, std::uint32_t j) {
                                                        return value_of(n + 1, j);
                                                      }}};
}

Dataset examples(std::size_t num_train = 700, std::size_t num_test = 100) {
  return testing::numbered_images(std::vector<std::uint16_t>(num_train), std::vector<std::uint16_t>(num_test),
                                  2);
}

TEST(FeatureSet, NumbersTheFamiliesOneAfterTheOther) {
  const World world(examples(), three_families());
  const FeatureSet& set = world.features();
  EXPECT_EQ(set.num_families(), 3u);
  EXPECT_EQ(set.num_features(), 16u);
  EXPECT_EQ(set.num_train(), 700u);
  EXPECT_EQ(set.num_test(), 100u);
  std::uint32_t feature = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(set.first_feature(k), feature);
    for (std::uint32_t j = 0; j < set.family_size(k); ++j, ++feature) {
      EXPECT_EQ(set.family_of(feature), k);
      EXPECT_EQ(set.index_in_family(feature), j);
    }
  }
  EXPECT_EQ(set.families()[1].spec.name, "b");
  EXPECT_GT(set.extract_seconds(), 0);
}

TEST(FeatureSet, ASubsetShowsSomeFamiliesOfTheSameFiles) {
  World world(examples(), three_families());
  world.host.forget_images();
  const FeatureSet& all = world.features();
  const FeatureSet some = all.subset(std::vector<std::size_t>{0, 2});
  EXPECT_EQ(world.host.num_images, 0u);
  ASSERT_EQ(some.num_families(), 2u);
  EXPECT_EQ(some.num_features(), 15u);
  EXPECT_EQ(some.families()[1].spec.name, "c");
  EXPECT_EQ(some.num_train(), all.num_train());
  EXPECT_EQ(some.num_test(), all.num_test());
  EXPECT_EQ(some.extract_seconds(), 0);
  for (std::uint32_t j = 0; j < 12; ++j) {
    const std::uint32_t here = some.first_feature(1) + j, there = all.first_feature(2) + j;
    EXPECT_EQ(some.column(Side::kTest, here).codes.data(), all.column(Side::kTest, there).codes.data());
    EXPECT_EQ(some.num_cuts(here), all.num_cuts(there));
  }
}

TEST(FeatureSet, ASubsetCountsItsDistinctFeaturesAnew) {
  const World world(examples(), {{"a", 3, value_of}, {"copy-of-a", 3, value_of}});
  EXPECT_EQ(world.features().families()[1].num_distinct, 0u);
  EXPECT_EQ(world.features().subset(std::vector<std::size_t>{1}).num_distinct(), 3u);
  EXPECT_EQ(world.features().num_distinct(), 3u);
}

TEST(FeatureSet, ColumnsAreTheCodesOfTheValues) {
  const World world(examples(), three_families());
  const FeatureSet& set = world.features();
  for (std::uint32_t j = 0; j < 12; ++j) {
    const std::uint32_t feature = set.first_feature(2) + j;
    const auto column = set.column(Side::kTest, feature).codes;
    for (std::uint32_t n = 0; n < 100; ++n)
      for (std::uint32_t cut = 1; cut <= set.num_cuts(feature); ++cut)
        ASSERT_EQ(column[n] >= cut, value_of(701 + n, j) >= set.threshold(feature, cut));
  }
}

TEST(FeatureSet, OneBarIsOverAllThatTheStoreLacks) {
  World world(examples(), {three_families()[0]});  // the first family is in the store
  for (const FakeFamily& family : {three_families()[1], three_families()[2]})
    world.specs.push_back(world.host.add(family));
  testing::HeardProgress heard;
  testing::HeardRemarks remarks;
  const ExtractionContext context{world.host, world.dataset, {world.workers, heard, remarks, world.stop}};
  ASSERT_TRUE(FeatureSet::open(world.specs, world.store, context).ok());
  EXPECT_THAT(heard.tasks, ::testing::ElementsAre("extracting"));
  EXPECT_THAT(heard.notes,
              ::testing::ElementsAre(world.specs[1].name + " (1 of 2)", world.specs[2].name + " (2 of 2)"));
  EXPECT_EQ(heard.done, heard.total);
  EXPECT_GT(heard.total, 0u);
  EXPECT_EQ(heard.num_finished, 1u);
  EXPECT_TRUE(remarks.told.empty()) << "it takes no time worth a remark";

  ASSERT_TRUE(FeatureSet::open(world.specs, world.store, context).ok());
  EXPECT_EQ(heard.tasks.size(), 1u) << "all is in the store";
}

// Its cost is known beforehand where there is much to do.
TEST(ExtractionPlan, EstimatesWhatTheStoreLacks) {
  constexpr std::uint32_t kNumImages = 800;
  World world(examples(), {three_families()[0]});
  world.specs.push_back(
      world.host.add({"large", 50'000, [](std::uint32_t n, std::uint32_t) { return float(n); }}));
  const ExtractionPlan plan(world.specs, world.store, world.context());
  EXPECT_EQ(plan.num_missing(), 1u);
  EXPECT_EQ(plan.steps(0), 0u) << "in the store";
  EXPECT_EQ(plan.total_steps(), plan.steps(1));
  ASSERT_TRUE(plan.seconds());
  EXPECT_GT(*plan.seconds(), 1e-8 * 50'000 * kNumImages) << "its values are written, too";
  world.store.limit = 1000;
  EXPECT_EQ(ExtractionPlan(world.specs, world.store, world.context()).num_missing(), 0u)
      << "computed on demand";
}

// A heuristic that makes tables at its first picture: they are made once, and not for each picture.
TEST(ExtractionPlan, CountsASetUpOnce) {
  constexpr double kSetUp = .2;  // processor seconds
  World world(examples(), {three_families()[0]});
  world.specs.push_back(
      world.host.add({"tables", 50'000, [](std::uint32_t n, std::uint32_t) { return float(n); }}));
  std::atomic<bool> has_tables{false};
  world.host.before_image = [&](std::uint32_t) -> Status {
    const CpuWatch watch(CpuWatch::Whose::kThread);
    while (!has_tables && watch.seconds() < kSetUp) continue;
    has_tables = true;
    return Done{};
  };
  const ExtractionCost cost = measure_cost(world.specs[1], 50'000, world.context());
  EXPECT_GE(cost.setup_seconds, kSetUp * .9);
  EXPECT_LT(cost.microseconds, 1e6 * kSetUp / 2) << "of 64 pictures one had the set-up";
  has_tables = false;
  const ExtractionPlan plan(world.specs, world.store, world.context());
  EXPECT_EQ(plan.setup_seconds(0), 0) << "in the store";
  EXPECT_GE(plan.setup_seconds(1), kSetUp * .9);
  EXPECT_GE(*plan.seconds(), plan.setup_seconds(1));
  EXPECT_GE(double(plan.steps(1)), 1000 * kSetUp * .9) << "its share in the bar";
}

TEST(FeatureSet, GatherAcrossFamiliesEqualsTheColumns) {
  for (const bool lazy : {false, true}) {
    World world(examples(), three_families());
    world.store.limit = lazy ? 10000 : ~std::uint64_t(0);
    const auto set = FeatureSet::open(world.specs, world.store, world.context());
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(std::ranges::any_of(set->families(), &FamilyInfo::lazy), lazy);
    const std::vector<std::uint32_t> features{1, 2, 3, 5, 9, 15};
    std::vector<std::uint32_t> rows;
    for (std::uint32_t n = 3; n < 700; n += 11) rows.push_back(n);
    const std::size_t stride = rows.size() + 1;
    std::vector<std::uint8_t> codes(features.size() * stride);
    set->gather(features, rows, codes.data(), stride);
    for (std::size_t i = 0; i < features.size(); ++i)
      for (std::size_t r = 0; r < rows.size(); ++r)
        ASSERT_EQ(codes[i * stride + r], set->column(Side::kTrain, features[i]).codes[rows[r]]) << lazy;
  }
}

TEST(FeatureSet, SkipsTheCodeThatMostExamplesHave) {
  const World world(
      examples(),
      {{"skewed", 2, [](std::uint32_t n, std::uint32_t j) { return float(n % (j == 0 ? 2 : 10) == 0); }}});
  EXPECT_EQ(world.features().skip_code(0, 0.6), FeatureSet::kNoSkip);
  EXPECT_EQ(world.features().skip_code(1, 0.6), 0u);
  EXPECT_EQ(world.features().skip_code(1, 0.95), FeatureSet::kNoSkip);
}

TEST(FeatureSet, CountsCopiesAndConstantsOut) {
  const auto copy = [](std::uint32_t n, std::uint32_t) { return value_of(n, 0); };
  const World world(examples(), {{"a", 3, value_of},
                                 {"constant", 4, [](std::uint32_t, std::uint32_t) { return 1.f; }},
                                 {"copies", 5, copy}});
  EXPECT_EQ(world.features().families()[0].num_distinct, 3u);
  EXPECT_EQ(world.features().families()[1].num_distinct, 0u);
  EXPECT_EQ(world.features().families()[2].num_distinct, 0u);
  EXPECT_EQ(world.features().num_distinct(), 3u);
}

TEST(FeatureSet, ErrorsNameTheHeuristic) {
  World world(examples(), three_families());
  world.host.before_image = [](std::uint32_t) -> Status { return input_error("broken"); };
  world.store.folder = world.folder / "other";
  const auto set = FeatureSet::open(world.specs, world.store, world.context());
  ASSERT_FALSE(set.ok());
  EXPECT_THAT(set.error().message,
              ::testing::AllOf(::testing::HasSubstr("heuristic a"), ::testing::HasSubstr("broken")));
}

// The first family fails on every image, and nobody asked for it by name.
class FoundFamily : public ::testing::Test {
 protected:
  FoundFamily() {
    world.store.folder = world.folder / "other";
    world.host.add({"a", 3, [](std::uint32_t, std::uint32_t) -> float {
                      return std::numeric_limits<float>::quiet_NaN();
                    }});
    world.store.strict = true;
    for (FamilySpec& spec : world.specs) spec.named = false;
  }
  Result<FeatureSet> open() { return FeatureSet::open(world.specs, world.store, world.context()); }
  // No value of these families is missing.
  static std::vector<FakeFamily> sound_families() {
    const auto value = [](std::uint32_t n, std::uint32_t j) { return float(n % (j + 2)); };
    return {{"a", 3, value}, {"b", 1, value}, {"c", 12, value}};
  }
  World world{examples(), sound_families()};
};

TEST_F(FoundFamily, IsLeftOutWithAReason) {
  const auto set = open();
  ASSERT_TRUE(set.ok()) << set.error().message;
  ASSERT_EQ(set->num_families(), 2u);
  EXPECT_EQ(set->families()[0].spec.name, "b");
  EXPECT_EQ(set->num_features(), 13u);
  EXPECT_EQ(set->first_feature(1), 1u);
  ASSERT_EQ(set->left_out().size(), 1u);
  EXPECT_EQ(set->left_out()[0].heuristic, "a");
  EXPECT_THAT(set->left_out()[0].reason, ::testing::HasSubstr("heuristic a"));
  std::vector<std::uint8_t> codes(1);
  const std::uint32_t feature = 12, row = 5;
  set->gather({&feature, 1}, {&row, 1}, codes.data(), 1);
  EXPECT_EQ(codes[0], set->column(Side::kTrain, 12).codes[5]);
}

TEST_F(FoundFamily, IsAnErrorWhereTheUserNamedIt) {
  world.specs[0].named = true;
  const auto set = open();
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().kind, ErrorKind::kInput);
  EXPECT_THAT(set.error().message, ::testing::HasSubstr("heuristic a"));
}

// One rule for all that a heuristic does wrong, in any call; what it refuses is a mistake of who named it.
TEST(MustBeThere, IsWhatRefusesAndIsNamed) {
  struct Row {
    const char* error;
    bool is_left_out;  // also where it is named
  };
  constexpr Row kRows[] = {{"heuristic 'a': dim: unsupported: the view is too small", false},
                           {"heuristic a(cell=9): heuristic 'a': create: unsupported: a cell of 9", false},
                           {"heuristic 'a': dim: returned 0 features", true},
                           {"heuristic 'a': dim: let an exception out: unsupported: by itself", true},
                           {"heuristic 'a': prepare: unsupported: a size that dim took", true},
                           {"heuristic 'a': dim: signal 11 (SEGV)", true},
                           {"heuristic 'a': load: signal 6 (ABRT)", true}};
  FamilySpec named, found;
  found.named = false;
  named.named = true;
  for (const Row& row : kRows) {
    const Error error{ErrorKind::kInput, row.error};
    EXPECT_EQ(must_be_there(named, error, false), !row.is_left_out) << row.error;
    EXPECT_TRUE(must_be_there(named, error, true)) << row.error;
    EXPECT_FALSE(must_be_there(found, error, true)) << row.error;
  }
}

TEST_F(FoundFamily, IsAnErrorWhereNoOtherIsLeft) {
  world.specs.resize(1);
  const auto set = open();
  ASSERT_FALSE(set.ok());
  EXPECT_THAT(set.error().message, ::testing::AllOf(::testing::HasSubstr("no heuristic is left"),
                                                    ::testing::HasSubstr("heuristic a")));
}

TEST_F(FoundFamily, ThatWasStoppedIsNotLeftOut) {
  world.stop.raise();
  const auto set = open();
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().kind, ErrorKind::kStopped);
}

TEST(FeatureSet, ReadsColumnsOfTables) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  World world(testing::table({1, 5, 2, nan, 3, 7}, {0, 0, 1}, 2, {2.4f, 6}, {1}), 1, true);
  const FeatureSet& set = world.features();
  EXPECT_EQ(set.num_features(), 2u);
  EXPECT_EQ(set.families()[0].num_faults, 0u) << "a missing value of a table is no fault";
  EXPECT_THAT(set.column(Side::kTrain, 0).codes, ::testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(set.column(Side::kTrain, 1).codes, ::testing::ElementsAre(1, 0, 2));
  EXPECT_THAT(set.column(Side::kTest, 0).codes, ::testing::ElementsAre(1));
  EXPECT_EQ(set.threshold(0, 1), 1.5f);
  std::vector<float> values(3);
  set.values(Side::kTrain, 0, values);
  EXPECT_THAT(values, ::testing::ElementsAre(1, 2, 3));
}

class Lazy : public ::testing::Test {
 protected:
  Lazy() { world.store.limit = 0; }
  FeatureSet open() {
    auto set = FeatureSet::open(world.specs, world.store, world.context());
    EXPECT_TRUE(set.ok());
    return *std::move(set);
  }
  World world{examples(), three_families(), 2};
};

TEST_F(Lazy, OpensWithALookAtAFewImages) {
  world.host.forget_images();
  const FeatureSet set = open();
  EXPECT_LE(world.host.num_images, (1 + kMostTimed) * set.num_families());
  for (const FamilyInfo& family : set.families()) {
    EXPECT_TRUE(family.lazy);
    EXPECT_GT(family.microseconds_per_image, 0);
  }
  EXPECT_EQ(set.extract_seconds(), 0);
}

// More features than have their thresholds kept.
TEST(LazyFamily, ChoosesThresholdsAnewThatItForgot) {
  World world(examples(4, 1), {{"many", LazyFamily::kThresholdsKept + 3,
                                [](std::uint32_t n, std::uint32_t j) { return float(n * (j + 1)); }}});
  world.store.limit = 0;
  const auto set = FeatureSet::open(world.specs, world.store, world.context());
  ASSERT_TRUE(set.ok());
  std::vector<float> first;
  for (int time = 0; time < 2; ++time) {
    world.host.forget_images();
    for (std::uint32_t feature = 0; feature < set->num_features(); ++feature) {
      if (time == 0) first.push_back(set->threshold(feature, 1));
      ASSERT_EQ(set->threshold(feature, 1), first[feature]);
    }
    EXPECT_GT(world.host.num_images, 0u) << time;
  }
  EXPECT_EQ(first[9], 5);
}

TEST_F(Lazy, GivesTheCodesOfTheStoreWhereItLooksAtAllExamples) {
  ASSERT_LE(world.dataset.train.num_examples, LazyFamily::kThresholdExamples);
  const FeatureSet lazy = open();
  for (std::uint32_t feature = 0; feature < lazy.num_features(); ++feature) {
    ASSERT_EQ(lazy.num_cuts(feature), world.features().num_cuts(feature));
    for (std::uint32_t cut = 1; cut <= lazy.num_cuts(feature); ++cut)
      ASSERT_EQ(lazy.threshold(feature, cut), world.features().threshold(feature, cut));
    for (const Side side : {Side::kTrain, Side::kTest})
      ASSERT_TRUE(
          std::ranges::equal(lazy.column(side, feature).codes, world.features().column(side, feature).codes));
  }
}

// Images are looked at once for all columns that are asked for next, and once for their thresholds.
TEST_F(Lazy, ComputesTogetherWhatIsAskedForNext) {
  const FeatureSet lazy = open();
  for (const Side side : {Side::kTest, Side::kTrain}) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t feature = 0; feature < lazy.num_features(); feature += 3) wanted.push_back(feature);
    wanted.resize(std::min(wanted.size(), FeatureSet::kComputedTogether));
    world.host.forget_images();
    lazy.compute_together(side, wanted);
    const std::size_t num_examples = side == Side::kTrain ? lazy.num_train() : lazy.num_test();
    const std::size_t for_thresholds = side == Side::kTest ? lazy.num_train() : 0;  // known by then
    EXPECT_LE(world.host.num_images, lazy.num_families() * (num_examples + for_thresholds));
    EXPECT_GE(world.host.num_images, num_examples);
    world.host.forget_images();
    for (const std::uint32_t feature : wanted)
      ASSERT_TRUE(
          std::ranges::equal(lazy.column(side, feature).codes, world.features().column(side, feature).codes));
    EXPECT_EQ(world.host.num_images, 0u);
  }
}

TEST_F(Lazy, ComputesOnlyWhatIsAskedFor) {
  const FeatureSet set = open();
  set.num_cuts(4);  // thresholds of the feature: every training example
  world.host.forget_images();
  const std::vector<std::uint32_t> rows{1, 5, 300};
  const std::uint32_t feature = 4;
  std::vector<std::uint8_t> codes(3);
  set.gather({&feature, 1}, rows, codes.data(), 3);
  EXPECT_EQ(world.host.num_values, 3u);
  EXPECT_EQ(world.host.num_distinct_images(), 3u);
}

TEST_F(Lazy, KeepsTheColumnsUsedLast) {
  const FeatureSet set = open();
  const auto codes = set.column(Side::kTrain, 2).codes.size();
  EXPECT_EQ(codes, 700u);
  EXPECT_EQ(set.column(Side::kTest, 2).codes.size(), 100u);
  world.host.forget_images();
  set.column(Side::kTrain, 2);
  set.column(Side::kTest, 2);
  EXPECT_EQ(world.host.num_images, 0u);
}

TEST_F(Lazy, AColumnOutlivesItsPlaceAmongThem) {
  World wide(examples(), {{"wide", 200, value_of}});
  wide.store.limit = 0;
  const auto set = FeatureSet::open(wide.specs, wide.store, wide.context());
  ASSERT_TRUE(set.ok());
  const FeatureColumn kept = set->column(Side::kTrain, 0);
  for (std::uint32_t feature = 1; feature < 200; ++feature) set->column(Side::kTrain, feature);
  EXPECT_TRUE(std::ranges::equal(kept.codes, wide.features().column(Side::kTrain, 0).codes));
}

TEST_F(Lazy, ThresholdsComeFromASampleOfManyExamples) {
  World large(examples(5000, 10), {{"large", 2, [](std::uint32_t n, std::uint32_t) { return float(n); }}});
  large.store.limit = 0;
  const auto set = FeatureSet::open(large.specs, large.store, large.context());
  ASSERT_TRUE(set.ok());
  large.host.forget_images();
  EXPECT_EQ(set->num_cuts(0), 255u);
  EXPECT_EQ(large.host.num_images, LazyFamily::kThresholdExamples);
  EXPECT_EQ(set->skip_code(0, 0.6), FeatureSet::kNoSkip);
}

TEST_F(Lazy, CountsTheFaultsThatItMeets) {
  const FeatureSet set = open();
  EXPECT_EQ(set.families_with_faults()[0].num_faults, 0u) << "nothing was computed yet";
  std::uint64_t expected = 0;
  for (std::uint32_t n = 0; n < 100; ++n) expected += std::isnan(value_of(700 + n, 1));
  std::vector<float> values(100);
  set.values(Side::kTest, 1, values);
  const auto families = set.families_with_faults();
  EXPECT_EQ(families[0].num_faults, expected);
  ASSERT_FALSE(families[0].first_faults.empty());
  EXPECT_THAT(families[0].first_faults[0].message, ::testing::HasSubstr("feature 1 of image "));
  EXPECT_FALSE(check_strict(families[0]).ok());
  EXPECT_TRUE(check_strict(families[1]).ok());
}

// An image that the heuristic fails on costs its own values alone, wherever it lies in its tile.
TEST_F(Lazy, GoesOnBehindAnImageThatFails) {
  const FeatureSet set = open();
  const auto fails = [](std::uint32_t example) {
    return example == 700 || example == 716 || example == 717 || example == 799;
  };
  world.host.before_image = [&](std::uint32_t example) -> Status {
    if (fails(example)) return input_error("cannot look at this");
    return Done{};
  };
  std::vector<float> values(100);
  set.values(Side::kTest, 0, values);
  std::uint64_t num_missing = 0;
  for (std::uint32_t n = 0; n < 100; ++n) {
    const float expected = value_of(700 + n, 0);
    if (fails(700 + n) || std::isnan(expected))
      EXPECT_TRUE(std::isnan(values[n])) << n;
    else
      EXPECT_EQ(values[n], expected) << n;
    num_missing += std::isnan(values[n]);
  }
  EXPECT_EQ(set.families_with_faults()[0].num_faults, num_missing);
}

TEST_F(Lazy, TheLimitIsSharedInOrder) {
  const std::uint64_t size_a = family_file_size({3, 700, 100});
  world.store.limit = size_a + 10;
  const FeatureSet set = open();
  EXPECT_FALSE(set.families()[0].lazy);
  EXPECT_TRUE(set.families()[1].lazy);
  EXPECT_TRUE(set.families()[2].lazy);
}

}  // namespace
}  // namespace mash
