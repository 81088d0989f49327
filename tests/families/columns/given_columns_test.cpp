// SPDX-License-Identifier: Apache-2.0
#include "framework/families/columns/given_columns.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "framework/dataset/split.hpp"
#include "framework/families/extraction.hpp"
#include "framework/families/extraction_plan.hpp"
#include "framework/families/stored_family.hpp"
#include "framework/families/value_extractor.hpp"
#include "tests/support/npy_file.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::numbered_images;

// Row i has the values 10 i and 10 i + 1.
ColumnTable numbered_table(std::size_t num_rows, std::vector<std::string> names = {}) {
  ColumnTable table{num_rows, 2, {}, std::move(names)};
  for (std::size_t i = 0; i < num_rows; ++i)
    table.values.insert(table.values.end(), {float(10 * i), float(10 * i + 1)});
  return table;
}

// The first value of each example.
std::vector<float> first_values(const GivenColumns& columns, const Dataset& dataset) {
  std::vector<float> values;
  for (std::size_t n = 0; n < dataset.train.num_examples + dataset.test.num_examples; ++n)
    values.push_back(columns.row(n)[0]);
  return values;
}

Dataset six_pictures() { return numbered_images({0, 1, 0, 1}, {0, 1}, 2); }

// Pictures that were read from files of these names.
Dataset named_pictures(const std::vector<std::string>& names) {
  Dataset dataset = six_pictures();
  for (const std::string& name : names) dataset.sources.push_back({"/pets/" + name, "", 0, name});
  dataset.train.files = {0, 1, 2, 3};
  dataset.test.files = {4, 5};
  return dataset;
}

std::string refusal_of_match(ColumnTable table, const Dataset& dataset) {
  const auto columns = GivenColumns::match(std::move(table), dataset);
  return columns.ok() ? "" : columns.error().message;
}

TEST(GivenColumns, AreThoseOfAllPicturesInListedOrder) {
  const Dataset dataset = six_pictures();
  const auto columns = GivenColumns::match(numbered_table(6), dataset);
  ASSERT_TRUE(columns.ok()) << columns.error().message;
  EXPECT_EQ(columns->dim(), 2u);
  EXPECT_THAT(first_values(*columns, dataset), ElementsAre(0, 10, 20, 30, 40, 50));
  EXPECT_THAT(columns->row(3), ElementsAre(30, 31));
}

TEST(GivenColumns, StayThoseOfAPictureWhereASplitChooses) {
  Dataset dataset = numbered_images(std::vector<std::uint16_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, {}, 2);
  list_examples(dataset);
  SplitRequest request;
  request.train = .5;
  ASSERT_TRUE(apply_split(request, 3, dataset).ok());
  ASSERT_TRUE(hold_out(.4, 5, dataset).ok()) << "the former test side is left out";
  const auto columns = GivenColumns::match(numbered_table(10), dataset);
  ASSERT_TRUE(columns.ok()) << columns.error().message;
  std::size_t n = 0;
  for (const Split* side : {&dataset.train, &dataset.test})
    for (std::size_t i = 0; i < side->num_examples; ++i, ++n) {
      std::uint32_t number = 0;
      std::memcpy(&number, side->image(i, dataset.shape).data(), sizeof number);
      EXPECT_EQ(columns->row(n)[0], float(10 * number));
    }
  EXPECT_THAT(refusal_of_match(numbered_table(n), dataset),
              HasSubstr(fmt::format(
                  "found {} rows, expected 10, one for each picture that data set numbered lists", n)));
}

TEST(GivenColumns, AreFoundByTheNamesOfPictures) {
  const Dataset dataset = named_pictures({"cat/1", "cat/2", "dog/1", "dog/2", "dog/3", "cat/3"});
  const auto columns = GivenColumns::match(
      numbered_table(8, {"cat/3", "else", "dog/1", "/pets/./dog/2", "cat/1", "cat/2", "dog/3", "more"}),
      dataset);
  ASSERT_TRUE(columns.ok()) << columns.error().message;
  EXPECT_THAT(first_values(*columns, dataset), ElementsAre(40, 50, 20, 30, 60, 0));
}

TEST(GivenColumns, ThatDoNotFitAreRefused) {
  const Dataset named = named_pictures({"cat/1", "cat/2", "dog/1", "dog/2", "dog/3", "cat/3"});
  EXPECT_THAT(refusal_of_match(numbered_table(5), six_pictures()), HasSubstr("found 5 rows, expected 6,"));
  EXPECT_THAT(refusal_of_match(numbered_table(2, {"cat/1", "dog/1"}), named),
              HasSubstr("found no row for the picture 'cat/2' of data set numbered"));
  EXPECT_THAT(
      refusal_of_match(numbered_table(2, {"cat/1", "dog/1"}), six_pictures()),
      HasSubstr("no name is known of training picture 0 of data set numbered; expected a row for each of "
                "its 6 pictures"));
  EXPECT_THAT(refusal_of_match(numbered_table(2), testing::table({1, 2}, {0, 1}, 2)),
              HasSubstr("found a table, data set table, expected pictures"));
}

TEST(GivenColumns, AreKnownByTheirValues) {
  const Dataset dataset = named_pictures({"a", "b", "c", "d", "e", "f"});
  const std::string listed = GivenColumns::match(numbered_table(6), dataset)->sha256();
  EXPECT_EQ(listed.size(), 64u);
  EXPECT_EQ(GivenColumns::match(numbered_table(7, {"a", "b", "c", "d", "e", "f", "g"}), dataset)->sha256(),
            listed)
      << "rows of other pictures do not count";
  EXPECT_NE(GivenColumns::match(numbered_table(6, {"b", "a", "c", "d", "e", "f"}), dataset)->sha256(),
            listed);
  ColumnTable changed = numbered_table(6);
  changed.values[7] += 1;
  EXPECT_NE(GivenColumns::match(std::move(changed), dataset)->sha256(), listed);
}

// A world of pictures with a family of columns beside a computed one.
class ColumnsInTheStore : public ::testing::Test {
 protected:
  void write(const std::vector<float>& values) {
    std::ofstream(world.folder / "own.npy", std::ios::binary) << testing::npy_file("<f4", "(6, 1)", values);
  }
  FeatureSet open() {
    std::vector<FamilySpec> specs = world.specs;
    specs.push_back(given_family("columns:own", world.folder / "own.npy"));
    const Status matched = match_columns(specs, world.dataset);
    if (!matched.ok()) throw std::runtime_error(matched.error().message);
    auto features = FeatureSet::open(specs, world.store, world.context());
    if (!features.ok()) throw std::runtime_error(features.error().message);
    return *std::move(features);
  }

  testing::World world{
      six_pictures(),
      {{"computed", 1, [](std::uint32_t example, std::uint32_t) { return float(example % 3); }}}};
};

TEST_F(ColumnsInTheStore, AreAFamilyOfUnknownCost) {
  write({5, 3, 1, 3, 5, 1});
  const FeatureSet features = open();
  ASSERT_EQ(features.num_families(), 2u);
  const FamilyInfo& columns = features.families()[1];
  EXPECT_EQ(columns.spec.name, "columns:own");
  EXPECT_EQ(columns.dim, 1u);
  EXPECT_TRUE(std::isnan(columns.microseconds_per_image));
  EXPECT_FALSE(columns.lazy);
  EXPECT_THAT(features.columns(Side::kTrain, 1, 1).column(0).codes, ElementsAre(2, 1, 0, 1));
  EXPECT_THAT(features.columns(Side::kTest, 1, 1).column(0).codes, ElementsAre(2, 0));
}

TEST_F(ColumnsInTheStore, AreAnotherFamilyOnceTheFileHasChanged) {
  write({5, 3, 1, 3, 5, 1});
  EXPECT_GT(open().extract_seconds(), 0);
  const FeatureSet again = open();
  EXPECT_EQ(again.extract_seconds(), 0) << "they are in the store";
  EXPECT_TRUE(std::isnan(again.families()[1].microseconds_per_image));
  write({1, 3, 5, 3, 5, 1});
  const FeatureSet changed = open();
  EXPECT_GT(changed.extract_seconds(), 0);
  EXPECT_NE(changed.families()[1].spec.heuristic.plugin_sha256,
            again.families()[1].spec.heuristic.plugin_sha256);
  EXPECT_THAT(changed.columns(Side::kTrain, 1, 1).column(0).codes, ElementsAre(0, 1, 2, 1));
}

TEST_F(ColumnsInTheStore, AreNeverComputed) {
  write({5, 3, 1, 3, 5, 1});
  std::vector<FamilySpec> specs{given_family("columns:own", world.folder / "own.npy")};
  EXPECT_THAT(family_dim(specs[0], world.context()).error().message, HasSubstr("found columns of a file"))
      << "not matched to pictures";
  ASSERT_TRUE(match_columns(specs, world.dataset).ok());
  EXPECT_EQ(*family_dim(specs[0], world.context()), 1u);
  EXPECT_FALSE(is_on_demand(specs[0], 1000, 0, world.dataset)) << "however small the store is";
  EXPECT_FALSE(ValueExtractor::open(world.host, specs[0], world.dataset.shape).ok());
  EXPECT_EQ(store_key(specs[0], world.dataset).find(':'), std::string::npos);
}

}  // namespace
}  // namespace mash
