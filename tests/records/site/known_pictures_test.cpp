// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/known_pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/published.hpp"
#include "framework/dataset/readers/formats.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string_view known(const std::string& dataset) {
  return known_to_all({0, "digits", "dataset: " + dataset + "\nheuristics: all\n", 8});
}

TEST(KnownPictures, ThoseOfAGeneratorCanBeMade) {
  for (const DatasetFormat& format : dataset_formats()) {
    const std::string name(format.name);
    EXPECT_EQ(known("{name: " + name + "}").find("can be made by anybody") != std::string_view::npos,
              format.is_generated)
        << name;
  }
  EXPECT_THAT(known("{name: digits, train: \"6000\"}"), HasSubstr("as its data are generated"));
}

TEST(KnownPictures, ThoseOfAPublishedDataSetCanBeDownloaded) {
  for (const PublishedDataset& published : published_datasets())
    EXPECT_THAT(known("{name: " + std::string(published.name) + "}"), HasSubstr("can be downloaded"))
        << published.name;
  for (const char* dataset :
       {"{name: cifar10}", "{name: stl10, path: \"/srv/stl10\"}",
        "{name: csv, path: \"/srv/pendigits/pendigits.tra.gz\", test_path: \"pendigits/pendigits.tes.gz\"}",
        "{name: folder, path: \"inria-person\"}"})
    EXPECT_THAT(known(dataset), HasSubstr("can be downloaded by anybody")) << dataset;
}

TEST(KnownPictures, PicturesOfOnesOwnAreNobodysBusiness) {
  for (const char* dataset : {"{name: folder, path: \"/srv/sheet-3\"}", "{name: csv, path: \"digits.csv\"}",
                              "{name: sheet-3}", "{name: digits-2}"})
    EXPECT_THAT(known(dataset), IsEmpty()) << dataset;
  EXPECT_THAT(known_to_all({0, "digits", "heuristics: all\n", 8}), IsEmpty());
  EXPECT_THAT(remark_on_known_pictures({0, "digits", "dataset: {name: sheet-3}\n", 8}), IsEmpty());
}

TEST(KnownPictures, TheOperatorHearsWhatToTakeForGrades) {
  EXPECT_EQ(
      remark_on_known_pictures({0, "demo", "seed: 1\ndataset: {name: mnist}\n", 8}),
      "board demo: the pictures of its private part can be downloaded by anybody, as its data are "
      "published; for grades take pictures of your own that nobody else has: docs/operations.md, A course");
}

}  // namespace
}  // namespace mash
