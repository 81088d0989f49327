// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "framework/dataset/tables/table.hpp"
#include "tests/dataset/data_files.hpp"
#include "tests/support/quiet_work.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::expect_input_error;
using testing::gzip;
using testing::load;
using testing::TemporaryFolder;

// A table loaded from text, all but the last row for training.
class Csv {
 public:
  explicit Csv(std::string_view text) : path_(folder_.write("table.csv", text)) {}

  Result<Dataset> load(std::vector<std::pair<const char*, std::string>> keys = {}) const {
    Settings settings;
    settings.add("path", path_, "test.yaml:1");
    settings.add("test", "1", "test.yaml:1");
    for (const auto& [key, value] : keys) settings.add(key, value, "test.yaml:1");
    return load_dataset("csv", std::move(settings), 1, testing::quiet_work());
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

TEST(SplitList, TakesListsWithAndWithoutBrackets) {
  EXPECT_THAT(split_list("a, b,c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_list("[0, -1]"), ElementsAre("0", "-1"));
  EXPECT_THAT(split_list(""), ElementsAre(""));
}

TEST(Csv, ReadsNumbersAndLabels) {
  const auto dataset = Csv("1,2.5,yes\n-3, 4e1 ,no\n5,6,yes\n").load();
  ASSERT_LOADS(dataset);
  EXPECT_TRUE(dataset->is_table());
  EXPECT_THAT(dataset->class_names, ElementsAre("no", "yes"));
  EXPECT_THAT(dataset->column_names, ElementsAre("c0", "c1"));
  EXPECT_THAT(dataset->train.values, ElementsAre(1, 2.5, -3, 40));
  EXPECT_THAT(dataset->train.labels, ElementsAre(1, 0));
  EXPECT_THAT(dataset->test.values, ElementsAre(5, 6));
  EXPECT_THAT(dataset->test.labels, ElementsAre(1));
}

TEST(Csv, TakesTheHeaderForNames) {
  const char* text = "age,class,\"height, cm\"\r\n1,b,2\r\n3,a,4\r\n";
  for (const char* header : {"auto", "yes"}) {
    const auto dataset = Csv(text).load({{"header", header}, {"label", "class"}});
    ASSERT_LOADS(dataset);
    EXPECT_THAT(dataset->column_names, ElementsAre("age", "height, cm"));
    EXPECT_THAT(dataset->train.values, ElementsAre(1, 2));
  }
  expect_input_error(Csv(text).load({{"header", "no"}, {"label", "1"}}),
                     {"table.csv:2", "column c0", "found '1'", "like 'age' in line 1", "nominal"});
}

TEST(Csv, FindsTheLabelAnywhere) {
  const Csv csv("a,1,x\nb,2,y\n");
  for (const auto& [label, names] :
       {std::pair("first", "a b"), std::pair("0", "a b"), std::pair("-1", "x y"), std::pair("last", "x y"),
        std::pair("c2", "x y"), std::pair("1", "1 2")}) {
    const auto dataset = csv.load({{"label", label}});
    ASSERT_LOADS(dataset);
    EXPECT_EQ(dataset->class_names[0] + " " + dataset->class_names[1], names) << label;
  }
  expect_input_error(csv.load({{"label", "3"}}),
                     {"table.csv", "label", "no column '3'", "-3 to 2", "c0, c1, c2"});
  expect_input_error(csv.load({{"label", "name"}}), {"no column 'name'"});
}

TEST(Csv, OrdersNumericLabelsByValueHoweverWritten) {
  const auto dataset = Csv("1,10.000\n1,9\n1,10.\n1,-2\n").load();
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ElementsAre("-2", "9", "10"));
  EXPECT_THAT(dataset->train.labels, ElementsAre(2, 1, 2));
  EXPECT_THAT(dataset->test.labels, ElementsAre(0));
}

TEST(Csv, NumbersNamesInByteOrder) {
  const auto dataset = Csv("red,0\nBlue,1\ngreen,0\n").load();
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.values, ElementsAre(2, 0));
  EXPECT_THAT(dataset->test.values, ElementsAre(1));
}

TEST(Csv, TakesNumbersForNamesWhenAsked) {
  const Csv csv("10,a\n9,b\n9x,a\n");
  expect_input_error(csv.load(), {"table.csv:3", "column c0", "found '9x'", "expected a number", "nominal"});
  const auto dataset = csv.load({{"nominal", "0"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.values, ElementsAre(0, 1));
  EXPECT_THAT(dataset->test.values, ElementsAre(2));
}

TEST(Csv, AQuestionMarkAmongNamesMustBeDeclared) {
  const Csv csv("10,a\n?,b\n9,a\n");
  expect_input_error(csv.load({{"nominal", "0"}}), {"table.csv:2", "column c0", "found '?'", "missing"});
  const auto dataset = csv.load({{"nominal", "0"}, {"missing", "?"}});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->train.values[0], 0);
  EXPECT_TRUE(std::isnan(dataset->train.values[1]));
}

TEST(Csv, LeavesIgnoredColumnsOut) {
  const Csv csv("id,1,?,a\nid2,2,x,b\n");
  const auto dataset = csv.load({{"ignore", "[0, -2]"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->column_names, ElementsAre("c1"));
  expect_input_error(csv.load({{"ignore", "3"}}), {"ignore", "column c3 is the label"});
  expect_input_error(csv.load({{"ignore", "0,1,2"}}), {"no column beside the label"});
  expect_input_error(csv.load({{"ignore", "name"}}), {"ignore", "no column 'name'"});
}

TEST(Csv, EmptyFieldsAreMissingAndOthersMustBeDeclared) {
  const Csv csv("1,a\n?,b\n,a\n4,b\n");
  expect_input_error(csv.load(), {"table.csv:2", "column c0", "found '?'", "'missing'"});
  for (const char* missing : {"?", "?,"}) {
    const auto dataset = csv.load({{"missing", missing}});
    ASSERT_LOADS(dataset);
    EXPECT_EQ(dataset->train.values[0], 1);
    EXPECT_TRUE(std::isnan(dataset->train.values[1]));
    EXPECT_TRUE(std::isnan(dataset->train.values[2]));
    EXPECT_EQ(dataset->test.values[0], 4);
    // A declared value needs no remark.
    EXPECT_EQ(std::ranges::count(dataset->warnings, "1 empty field of column c0: taken as missing"),
              std::string_view(missing) == "?");
  }
}

TEST(Csv, ALabelIsNeverMissing) {
  expect_input_error(Csv("1,a\n2,?\n").load(), {"table.csv:2", "column c1", "expected a label"});
  expect_input_error(Csv("1,a\n2,NA\n").load({{"missing", "NA"}}),
                     {"table.csv:2", "column c1", "expected a label"});
  expect_input_error(Csv("1,a\n2,\n").load(), {"table.csv:2", "column c1", "expected a label"});
}

TEST(Csv, RefusesRaggedRows) {
  expect_input_error(Csv("1,2,a\n\n1,2,b\n3,c\n").load(),
                     {"table.csv:4", "found 2 fields", "expected 3 as in line 1"});
  expect_input_error(Csv("1,2,a\n1,2,3,b\n").load(), {"table.csv:2", "found 4 fields", "expected 3"});
}

TEST(Csv, RefusesWhatIsNoNumber) {
  expect_input_error(Csv("1,2,a\n3,four,b\n").load(), {"table.csv:2", "column c1", "found 'four'", "number"});
  expect_input_error(Csv("1,a\ninf,b\n2,a\n").load(), {"table.csv:2", "column c0", "found 'inf'", "number"});
}

TEST(Csv, ReadsOtherDelimiters) {
  for (const auto& [delimiter, text] :
       {std::pair("space", "  1   2\t a \n3 4 b\n"), std::pair("tab", "1\t2\ta\n3\t4\tb"),
        std::pair(";", "1;2;a\n3;4;b\n"), std::pair("|", "1 | 2 | a\n3 | 4 | b")}) {
    const auto dataset = Csv(text).load({{"delimiter", delimiter}});
    ASSERT_LOADS(dataset);
    EXPECT_THAT(dataset->train.values, ElementsAre(1, 2)) << delimiter;
  }
  expect_input_error(Csv("1,a\n").load({{"delimiter", "::"}}),
                     {"test.yaml:1", "delimiter", "'::'", "one character"});
}

// A file whose lines have the same number of fields by another delimiter is named for that, whether or not
// the commas in it part the same number too.
TEST(Csv, NamesTheDelimiterThatAFileSeemsToHave) {
  for (const auto& [text, delimiter] : {std::pair("x;y;label\n1,5;2;a\n2,5;3;b\n", "delimiter: \";\""),
                                        {"x;y;label\n1;2;a\n3;4;b\n", "delimiter: \";\""},
                                        {"x\ty\n1\ta\n2\tb\n", "delimiter: tab"},
                                        {"x|y\n1|a\n2|b\n", "delimiter: \"|\""}})
    expect_input_error(Csv(text).load(), {"table.csv:1", "found one field", delimiter});
  expect_input_error(Csv("x,y\n1,a\n").load({{"delimiter", ";"}}), {"table.csv:1", "delimiter: \",\""});
}

TEST(Csv, ReadsQuotedFields) {
  const auto dataset = Csv("\"say \"\"hi\"\"\",1,\"a,b\"\nplain,2,c\n").load({{"label", "last"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ElementsAre("a,b", "c"));
  EXPECT_THAT(dataset->train.values, ElementsAre(1, 1));  // 'plain' before 'say "hi"'
  expect_input_error(Csv("1,a\n2,\"b\n").load(), {"table.csv:2", "quote", "without its end"});
  expect_input_error(Csv("1,a\n2,\"b\" c\n").load(), {"table.csv:2", "'c'", "closing quote"});
}

TEST(Csv, SkipsLinesAndAByteOrderMark) {
  const auto dataset =
      Csv("\xef\xbb\xbf|1x3 Cross validator\n1,a.\n2,b\n").load({{"skip_lines", "1"}, {"label_strip", "."}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ElementsAre("a", "b"));
  expect_input_error(Csv("1,a\n").load({{"skip_lines", "5"}}), {"table.csv", "found 1 lines", "5 to skip"});
  expect_input_error(Csv("1,a\n").load({{"skip_lines", "1"}}), {"table.csv", "no rows"});
}

TEST(Csv, RefusesDuplicateColumnNames) {
  expect_input_error(Csv("x,x,class\n1,2,a\n").load(), {"table.csv:1", "'x' twice"});
}

TEST(Csv, RefusesAHeaderAlone) {
  expect_input_error(Csv("x,class\n").load({{"header", "yes"}}), {"table.csv", "no rows"});
}

TEST(CsvPair, JoinsTheLabelsOfBothFilesAndTakesTheNamesOfTheFirst) {
  const TemporaryFolder folder;
  const auto dataset = load("csv", {{"path", folder.write("a.csv.gz", gzip("v,class\nm,1\nz,2\n"))},
                                    {"test_path", folder.write("b.csv", "x\nv,class\na,3\n")},
                                    {"header", "yes"},
                                    {"test_skip_lines", "1"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.values, ElementsAre(0, 1));
  EXPECT_THAT(dataset->test.values, ElementsAre(::testing::IsNan()));
  EXPECT_THAT(dataset->class_names, ElementsAre("1", "2", "3"));
  EXPECT_THAT(dataset->warnings, ::testing::Contains("class '3' has no training examples"));
  EXPECT_EQ(dataset->sources.size(), 2u);
  EXPECT_EQ(example_name(*dataset, dataset->train, 1), "a.csv.gz#1");
  EXPECT_EQ(example_name(*dataset, dataset->test, 0), "b.csv#0");
}

// As pandas writes the index of its rows.
TEST(CsvPair, AColumnThatNumbersTheRowsIsLeftOut) {
  const TemporaryFolder folder;
  const auto dataset = load("csv", {{"path", folder.write("a.csv", ",v,class\n0,5,1\n1,6,2\n")},
                                    {"test_path", folder.write("b.csv", ",v,class\n0,7,2\n")},
                                    {"header", "yes"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->column_names, ElementsAre("v"));
  EXPECT_THAT(dataset->train.values, ElementsAre(5, 6));
  EXPECT_THAT(dataset->test.values, ElementsAre(7));
}

TEST(CsvPair, RefusesFilesThatDoNotMatch) {
  const TemporaryFolder folder;
  const std::string train = folder.write("a.csv", "v,class\n1,1\n");
  expect_input_error(load("csv", {{"path", train}, {"test_path", folder.write("b.csv", "1,2,3\n")}}),
                     {"b.csv:1", "found 3 fields", "expected 2", "a.csv"});
  expect_input_error(
      load("csv",
           {{"path", train}, {"test_path", folder.write("c.csv", "w,class\n1,1\n")}, {"header", "yes"}}),
      {"c.csv", "no column 'v'", "a.csv", "w, class"});
  expect_input_error(load("csv", {{"path", train}, {"test_path", folder.write("d.csv", "x,1\n")}}),
                     {"d.csv:1", "column v", "found 'x'", "number"});
  expect_input_error(load("csv", {{"path", train}, {"test_path", (folder.path() / "e.csv").string()}}),
                     {"test_path", "no such file", "e.csv"});
}

TEST(CsvPair, NeedsAPath) { expect_input_error(load("csv", {}), {"csv", "'path'"}); }

// There is an answer for any text, and it is well formed.
RC_GTEST_PROP(Csv, IsTotal, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::weightedElement<char>(
      {{6, ','}, {4, '\n'}, {4, '1'}, {2, 'a'}, {1, '"'}, {1, ' '}, {1, '?'}, {1, '\r'}}));
  const auto dataset = Csv(text).load({{"missing", ","}});
  if (!dataset.ok()) {
    RC_ASSERT(dataset.error().kind == ErrorKind::kInput && !dataset.error().message.empty());
  } else {
    RC_ASSERT(dataset->train.values.size() == dataset->train.num_examples * dataset->column_names.size());
    RC_ASSERT(dataset->test.num_examples == 1);
    for (const std::uint16_t label : dataset->train.labels) RC_ASSERT(label < dataset->num_classes());
  }
}

}  // namespace
}  // namespace mash
