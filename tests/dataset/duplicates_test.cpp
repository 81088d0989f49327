// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/duplicates.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "framework/dataset/endless.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// Pictures of one pixel, each with its class.
using Pixels = std::vector<std::pair<std::uint8_t, std::uint16_t>>;

class NoImages final : public EndlessExamples {
 public:
  std::uint16_t label(std::uint32_t) const override { return 0; }
  void render(std::uint32_t, std::span<std::uint8_t>) const override {}
};

Dataset one_pixel_pictures(const Pixels& train, const Pixels& test) {
  Dataset dataset;
  dataset.class_names = {"cat", "dog"};
  dataset.shape = {1, 1, 1};
  for (auto& [side, pixels] : {std::pair(&dataset.train, &train), std::pair(&dataset.test, &test)}) {
    side->num_examples = pixels->size();
    for (const auto& [pixel, label] : *pixels) {
      side->pixels.push_back(pixel);
      side->labels.push_back(label);
    }
  }
  return dataset;
}

std::optional<Duplicates> found_in(const Dataset& dataset) {
  StopFlag never;
  const auto found = find_duplicates(dataset, Workers(2), never);
  EXPECT_TRUE(found.ok());
  return found.ok() ? *found : std::nullopt;
}

TEST(Duplicates, AreCountedOnBothSides) {
  struct Instance {
    const char* what;
    Pixels train, test;
    std::size_t repeated, across_sides, across_classes;
  };
  const Instance instances[]{
      {"all differ", {{1, 0}, {2, 1}}, {{3, 0}}, 0, 0, 0},
      {"twice for training", {{1, 0}, {1, 0}}, {{3, 0}}, 1, 0, 0},
      {"twice for testing", {{1, 0}}, {{3, 0}, {3, 0}}, 1, 0, 0},
      {"on both sides", {{1, 0}, {1, 0}}, {{1, 0}, {2, 1}, {1, 0}}, 3, 2, 0},
      {"in two classes", {{1, 0}, {1, 1}}, {}, 1, 0, 1},
      {"on both sides in two classes", {{1, 0}}, {{1, 1}}, 1, 1, 1},
      {"nothing", {}, {}, 0, 0, 0},
  };
  for (const Instance& instance : instances) {
    const auto found = found_in(one_pixel_pictures(instance.train, instance.test));
    ASSERT_TRUE(found) << instance.what;
    EXPECT_EQ(found->num_repeated, instance.repeated) << instance.what;
    EXPECT_EQ(found->num_across_sides, instance.across_sides) << instance.what;
    EXPECT_EQ(found->num_across_classes, instance.across_classes) << instance.what;
    EXPECT_EQ(warnings_of(*found).size(), (instance.across_sides > 0) + (instance.across_classes > 0));
  }
}

TEST(Duplicates, AreNamed) {
  Dataset dataset = one_pixel_pictures({{7, 0}, {1, 0}}, {{2, 0}, {1, 1}});
  dataset.sources = {{"a/1.png", "", 0}, {"a/2.png", "", 0}, {"b/1.png", "", 0}, {"b/2.png", "", 0}};
  EXPECT_THAT(warnings_of(*found_in(dataset)),
              ElementsAre("1 test example equals a training example, such as test example 2 (class dog) and "
                          "training example 2 (class cat); errors on them say nothing of new examples",
                          "1 example equals one of another class, such as test example 2 (class dog) and "
                          "training example 2 (class cat)"));
  dataset.train.files = {0, 1};
  dataset.test.files = {2, 3};
  EXPECT_EQ(found_in(dataset)->across_sides->first, "test example 2 (class dog, b/2.png)");
  EXPECT_EQ(found_in(dataset)->across_sides->second, "training example 2 (class cat, a/2.png)");
}

TEST(Duplicates, OfATableAreEqualRows) {
  Dataset dataset;
  dataset.class_names = {"no"};
  dataset.column_names = {"x", "y"};
  dataset.train = {3, {}, {1, 2, 2, 1, kMissing, 0}, {0, 0, 0}};
  dataset.test = {2, {}, {-kMissing, -0.f, 1, 2}, {}};
  const auto found = found_in(dataset);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->num_repeated, 2u);
  EXPECT_EQ(found->num_across_sides, 2u);
  EXPECT_EQ(found->num_across_classes, 0u);
  EXPECT_EQ(found->across_sides->first, "test example 1") << "a table that is predicted may have no labels";
}

TEST(Duplicates, AreNotLookedForWhereExamplesNeverEnd) {
  Dataset dataset = one_pixel_pictures({{1, 0}}, {{1, 0}});
  EXPECT_EQ(count_in_words(found_in(dataset)), "1 example equals an earlier one");
  EXPECT_EQ(to_json(found_in(dataset))["across_sides"], 1);
  dataset.train.beyond = std::make_shared<NoImages>();
  EXPECT_FALSE(found_in(dataset));
  EXPECT_THAT(count_in_words(found_in(dataset)), ::testing::HasSubstr("not looked for"));
  EXPECT_TRUE(to_json(found_in(dataset)).is_null());
}

}  // namespace
}  // namespace mash
