// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::expect_input_error;
using testing::load;
using testing::TemporaryFolder;

class Libsvm {
 public:
  explicit Libsvm(std::string_view text) : path_(folder_.write("t.svm", text)) {}
  Result<Dataset> load(const char* key = "test", const char* value = "1") const {
    return testing::load("libsvm", {{"path", path_}, {"test", "1"}, {key, value}});
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

TEST(Libsvm, WritesOutTheZeros) {
  const auto dataset = Libsvm("+1 1:0.5 3:-2 # first\n# none\n-1\n1 2:4\n").load();
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ElementsAre("-1", "1"));
  EXPECT_THAT(dataset->column_names, ElementsAre("1", "2", "3"));
  EXPECT_THAT(dataset->train.values, ElementsAre(0.5, 0, -2, 0, 0, 0));
  EXPECT_THAT(dataset->train.labels, ElementsAre(1, 0));
  EXPECT_THAT(dataset->test.values, ElementsAre(0, 4, 0));
}

TEST(Libsvm, TakesTheNumberOfColumns) {
  const auto dataset = Libsvm("1 1:1\n2 2:1\n").load("columns", "4");
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->column_names.size(), 4u);
  expect_input_error(Libsvm("1 1:1\n2 5:1\n").load("columns", "4"),
                     {"t.svm", "index 5", "the 4 that 'columns'"});
}

TEST(Libsvm, JoinsTheColumnsOfBothFiles) {
  const TemporaryFolder folder;
  const auto dataset = load("libsvm", {{"path", folder.write("a", "1 1:1\n2 2:2\n")},
                                       {"test_path", folder.write("b", "2 3:3\n1\n")}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.values, ElementsAre(1, 0, 0, 0, 2, 0));
  EXPECT_THAT(dataset->test.values, ElementsAre(0, 0, 3, 0, 0, 0));
}

TEST(Libsvm, RefusesBadEntries) {
  expect_input_error(Libsvm("1 1:1\n2 1:1 2\n").load(), {"t.svm:2", "found '2'", "index:value"});
  expect_input_error(Libsvm("1 x:1\n").load(), {"t.svm:1", "index 'x'"});
  expect_input_error(Libsvm("1 1:one\n").load(), {"t.svm:1", "'one' at index 1", "number"});
  expect_input_error(Libsvm("1 1:nan\n").load(), {"t.svm:1", "'nan' at index 1", "number"});
  expect_input_error(Libsvm("1 3:1 2:1\n").load(), {"t.svm:1", "index 2 after 3", "ascending"});
  expect_input_error(Libsvm("1 2:1 2:1\n").load(), {"t.svm:1", "index 2 after 2"});
}

TEST(Libsvm, RefusesBadLabels) {
  expect_input_error(Libsvm("cat 1:1\n").load(), {"t.svm:1", "label 'cat'", "number"});
  expect_input_error(Libsvm("1,2 1:1\n").load(), {"t.svm:1", "label '1,2'"});
  expect_input_error(Libsvm("# nothing\n").load(), {"t.svm", "no rows"});
}

TEST(Libsvm, RefusesForgedIndicesBeforeAllocating) {
  expect_input_error(Libsvm("1 99999999999999:1\n").load(),
                     {"t.svm:1", "index '99999999999999'", "10000000"});
  std::string text = "1 10000000:1\n";
  for (int i = 0; i < 300; ++i) text += "1 1:1\n";
  expect_input_error(Libsvm(text).load(), {"t.svm", "301 rows of 10000000 columns", "at most"});
}

}  // namespace
}  // namespace mash
