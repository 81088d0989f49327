// SPDX-License-Identifier: Apache-2.0
// Rows without names, in the order in which a user lists the pictures of a data set.
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "framework/families/columns/given_columns.hpp"
#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::load;
using testing::TemporaryFolder;

constexpr const char* kPicture = "P2 2 2 255 1 2 3 4\n";

// The folder in which a picture lies, which names its class: "test/cat-big/film 2/9.pgm" is of "cat-big".
std::string class_of(const std::string& name, std::size_t num_above) {
  std::string rest = name;
  for (std::size_t i = 0; i < num_above; ++i) rest = rest.substr(rest.find('/') + 1);
  return rest.substr(0, rest.find('/'));
}

// A column that is the class itself, for pictures in this order; the class is the number of its name.
ColumnTable classes_of(const std::vector<std::string>& names, std::size_t num_above, const Dataset& dataset) {
  ColumnTable table{names.size(), 1, {}, {}};
  for (const std::string& name : names) {
    const auto& known = dataset.class_names;
    table.values.push_back(float(std::ranges::find(known, class_of(name, num_above)) - known.begin()));
  }
  return table;
}

// Whether each example has its own class in its row.
void expect_own_class(const ColumnTable& table, const Dataset& dataset) {
  const auto columns = GivenColumns::match(table, dataset);
  RC_ASSERT(columns.ok());
  std::size_t example = 0;
  for (const Split* side : {&dataset.train, &dataset.test})
    for (const std::uint16_t label : side->labels) RC_ASSERT(columns->row(example++)[0] == float(label));
}

// Two pictures or more in each of some classes, below `above`; sorted.
std::vector<std::string> drawn_pictures(const TemporaryFolder& folder, const std::string& above,
                                        const std::string& within) {
  std::vector<std::string> names;
  for (const char* one : {"cat", "cat-big", "cat 2", "größe"}) {
    const int count = *rc::gen::inRange(2, 6);
    for (int i = 0; i < count; ++i) {
      names.push_back(fmt::format("{}{}/{}{}.pgm", above, one, within, i));
      folder.write(names.back(), kPicture);
    }
  }
  std::ranges::sort(names);
  return names;
}

RC_GTEST_PROP(ListedOrder, OfAFolderIsThatOfItsPaths, ()) {
  const TemporaryFolder folder;
  const auto within = *rc::gen::element<std::string>("", "deeper/", "film 1/frame_");
  const std::vector<std::string> names = drawn_pictures(folder, "", within);
  const auto dataset = load("folder", {{"path", folder.path().string()}, {"train", "0.7"}});
  RC_ASSERT(dataset.ok());
  expect_own_class(classes_of(names, 0, *dataset), *dataset);
}

RC_GTEST_PROP(ListedOrder, OfFilmsIsThatOfTheirPaths, ()) {
  const TemporaryFolder folder;
  std::vector<std::string> names = drawn_pictures(folder, "", "film_2/");
  const std::vector<std::string> others = drawn_pictures(folder, "", "film_10/");
  names.insert(names.end(), others.begin(), others.end());
  std::ranges::sort(names);
  const auto dataset =
      load("folder", {{"path", folder.path().string()}, {"films", "true"}, {"validation", "0.3"}});
  RC_ASSERT(dataset.ok());
  RC_ASSERT(dataset->has_sequences());
  expect_own_class(classes_of(names, 0, *dataset), *dataset);
}

RC_GTEST_PROP(ListedOrder, OfTwoSidesBeginsWithTraining, ()) {
  const TemporaryFolder folder;
  std::vector<std::string> names = drawn_pictures(folder, "train/", "");
  const std::vector<std::string> test = drawn_pictures(folder, "test/", "");
  names.insert(names.end(), test.begin(), test.end());
  const auto dataset = load("folder", {{"path", folder.path().string()}, {"test", "0.5"}});
  RC_ASSERT(dataset.ok());
  expect_own_class(classes_of(names, 1, *dataset), *dataset);
}

RC_GTEST_PROP(ListedOrder, OfAListIsThatOfItsLines, ()) {
  const TemporaryFolder folder;
  std::vector<std::string> names = drawn_pictures(folder, "", "");
  for (std::size_t i = names.size(); i > 1; --i)
    std::swap(names[i - 1], names[*rc::gen::inRange(std::size_t(0), i)]);
  std::string lines;
  for (const std::string& name : names) lines += fmt::format("{}\t{}\n", name, class_of(name, 0));
  const auto dataset = load("folder", {{"list", folder.write("list.txt", lines)}, {"train", "0.6"}});
  RC_ASSERT(dataset.ok());
  expect_own_class(classes_of(names, 0, *dataset), *dataset);
}

TEST(ListedOrder, LeavesOutBrokenPictures) {
  const TemporaryFolder folder;
  for (const char* name : {"a/1.pgm", "a/3.pgm", "b/1.pgm", "b/2.pgm", "b/3.pgm"})
    folder.write(name, kPicture);
  folder.write("a/2.pgm", "P2 2 2");
  const auto dataset =
      load("folder", {{"path", folder.path().string()}, {"skip_broken", "true"}, {"train", "4"}});
  ASSERT_LOADS(dataset);
  const auto columns = GivenColumns::match({5, 1, {0, 0, 1, 1, 1}, {}}, *dataset);
  ASSERT_TRUE(columns.ok()) << columns.error().message;
  for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(columns->row(n)[0], float(dataset->train.labels[n]));
  EXPECT_EQ(columns->row(4)[0], float(dataset->test.labels[0]));
}

}  // namespace
}  // namespace mash
