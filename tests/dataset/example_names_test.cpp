// SPDX-License-Identifier: Apache-2.0
// Names of examples follow them wherever they go, and are gone where nobody is to know them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "framework/dataset/dataset.hpp"
#include "framework/dataset/split.hpp"
#include "tests/dataset/data_files.hpp"
#include "tests/dataset/pictures.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using testing::load;
using testing::picture;
using testing::TemporaryFolder;

// Pictures that are all different: the name of each tells its grey level.
std::string all_of_grey(int level) { return picture(".png", 4, 3, cv::Scalar(level, level, level)); }

// The name of a picture as its pixels have it.
std::string name_by_pixel(const Dataset& dataset, const Split& side, std::size_t n) {
  const int level = side.image(n, dataset.shape)[0];
  return fmt::format("{}/{}.png", level % 2 == 0 ? "even" : "odd", level);
}

TEST(ExampleNames, ArePathsBelowTheFolderOfTheDataSet) {
  const TemporaryFolder folder;
  for (const char* name : {"train/cat/1.png", "train/dog/7.png", "test/cat/x.png", "test/dog/y.png"})
    folder.write(name, all_of_grey(10));
  const auto dataset = load("folder", {{"path", folder.path().string() + "/"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(example_names(*dataset, dataset->train), ElementsAre("train/cat/1.png", "train/dog/7.png"));
  EXPECT_THAT(example_names(*dataset, dataset->test), ElementsAre("test/cat/x.png", "test/dog/y.png"));
}

TEST(ExampleNames, OfAListAreBelowItsFolderOrWholePaths) {
  const TemporaryFolder folder, elsewhere;
  folder.write("a.png", all_of_grey(1));
  folder.write("b/c.png", all_of_grey(2));
  const std::string far_away = elsewhere.write("d.png", all_of_grey(3));
  const std::string list =
      folder.write("list.txt", fmt::format("a.png x train\nb/c.png y train\n{} x test\n", far_away));
  const auto dataset = load("folder", {{"list", list}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(example_names(*dataset, dataset->train), ElementsAre("a.png", "b/c.png"));
  EXPECT_THAT(example_names(*dataset, dataset->test), ElementsAre(far_away));
}

// Split, held-out part, part of the test side: the name belongs to the pixels.
TEST(ExampleNames, TravelWithSplitsAndParts) {
  const TemporaryFolder folder;
  for (int level = 0; level < 60; ++level)
    folder.write(fmt::format("{}/{}.png", level % 2 == 0 ? "even" : "odd", level), all_of_grey(level));
  const testing::Pairs kinds[] = {{{"train", "0.5"}},
                                  {{"train", "10 per class"}, {"test", "5 per class"}},
                                  {{"train", "0.5"}, {"validation", "0.3"}},
                                  {{"train", "20"}, {"test_part", "public"}}};
  for (const testing::Pairs& kind : kinds) {
    Settings settings;
    settings.add("path", folder.path().string(), "test");
    for (const auto& [key, value] : kind) settings.add(key, value, "test");
    const auto dataset = load_dataset("folder", settings, 3, testing::quiet_work());
    ASSERT_LOADS(dataset);
    for (const Split* side : {&dataset->train, &dataset->test}) {
      ASSERT_EQ(side->files.size(), side->num_examples);
      for (std::size_t n = 0; n < side->num_examples; ++n)
        ASSERT_EQ(example_name(*dataset, *side, n), name_by_pixel(*dataset, *side, n));
    }
  }
}

TEST(ExampleNames, OfThePrivatePartAreForgottenWithItsFiles) {
  const TemporaryFolder folder;
  for (int level = 0; level < 60; ++level)
    folder.write(
        fmt::format("{}/{}/{}.png", level < 20 ? "train" : "test", level % 2 == 0 ? "even" : "odd", level),
        all_of_grey(level));
  const auto with_part = [&](const char* part) {
    return *load("folder", {{"path", folder.path().string()}, {"test_part", part}});
  };
  const Dataset all = with_part("all"), hidden = with_part("private"), shown = with_part("public");
  EXPECT_THAT(example_names(hidden, hidden.test), IsEmpty());
  EXPECT_THAT(example_names(hidden, hidden.train), ElementsAreArray(example_names(all, all.train)));
  const auto sources_of = [](const Dataset& dataset) {
    std::set<std::string> names;
    for (const SourceFile& source : dataset.sources) names.insert(file_name(source));
    return names;
  };
  EXPECT_EQ(all.sources.size(), 60u);
  EXPECT_EQ(hidden.sources.size(), 20u) << "of the training side";
  EXPECT_EQ(shown.sources.size(), 20 + shown.test.num_examples);
  EXPECT_EQ(shown.test.num_examples + hidden.test.num_examples, all.test.num_examples);
  const auto names = example_names(shown, shown.test);
  for (std::size_t n = 0; n < names.size(); ++n) {
    EXPECT_TRUE(sources_of(shown).contains(names[n]));
    EXPECT_EQ(names[n], "test/" + name_by_pixel(shown, shown.test, n));
  }
}

TEST(ExampleNames, OfAFileOfSeveralAreThePlacesInIt) {
  const TemporaryFolder folder;
  const auto table = load(
      "csv", {{"path", folder.write("a.csv", "1,x\n2,y\n3,x\n4,y\n5,x\n6,y\n")}, {"train", "2 per class"}});
  ASSERT_LOADS(table);
  for (const Split* side : {&table->train, &table->test})
    for (std::size_t n = 0; n < side->num_examples; ++n)
      EXPECT_EQ(example_name(*table, *side, n), fmt::format("a.csv#{}", int(side->values[n]) - 1));
  EXPECT_FALSE(table->train.has_a_file_each());
}

TEST(ExampleNames, OfWhatIsGeneratedAreNone) {
  const auto digits = load("digits", {{"train", "20"}, {"test", "10"}});
  ASSERT_LOADS(digits);
  EXPECT_THAT(example_names(*digits, digits->test), IsEmpty());
  EXPECT_EQ(example_name(*digits, digits->test, 3), "");
}

TEST(ExampleNames, CanBeForgotten) {
  const TemporaryFolder folder;
  for (int level = 0; level < 10; ++level)
    folder.write(fmt::format("{}/{}.png", level % 2 == 0 ? "even" : "odd", level), all_of_grey(level));
  std::string lines;
  for (int level = 0; level < 10; ++level)
    lines += fmt::format("{0}/{1}.png {0}\n", level % 2 == 0 ? "even" : "odd", level);
  Dataset dataset = *load("folder", {{"list", folder.write("list.txt", lines)}, {"train", "6"}});
  EXPECT_EQ(dataset.sources.size(), 11u);
  forget_names(dataset);
  EXPECT_THAT(example_names(dataset, dataset.train), IsEmpty());
  EXPECT_THAT(example_names(dataset, dataset.test), IsEmpty());
  ASSERT_EQ(dataset.sources.size(), 1u) << "the list stays";
  EXPECT_EQ(file_name(dataset.sources[0]), "list.txt");
}

}  // namespace
}  // namespace mash
