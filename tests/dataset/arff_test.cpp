// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::expect_input_error;
using testing::load;
using testing::TemporaryFolder;

constexpr std::string_view kHead =
    "% a comment\n@RELATION weather\n\n@attribute 'out look' {sunny, overcast, 'rain\\'y'}\n"
    "@Attribute temperature REAL\n@attribute play {yes,no,maybe}\n@data\n";

class Arff {
 public:
  explicit Arff(std::string_view text) : path_(folder_.write("t.arff", text)) {}
  Result<Dataset> load(const char* key = "test", const char* value = "1") const {
    return testing::load("arff", {{"path", path_}, {"test", "1"}, {key, value}});
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

// The head fills lines 1 to 7.
std::string with_head(std::string_view rows) { return fmt::format("{}{}", kHead, rows); }
Arff with_rows(std::string_view rows) { return Arff(with_head(rows)); }

TEST(Arff, ReadsDeclaredColumns) {
  const auto dataset = with_rows("sunny, 85, no\n% between\n'rain\\'y', ?, yes\novercast, 7.5, no\n").load();
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->column_names, ElementsAre("out look", "temperature"));
  EXPECT_THAT(dataset->class_names, ElementsAre("yes", "no", "maybe"));
  EXPECT_EQ(dataset->train.values[0], 0);
  EXPECT_EQ(dataset->train.values[1], 85);
  EXPECT_EQ(dataset->train.values[2], 2);
  EXPECT_TRUE(std::isnan(dataset->train.values[3]));
  EXPECT_THAT(dataset->train.labels, ElementsAre(1, 0));
  EXPECT_THAT(dataset->test.values, ElementsAre(1, 7.5));
  EXPECT_THAT(dataset->warnings, ::testing::Contains("class 'maybe' has no training examples"));
}

TEST(Arff, TakesAnyColumnForTheLabel) {
  const auto dataset = with_rows("sunny,1,no\novercast,2,yes\n").load("label", "out look");
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.values, ElementsAre(1, 1));
  EXPECT_THAT(dataset->class_names, ElementsAre("sunny", "overcast", "rain'y"));
}

TEST(Arff, ClassesThatLookLikeNumbersAreNames) {
  const std::string head = "@relation r\n@attribute x real\n@attribute y {-1, +1, 01}\n@data\n";
  const auto dataset = Arff(head + "1, +1\n2, -1\n3, 01\n").load();
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ElementsAre("-1", "+1", "01"));
  EXPECT_THAT(dataset->train.labels, ElementsAre(1, 0));
  EXPECT_THAT(dataset->test.labels, ElementsAre(2));
  expect_input_error(Arff(head + "1, +1\n2, 1\n3, 01\n").load(),
                     {"t.arff:6", "column y", "found label '1'", "-1, +1, 01"});
}

TEST(Arff, RefusesUndeclaredNames) {
  expect_input_error(with_rows("sunny,1,no\nfoggy,2,no\n").load(),
                     {"t.arff:9", "column out look", "found 'foggy'", "sunny, overcast, rain'y"});
  expect_input_error(with_rows("sunny,1,no\nsunny,2,nay\n").load(),
                     {"t.arff", "play", "'nay'", "yes, no, maybe"});
}

TEST(Arff, RefusesBadRows) {
  expect_input_error(with_rows("sunny,warm,no\n").load(),
                     {"t.arff:8", "column temperature", "'warm'", "number"});
  expect_input_error(with_rows("sunny,1\n").load(), {"t.arff:8", "found 2 fields", "expected 3"});
  expect_input_error(with_rows("{0 sunny, 3 no}\n").load(), {"t.arff:8", "sparse row", "0 to 2"});
  expect_input_error(with_rows("{0 sunny}\nsunny,1,no\n").load(), {"t.arff:9", "dense row"});
  expect_input_error(with_rows("{0 sunny\n").load(), {"t.arff:8", "without its end"});
  expect_input_error(with_rows("sunny,1,?\n").load(), {"t.arff:8", "column play", "label"});
  expect_input_error(with_rows("").load(), {"t.arff", "no rows"});
}

TEST(Arff, RefusesBadDeclarations) {
  expect_input_error(Arff("@relation x\n@attribute a numeric\n").load(), {"t.arff:2", "expected @data"});
  expect_input_error(Arff("@relation x\n@data\n").load(), {"t.arff:2", "expected an @attribute"});
  expect_input_error(Arff("@relation x\nfoo\n").load(), {"t.arff:2", "'foo'", "@attribute"});
  expect_input_error(Arff("@attribute a complex\n").load(), {"t.arff:1", "'complex'", "numeric"});
  expect_input_error(Arff("@attribute a {x,y,x}\n").load(), {"t.arff:1", "'x' twice"});
  expect_input_error(Arff("@attribute a real\n@attribute a real\n").load(), {"t.arff:2", "'a' twice"});
  expect_input_error(Arff("@attribute\n").load(), {"t.arff:1", "no name"});
}

TEST(Arff, StringsMustBeIgnored) {
  const Arff arff(
      "@attribute name string\n@attribute x real\n@attribute y {a,b}\n@data\n'Ann',1,a\nBob,2,b\n");
  expect_input_error(arff.load(), {"t.arff", "column name", "'ignore'"});
  const auto dataset = arff.load("ignore", "name");
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->column_names, ElementsAre("x"));
}

TEST(Arff, BothFilesMustDeclareTheSame) {
  const TemporaryFolder folder;
  const std::string train = folder.write("a.arff", with_head("sunny,1,no\n"));
  const std::string same = folder.write("b.arff", with_head("overcast,2,yes\n"));
  EXPECT_TRUE(load("arff", {{"path", train}, {"test_path", same}}).ok());
  const std::string other = folder.write("c.arff", "@attribute 'out look' {sunny}\n@data\nsunny\n");
  expect_input_error(load("arff", {{"path", train}, {"test_path", other}}),
                     {"c.arff", "'out look'", "a.arff"});
}

}  // namespace
}  // namespace mash
