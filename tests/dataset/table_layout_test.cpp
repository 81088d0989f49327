// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/table_layout.hpp"

#include <fmt/ranges.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/dataset/data_files.hpp"
#include "tests/support/generated_table.hpp"

namespace mash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::expect_input_error;
using ::testing::HasSubstr;
using testing::load;
using testing::TemporaryFolder;

TableLayout layout_of(const Dataset& dataset) {
  CategoryNames names = dataset.category_names;
  names.resize(dataset.column_names.size());
  return {dataset.column_names, names, dataset.label_name, dataset.missing, dataset.class_names};
}

// The data set that a model was trained on, and its folder.
class Trained {
 public:
  explicit Trained(std::string_view text, testing::Pairs keys = {}) {
    Settings settings;
    settings.add("path", folder.write("train.csv", text), "test");
    settings.add("test", "1", "test");
    for (const auto& [key, value] : keys) settings.add(key, value, "test");
    auto loaded = load_dataset("csv", std::move(settings), 1, testing::quiet_work());
    EXPECT_TRUE(loaded.ok()) << loaded.error().message;
    dataset = *std::move(loaded);
  }

  Result<Dataset> rows(std::string_view text, testing::Pairs keys = {},
                       std::string_view name = "new.csv") const {
    Settings settings;
    for (const auto& [key, value] : keys) settings.add(key, value, "test");
    return load_rows(folder.write(name, text), settings, testing::quiet_work(), layout_of(dataset));
  }

  TemporaryFolder folder;
  Dataset dataset;
};

constexpr std::string_view kColours =
    "colour,x,label\ngreen,9,no\nblue,4,yes\nred,7,no\nwhite,1,yes\ngreen,2,no\n";

// blue 0, green 1, red 2, white 3.
TEST(TableLayout, FindsColumnsAndCodesByName) {
  const Trained trained(kColours);
  EXPECT_THAT(trained.dataset.train.values, ElementsAre(1, 9, 0, 4, 2, 7, 3, 1));
  struct Instance {
    const char* text;
    std::vector<float> expected;
    bool has_labels;
  };
  const Instance instances[] = {
      {"colour,x,label\nwhite,8,no\nblue,7,yes\n", {3, 8, 0, 7}, true},  // a part of the names
      {"x,label,colour\n8,no,white\n", {3, 8}, true},                    // another order
      {"label,id,colour,x\nno,17,white,8\n", {3, 8}, true},              // and a further column
      {"colour,x\nwhite,8\n", {3, 8}, false},                            // no labels
      {"x,colour,id\n8,white,17\n", {3, 8}, false},
      {"colour,x,label\nwhite,8,\nred,9,\n", {3, 8, 2, 9}, false},    // a column of labels without any
      {"colour,x,label\nwhite,8,perhaps\n", {3, 8}, true},            // a class that the model does not know
      {",colour,x\n0,white,8\n1,red,9\n", {3, 8, 2, 9}, false},       // row numbers
      {"colour,x,label\nwhite,8,no\nred,9,\n", {3, 8, 2, 9}, false},  // some labels are not known
  };
  for (const Instance& instance : instances) {
    const auto rows = trained.rows(instance.text);
    ASSERT_LOADS(rows) << instance.text;
    EXPECT_EQ(rows->test.values, instance.expected) << instance.text;
    EXPECT_EQ(!rows->test.labels.empty(), instance.has_labels) << instance.text;
    EXPECT_EQ(rows->train.num_examples, 0u);
  }
}

TEST(TableLayout, UnknownNamesAreMissingWithACount) {
  const Trained trained(kColours);
  const auto rows = trained.rows("x,colour\n1,mauve\n2,red\n3,teal\n4,mauve\n");
  ASSERT_LOADS(rows);
  EXPECT_TRUE(std::isnan(rows->test.values[0]));
  EXPECT_EQ(rows->test.values[2], 2);
  EXPECT_THAT(rows->warnings,
              Contains(HasSubstr("column colour: 3 values that the model does not know are taken as missing: "
                                 "mauve, teal")));
}

TEST(TableLayout, FieldsThatStandForNoValueStandForNoneInAModelToo) {
  const Trained trained("x,y,label\n9999,1,no\n4,2,yes\n7,9999,no\n", {{"missing", "9999,-1"}});
  const auto value_of_9999 = [&](testing::Pairs keys) {
    const auto rows = trained.rows("x,y\n9999,3\n", keys);
    EXPECT_TRUE(rows.ok());
    EXPECT_EQ(rows->test.values[1], 3);
    return rows->test.values[0];
  };
  EXPECT_TRUE(std::isnan(value_of_9999({})));
  EXPECT_TRUE(std::isnan(value_of_9999({{"missing", "9999"}})));
  EXPECT_EQ(value_of_9999({{"missing", "0"}}), 9999) << "the user's own take their place";
}

TEST(TableLayout, LabelsAreTheClassesOfTheModel) {
  const Trained texts("1,01\n2,02\n3,0A\n4,01\n"), numbers("1,1\n2,02\n3,3.0\n4,1\n");
  const auto classes = [](const Trained& trained, std::string_view text) {
    const auto rows = trained.rows(text);
    EXPECT_TRUE(rows.ok());
    std::vector<std::string> names;
    for (const std::uint16_t label : rows->test.labels) names.push_back(rows->class_names[label]);
    return names;
  };
  EXPECT_THAT(classes(texts, "5,02\n6,01\n"), ElementsAre("02", "01"));  // no longer all are texts
  EXPECT_THAT(classes(texts, "5,0A\n6,2\n"), ElementsAre("0A", "02"));
  EXPECT_THAT(classes(numbers, "5,2\n6,+3\n7,1.0\n"), ElementsAre("2", "3", "1"));
  EXPECT_THAT(classes(numbers, "5,perhaps\n6,03\n7,4\n"), ElementsAre("perhaps", "3", "4"));
}

TEST(TableLayout, ALackingColumnIsAnError) {
  const Trained trained(kColours);
  expect_input_error(trained.rows("colour,label\nred,no\n"), {"new.csv", "no column 'x'", "colour, label"});
  expect_input_error(trained.rows("red,8,no\n"), {"new.csv", "no column 'colour'"});
  expect_input_error(trained.rows("colour,x\nred,eight\n"), {"new.csv:2", "column x", "'eight'", "number"});
  expect_input_error(trained.rows("colour,x,id\nred,8,1\n", {{"ignore", "x"}}),
                     {"ignore", "column x", "trained on"});
  EXPECT_TRUE(trained.rows("colour,x,id\nred,8,1\n", {{"ignore", "id"}}).ok());
  const Trained numbers("a,b,label\n1,2,x\n3,4,y\n5,6,x\n");
  expect_input_error(numbers.rows("a,b\n1,red\n"), {"new.csv:2", "column b", "'red'", "number"});
  expect_input_error(numbers.rows("b,label\n1,x\n"), {"no column 'a'"});
  const auto decimal = numbers.rows("a;b\n1,5;2\n", {{"delimiter", ";"}});
  expect_input_error(decimal, {"'1,5'", "number", "decimal: \",\""});
  EXPECT_EQ(decimal.error().message.find("nominal"), std::string::npos) << "which has no effect here";
}

TEST(TableLayout, TablesWithoutAHeaderAreKnownByPlace) {
  const Trained last("1,2,x\n3,4,y\n5,6,x\n"), first("x,1,2\ny,3,4\nx,5,6\n", {{"label", "first"}});
  for (const Trained* trained : {&last, &first}) {
    const auto unlabelled = trained->rows("7,8\n9,10\n");
    ASSERT_LOADS(unlabelled);
    EXPECT_THAT(unlabelled->test.values, ElementsAre(7, 8, 9, 10));
    EXPECT_TRUE(unlabelled->test.labels.empty());
  }
  EXPECT_THAT(last.rows("7,8,y\n")->test.values, ElementsAre(7, 8));
  EXPECT_THAT(first.rows("y,7,8\n")->test.values, ElementsAre(7, 8));
  expect_input_error(last.rows("7\n"), {"no column 'c1'"});
  // A number in front: the second feature stands where the labels were.
  expect_input_error(last.rows("1,7,8\n2,9,10\n"),
                     {"new.csv", "'8'", "none of which is a class of the model"});
}

TEST(TableLayout, OtherFormatsAreReadForAModel) {
  const Trained trained(kColours);
  EXPECT_THAT(trained.rows("colour\tx\nwhite\t8\n", {}, "new.tsv")->test.values, ElementsAre(3, 8));
  EXPECT_THAT(trained.rows("colour;x\nwhite;8\n", {{"delimiter", ";"}})->test.values, ElementsAre(3, 8));
  EXPECT_THAT(
      trained
          .rows("@relation r\n@attribute x real\n@attribute colour {white, mauve, blue}\n@data\n8,white\n",
                {}, "new.arff")
          ->test.values,
      ElementsAre(3, 8));
  const TemporaryFolder folder;
  const auto sparse = load("libsvm", {{"path", folder.write("a.svm", "1 1:5 3:7\n2 2:3\n")}});
  ASSERT_LOADS(sparse);
  const auto read = [&](std::string_view text) {
    return load_rows(folder.write("new.svm", text), {}, testing::quiet_work(), layout_of(*sparse));
  };
  EXPECT_THAT(read("1 1:2\n")->test.values, ElementsAre(2, 0, 0));
  EXPECT_THAT(read("1 1:2 9:4\n")->test.values, ElementsAre(2, 0, 0));
  EXPECT_THAT(read("2:6\n1:5 2:3\n")->test.values, ElementsAre(0, 6, 0, 5, 3, 0));
  expect_input_error(read("1 0:2\n"), {"new.svm", "index 0"});
}

// Any order of columns, any part of the rows (and so of the names), any further columns, with or without
// labels: the values are those of the same rows of the training table.
RC_GTEST_PROP(TableLayout, GivesTheRowsOfTheTrainingTable, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.layout");
  const testing::GeneratedTable table = testing::generated_table(stream);
  std::vector<std::size_t> order(table.columns.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const Trained trained(table.text(order, 0, true, 0), {{"label", "class"}, {"header", "yes"}});
  const Dataset& all = trained.dataset;
  std::vector<float> expected = all.train.values;
  expected.insert(expected.end(), all.test.values.begin(), all.test.values.end());

  stream.shuffle(std::span(order));
  const std::size_t first_row = stream.below(table.cells.size());
  const bool has_labels = stream.below(2) == 0;
  const auto rows = trained.rows(table.text(order, first_row, has_labels, stream.below(3)));
  RC_ASSERT(rows.ok());
  expected.erase(expected.begin(), expected.begin() + std::ptrdiff_t(first_row * table.columns.size()));
  RC_ASSERT(rows->test.values.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    RC_ASSERT(rows->test.values[i] == expected[i] ||
              (std::isnan(rows->test.values[i]) && std::isnan(expected[i])));
  RC_ASSERT(rows->test.labels.empty() != has_labels);

  // Without one of its columns it is an error.
  order.pop_back();
  RC_ASSERT(!trained.rows(table.text(order, first_row, has_labels, 1)).ok());
}

}  // namespace
}  // namespace mash
