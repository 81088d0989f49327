// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/picture_list.hpp"

#include <gtest/gtest.h>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;

Result<PictureLayout> parse(const std::string& text) {
  return parse_picture_list({text, {"list.txt", "", 0}}, "/pictures");
}

TEST(PictureList, ReadsLines) {
  const auto layout = parse("# a comment\n\n  b/2.png   dog\r\na/1.png cat\n/else/3.png dog");
  ASSERT_LOADS(layout);
  EXPECT_THAT(layout->class_names, ::testing::ElementsAre("cat", "dog"));
  ASSERT_EQ(layout->train.size(), 3u);
  EXPECT_EQ(layout->train[0].path, "/pictures/b/2.png");
  EXPECT_EQ(layout->train[0].label, 1u);
  EXPECT_EQ(layout->train[2].path, "/else/3.png");
  EXPECT_EQ(layout->train[2].sequence, 2u);
  EXPECT_TRUE(layout->test.empty());
}

TEST(PictureList, TakesOtherSeparators) {
  const auto commas = parse("my cat.png, cat, train\nmy dog.png,dog,test\n");
  ASSERT_LOADS(commas);
  EXPECT_EQ(commas->train[0].path, "/pictures/my cat.png");
  EXPECT_EQ(commas->test[0].label, 1u);
  const auto tabs = parse("a, b.png\tbig cat\n");
  ASSERT_LOADS(tabs);
  EXPECT_EQ(tabs->train[0].path, "/pictures/a, b.png");
  EXPECT_THAT(tabs->class_names, ::testing::ElementsAre("big cat"));
}

TEST(PictureList, MayBeATableWithNamesAndQuotes) {
  for (const char* text : {"filename,label\na.png,cat\nb.png,dog\n", "Image;Class\na.png;cat\nb.png;dog\n",
                           "\"path\",\"label\"\n\"a.png\",\"cat\"\n\"b.png\",\"dog\"\n",
                           "path label split\na.png cat train\nb.png dog train\n"}) {
    const auto layout = parse(text);
    ASSERT_LOADS(layout) << text;
    EXPECT_THAT(layout->class_names, ::testing::ElementsAre("cat", "dog")) << text;
    ASSERT_EQ(layout->train.size(), 2u) << text;
    EXPECT_EQ(layout->train[0].path, "/pictures/a.png");
  }
  EXPECT_EQ(parse("a.png cat\nimage label\n")->train.size(), 2u);  // not the first line
  expect_input_error(parse("a.png cat train\nimage label maybe\n"), {"list.txt:2", "'maybe'"});
}

TEST(PictureList, SortsNumbersByValue) {
  EXPECT_THAT(parse("a 10\nb 9\nc 100\n")->class_names, ::testing::ElementsAre("9", "10", "100"));
  EXPECT_THAT(parse("a 10\nb 9\nc x\n")->class_names, ::testing::ElementsAre("10", "9", "x"));
}

TEST(PictureList, NamesTheLineOfAnError) {
  expect_input_error(parse("a.png cat\nb.png\n"), {"list.txt:2", "found 1 part", "path label split"});
  expect_input_error(parse("a.png cat train 7\n"), {"list.txt:1", "found 4 parts"});
  expect_input_error(parse("a.png,,train\n"), {"list.txt:1", "empty label"});
  expect_input_error(parse("a.png cat maybe\n"), {"list.txt:1", "'maybe'", "train, validation or test"});
  expect_input_error(parse("a.png cat train\n\nb.png cat\n"), {"list.txt:3", "no split", "line 1 has one"});
  expect_input_error(parse("a.png cat\na.png dog\n"), {"list.txt:2", "a.png", "on line 1 already"});
  expect_input_error(parse("a.png cat\n\xff.png dog\n"), {"list.txt:2", "UTF-8"});
  expect_input_error(parse("# nothing\n"), {"list.txt", "no pictures"});
  expect_input_error(parse("a.png cat test\n"), {"list.txt", "no picture of split train"});
}

}  // namespace
}  // namespace mash
