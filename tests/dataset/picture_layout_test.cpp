// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/picture_layout.hpp"

#include "framework/dataset/picture_folder.hpp"
#include "framework/dataset/side_names.hpp"
#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::TemporaryFolder;

// "cat/1.png ... cat/3.png" in short: "cat/1-3.png".
std::vector<std::string> spelled_out(const std::string& file) {
  const std::size_t dash = file.rfind('-'), slash = file.rfind('/');
  if (dash == file.npos || dash < slash) return {file};
  const std::size_t dot = file.find('.', dash);
  std::vector<std::string> files;
  const int last = std::stoi(file.substr(dash + 1, dot - dash - 1));
  for (int i = std::stoi(file.substr(slash + 1, dash - slash - 1)); i <= last; ++i)
    files.push_back(fmt::format("{}{}{}", file.substr(0, slash + 1), i, file.substr(dot)));
  return files;
}

void write(const TemporaryFolder& folder, const std::vector<std::string>& files) {
  for (const std::string& file : files)
    for (const std::string& one : spelled_out(file)) folder.write(one, "not looked at");
}

// "cat 2, dog 1": the pictures of each class.
std::string counts(const std::vector<PictureEntry>& side, const PictureLayout& layout) {
  std::map<std::string, int> of_class;
  for (const PictureEntry& entry : side) ++of_class[layout.class_names[entry.label]];
  std::string text;
  for (const auto& [name, count] : of_class)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return text;
}

struct LayoutCase {
  std::vector<std::string> files;
  std::string train, test;                 // as counts() has them
  std::vector<std::string> warnings = {};  // a part of each, in any order; no others
  Films films = Films::kAuto;
  TestSide test_side = TestSide::kAuto;
};

void expect_layout(const LayoutCase& one) {
  SCOPED_TRACE(fmt::format("{}", fmt::join(one.files, " ")));
  const TemporaryFolder folder;
  write(folder, one.files);
  auto layout = find_pictures(folder.path(), one.films);
  ASSERT_LOADS(layout);
  ASSERT_TRUE(choose_test_side(one.test_side, *layout).ok());
  EXPECT_EQ(counts(layout->train, *layout), one.train);
  EXPECT_EQ(counts(layout->test, *layout), one.test);
  EXPECT_TRUE(layout->validation.empty());
  std::vector<::testing::Matcher<std::string>> warnings;
  for (const std::string& warning : one.warnings) warnings.push_back(::testing::HasSubstr(warning));
  EXPECT_THAT(layout->warnings, ::testing::UnorderedElementsAreArray(warnings));
}

constexpr const char* kValidationTaken = "of the validation side are the test side";

TEST(PictureLayout, SidesAreKnownByTheirNames) {
  for (const LayoutCase& one : {
           LayoutCase{{"train/cat/1-3.png", "train/dog/1-2.png", "test/cat/1.png", "test/dog/1.png"},
                      "cat 3, dog 2",
                      "cat 1, dog 1"},
           LayoutCase{{"Train/cat/1.png", "Train/dog/1.png", "Test/cat/1.png"}, "cat 1, dog 1", "cat 1"},
           LayoutCase{{"training_set/cat/1.png", "training_set/dog/1.png", "test_set/dog/1.png"},
                      "cat 1, dog 1",
                      "dog 1"},
           LayoutCase{{"train-images/cat/1.png", "train-images/dog/1.png", "TESTING/dog/1.png"},
                      "cat 1, dog 1",
                      "dog 1"},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "val/dog/1-2.png"},
                      "cat 1, dog 1",
                      "dog 2",
                      {"the 2 pictures of the validation side are the test side"}},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "valid/dog/1.png"},
                      "cat 1, dog 1",
                      "dog 1",
                      {kValidationTaken}},
           LayoutCase{{"Training/cat/1.png", "Training/dog/1.png", "dev/dog/1.png"},
                      "cat 1, dog 1",
                      "dog 1",
                      {kValidationTaken}},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "Validation_Set/dog/1.png"},
                      "cat 1, dog 1",
                      "dog 1",
                      {kValidationTaken}},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png"}, "cat 1, dog 1", ""},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "val/cat/1-3.png", "test/dog/1.png"},
                      "cat 1, dog 1",
                      "dog 1",
                      {"the 3 pictures of the validation side are not used; 'test_side: validation'"}},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "val/cat/1-3.png", "test/dog/1.png"},
                      "cat 1, dog 1",
                      "cat 3",
                      {},
                      Films::kAuto,
                      TestSide::kValidation},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "val/cat/1-3.png", "test/dog/1.png"},
                      "cat 1, dog 1",
                      "dog 1",
                      {},
                      Films::kAuto,
                      TestSide::kTest},
       })
    expect_layout(one);
}

TEST(PictureLayout, SidesHaveNumbersAndOtherWordsBesideThem) {
  for (const auto& [train, test] : {std::pair("train2017", "test2017"),
                                    {"seg_train", "seg_test"},
                                    {"trn", "tst"},
                                    {"01_train", "02_test"},
                                    {"x_train", "x_test"},
                                    {"images_train", "images_test"},
                                    {"data-train", "data-test"},
                                    {"train1", "test1"},
                                    {"trainset", "testset"},
                                    {"Train Images", "Test Images"}})
    expect_layout({{fmt::format("{}/cat/1.png", train), fmt::format("{}/dog/1.png", train),
                    fmt::format("{}/cat/1.png", test)},
                   "cat 1, dog 1",
                   "cat 1"});
  for (const char* name : {"trainer", "tested", "contest", "2017", "set", "train_test", "devil", "stranger"})
    EXPECT_FALSE(side_named(name)) << name;
}

TEST(PictureLayout, FoldersBesideTheSidesAndAroundThemAreUnderstood) {
  for (const LayoutCase& one : {
           // Others beside the sides are told.
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "test/dog/1.png", "masks/1-2.png",
                       "labels/1.txt", "3.png"},
                      "cat 1, dog 1",
                      "dog 1",
                      {"beside those of the sides are left out: masks", "1 picture beside the folders of"}},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "test/1-3.png"},
                      "cat 1, dog 1",
                      "",
                      {"the side test is left out: 3 pictures there, without classes"}},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "test/unknown/1-2.png"},
                      "cat 1, dog 1",
                      "",
                      {"the side test is left out: 2 pictures there in a folder unknown, without classes"}},
           LayoutCase{{"train/cat/1.png", "train/dog/1.png", "test/test/1-2.png"},
                      "cat 1, dog 1",
                      "",
                      {"2 pictures there in a folder test, without classes"}},
           // Side names that are classes, and classes of the test side that training lacks.
           LayoutCase{{"train/1-2.png", "bus/1.png"}, "bus 1, train 2", ""},
           LayoutCase{{"test/1.png", "dev/1.png", "bus/1.png"}, "bus 1, dev 1, test 1", ""},
           LayoutCase{{"train/a/1.png", "train/b/1.png", "test/c/1.png"}, "a 1, b 1", "c 1"},
           // Archives have a folder more.
           LayoutCase{{"pets/cat/1.png", "pets/dog/1.png"}, "cat 1, dog 1", ""},
           LayoutCase{{"data/pets/train/cat/1.png", "data/pets/train/dog/1.png", "data/pets/val/cat/1.png"},
                      "cat 1, dog 1",
                      "cat 1",
                      {kValidationTaken}},
           LayoutCase{{"train/train/cat/1.png", "train/train/dog/1.png", "test/test/dog/1.png",
                       "test/test/cat/1.png"},
                      "cat 1, dog 1",
                      "cat 1, dog 1"},
           LayoutCase{{"images/cat/1.png", "images/dog/1.png", "labels/1.txt"}, "cat 1, dog 1", ""},
       })
    expect_layout(one);
}

TEST(PictureLayout, FilmsAreFoldersInWhichNumbersRunOn) {
  constexpr const char *kFlat = "below the class folders are taken for pictures of the class",
                       *kFilms = "each of which stays on one side";
  for (const LayoutCase& one : {
           LayoutCase{{"cat/images/1-4.png", "dog/images/1-4.png"}, "cat 4, dog 4", "", {kFlat}},
           LayoutCase{{"cat/cats/1-4.png", "dog/dogs/1-4.png"}, "cat 4, dog 4", "", {kFlat}},
           LayoutCase{{"train/cat/images/1-4.png", "train/dog/images/1-2.png", "test/cat/images/1.png",
                       "test/dog/images/1.png"},
                      "cat 4, dog 2",
                      "cat 1, dog 1",
                      {kFlat}},
           LayoutCase{{"cat/a/1-4.png", "cat/b/7-9.png", "dog/c/1-2.png"}, "cat 7, dog 2", "", {"3 films"}},
           LayoutCase{{"train/walk/a/1-3.png", "train/wave/b/1-3.png", "test/walk/c/1-3.png"},
                      "walk 3, wave 3",
                      "walk 3",
                      {kFilms}},
           LayoutCase{{"walk/a/left/1-2.png", "walk/a/right/1-2.png", "walk/b/left/1-2.png",
                       "walk/b/right/1-2.png", "wave/c/left/1.png", "wave/c/right/1.png"},
                      "walk 8, wave 2",
                      "",
                      {kFilms}},
           // Numbers with gaps, of several names, or none.
           LayoutCase{
               {"cat/a/1.png", "cat/a/3.png", "cat/b/1-2.png", "dog/c/1.png"}, "cat 4, dog 1", "", {kFlat}},
           LayoutCase{{"cat/a/x1.png", "cat/a/y2.png", "cat/b/1-2.png", "dog/c/1-2.png"},
                      "cat 4, dog 2",
                      "",
                      {kFlat}},
           LayoutCase{{"cat/a/tom.png", "cat/b/1-2.png", "dog/c/1-2.png"}, "cat 3, dog 2", "", {kFlat}},
           LayoutCase{{"cat/a/1.png", "cat/b/1.png", "dog/c/1.png"}, "cat 2, dog 1", "", {kFlat}},
           // Pictures of a class at several depths.
           LayoutCase{
               {"cat/1-3.png", "cat/more/1-3.png", "dog/1.png"}, "cat 6, dog 1", "", {"1 folder below"}},
           LayoutCase{
               {"cat/a/b/c/1.png", "cat/d/2.png", "dog/1.png"}, "cat 2, dog 1", "", {"2 folders below"}},
           // As asked.
           LayoutCase{
               {"cat/a/1-4.png", "cat/b/7-9.png", "dog/c/1-2.png"}, "cat 7, dog 2", "", {kFlat}, Films::kNo},
           LayoutCase{{"cat/images/1-4.png", "dog/images/1.png"}, "cat 4, dog 1", "", {}, Films::kYes},
       })
    expect_layout(one);
}

TEST(PictureLayout, FilmsStayTogether) {
  const TemporaryFolder folder;
  write(folder, {"cat/a/1-2.png", "cat/b/1-2.png", "dog/c/1-2.png"});
  const auto sequences = [&](Films films) {
    std::vector<std::uint32_t> numbers;
    const auto layout = find_pictures(folder.path(), films);
    for (const PictureEntry& entry : layout->train) numbers.push_back(entry.sequence);
    return numbers;
  };
  EXPECT_THAT(sequences(Films::kAuto), ::testing::ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(sequences(Films::kNo), ::testing::ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(PictureLayout, WhatIsNoPictureIsCountedByItsEnding) {
  for (const LayoutCase& one : {
           LayoutCase{{"cat/1.png", "cat/notes.txt", "cat/b.gif", "dog/1.png", "dog/c.gif", "dog/d"},
                      "cat 1, dog 1",
                      "",
                      {"4 files that are no pictures left out: 2 .gif, 1 without an ending, 1 .txt"}},
           LayoutCase{{"cat/1.png", "dog/1.png", "dog/a.1", "dog/a.2", "dog/a.3", "dog/a.4", "dog/a.5",
                       "dog/a.6", "dog/a.7"},
                      "cat 1, dog 1",
                      "",
                      {"7 files that are no pictures left out: 1 .1, 1 .2, 1 .3, 1 .4, 1 .5, 2 others"}},
           // Left by systems, never by people.
           LayoutCase{{"cat/1.png", "dog/1.png", "__MACOSX/cat/._1.png", "cat/._1.png", "cat/.DS_Store",
                       "@eaDir/cat/1.png", "dog/@eaDir/1.png", "dog/Thumbs.db", "desktop.ini",
                       "$RECYCLE.BIN/1.png", "#recycle/a/1.png"},
                      "cat 1, dog 1",
                      ""},
       })
    expect_layout(one);
}

TEST(PictureLayout, ContentTellsAPictureWhereItsNameDoesNot) {
  const TemporaryFolder folder;
  const std::string bitmap = "P1 2 2\n1 0 0 1\n";
  for (const char* name : {"cat/a.jfif", "cat/b", "cat/c.pbm", "dog/d.img"}) folder.write(name, bitmap);
  folder.write("dog/BMW.txt", "BMW is a maker of cars");
  folder.write("dog/P2.txt", "P2 is a part");
  const auto layout = find_pictures(folder.path());
  ASSERT_LOADS(layout);
  EXPECT_EQ(counts(layout->train, *layout), "cat 3, dog 1");
  EXPECT_THAT(layout->warnings, ::testing::ElementsAre(::testing::HasSubstr("2 .txt")));
}

TEST(PictureLayout, LinksThatLeadBackAreRefused) {
  for (const auto& [from, to] : {std::pair("x/loop", ".."), {"x/loop", "."}, {"x/loop", "../y"}}) {
    const TemporaryFolder folder;
    write(folder, {"x/1.png", "y/2.png"});
    std::filesystem::create_directory_symlink(to, folder.path() / from);
    if (std::string_view(to) == "../y") std::filesystem::create_directory_symlink("../x", folder / "y/back");
    expect_input_error(pictures_below(folder.path()), {from, "a link to a folder that holds it"});
    if (std::string_view(to) != "../y")
      expect_input_error(find_pictures(folder.path()), {from, "a link to a folder that holds it"});
  }
  const TemporaryFolder folder;  // a link to a folder elsewhere is one of its folders
  write(folder, {"data/x/1.png", "more/2.png"});
  std::filesystem::create_directory_symlink("../../more", folder / "data/x/more");
  EXPECT_EQ(pictures_below(folder / "data")->pictures.size(), 2u);
}

TEST(PictureLayout, AnythingElseIsAnError) {
  const struct {
    std::vector<std::string> files;
    std::vector<std::string> words;
    TestSide side = TestSide::kAuto;
  } cases[] = {
      {{"train/cat/1.png", "training/dog/1.png", "test/cat/1.png"}, {"train, training", "names of one side"}},
      {{"train/cat/1.png", "val/cat/1.png", "dev/cat/1.png"}, {"dev, val", "names of one side"}},
      {{"test/cat/1.png", "test/dog/1.png"}, {"found test, but no side to train on"}},
      {{"val/cat/1.png", "test/dog/1.png"}, {"no side to train on"}},
      {{"train/cat/1.png", "bus/1.png"}, {"found the folder train beside others", "path: "}},
      {{"test/cat/1.png", "cat/1.png", "dog/1.png"}, {"found the folder test beside others"}},
      {{"cat/1.png", "dog/a.gif", "dog/b.txt"}, {"dog: found no images", "1 .gif, 1 .txt", "expected .png"}},
      {{"a.gif"}, {"found no class folders"}},
      {{"train/cat/1.png", "train/dog/1.png", "test/Cat/1.png"}, {"the class Cat in the side test", "cat"}},
      // Sides, folds and persons, whose names nobody knows, above the classes; sides below them.
      {{"tr/cat/1-2.png", "tr/dog/1-2.png", "te/cat/1-2.png", "te/dog/1-2.png"},
       {"the same folders (cat, dog) in each of te", "folders of the classes on top", "'films: false'"}},
      {{"fold1/cat/a.png", "fold1/dog/b.png", "fold2/cat/c.png", "fold2/dog/d.png"}, {"(cat, dog)", "fold1"}},
      {{"cat/train/1-2.png", "cat/test/1.png", "dog/train/1-2.png", "dog/test/1.png"},
       {"(test, train)", "the folders of the sides above"}},
      {{"train/cat/1.png", "train/dog/1.png", "val/cat/1.png"}, {"no test side"}, TestSide::kTest},
      {{"train/cat/1.png", "train/dog/1.png", "test/cat/1.png"},
       {"no validation side"},
       TestSide::kValidation},
      {{"cat/1.png", "dog/1.png"}, {"no validation side"}, TestSide::kValidation},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(one.files, " ")));
    const TemporaryFolder folder;
    write(folder, one.files);
    auto layout = find_pictures(folder.path());
    const Status status = layout.ok() ? choose_test_side(one.side, *layout) : Status(layout.error());
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().kind, ErrorKind::kInput);
    for (const std::string& word : one.words) EXPECT_THAT(status.error().message, ::testing::HasSubstr(word));
  }
}

}  // namespace
}  // namespace mash
