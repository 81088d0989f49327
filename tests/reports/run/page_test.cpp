// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run/page.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <string>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/dataset/image_file.hpp"
#include "framework/render/picture.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;
using mash::testing::is_well_formed;
using ::testing::HasSubstr;
using ::testing::Not;

class RunPageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }

  std::int64_t record(std::uint64_t seed = 1, std::size_t num_wrong = 3) {
    const auto id = sample::record(*records_, sample::start("demo", seed), data_, families_,
                                   {sample::use(3, 7), sample::use(1, 3)}, num_wrong);
    EXPECT_TRUE(id.ok()) << (id.ok() ? "" : id.error().message);
    return id.ok() ? *id : -1;
  }

  Result<page::Piece> page_of(std::int64_t id, const Dataset& dataset) {
    MASH_ASSIGN(const RunRecord read, read_run(*records_, id));
    return run_page(read, dataset);
  }
  std::string report(std::int64_t id) {
    const Result<page::Piece> page = page_of(id, data_);
    EXPECT_TRUE(page.ok()) << (page.ok() ? "" : page.error().message);
    return page.ok() ? page->html.markup : "";
  }

  sample::Folder folder_;
  Dataset data_ = sample::dataset();
  std::vector<FamilyRow> families_ = {sample::family("hog"), sample::family("lbp", "Bob <b>")};
  std::unique_ptr<Records> records_;
};

TEST_F(RunPageTest, HasAllParts) {
  const std::string html = report(record());
  EXPECT_TRUE(is_well_formed(html));
  for (const char* part : {"Test error", "Families in the model", "Learning curve", "Confusion matrix",
                           "Worst mistakes", "Reproduce it", "<main>", "<header>", "<nav aria-label="}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  EXPECT_EQ(count(html, "<svg "), 4u) << "error and loss, each for wide and for narrow pages";
  EXPECT_EQ(count(html, "role=\"img\""), 4u);
  EXPECT_EQ(count(html, "<h1>"), 1u);
}

TEST_F(RunPageTest, NeedsNoNetworkAndNoScript) {
  const std::string html = report(record());
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("http://")));
  EXPECT_THAT(html, Not(HasSubstr("https://")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
}

TEST_F(RunPageTest, ShowsWhatWasRecorded) {
  const std::string html = report(record(7));
  EXPECT_THAT(html, HasSubstr("<dd>50.00 %<small>on 6 examples</small>")) << "3 of 6 are wrong";
  EXPECT_THAT(html, HasSubstr("75.00 %")) << "hog's share of alpha, 3 of 4";
  EXPECT_THAT(html, HasSubstr("mash run demo.yaml"));
  EXPECT_THAT(html, HasSubstr(std::string(64, 'a'))) << "hash of a data file";
  EXPECT_THAT(html, HasSubstr("booster: {name: adaboost.mh}"));
}

TEST_F(RunPageTest, ManyFilesAreALine) {
  for (std::size_t i = 0; i < 60'000; ++i)
    data_.sources.push_back({"toy/letters/" + std::to_string(i) + ".png", std::string(64, 'd'), 1000});
  const std::string html = report(record());
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(html, HasSubstr("fingerprint f0; 60002 files below toy, 60.0 MB."));
  EXPECT_THAT(html, Not(HasSubstr(std::string(64, 'd'))));
  EXPECT_LT(html.size(), 100'000u);
}

TEST_F(RunPageTest, FamiliesThatWereNeverChosenAreALine) {
  families_ = {sample::family("hog"), sample::family("lbp"), sample::family("dct")};
  const auto id = sample::record(*records_, sample::start(), data_, families_,
                                 {sample::use(3, 7), sample::use(0, 0), sample::use(0, 0)}, 3);
  ASSERT_TRUE(id.ok());
  const std::string html = report(*id);
  EXPECT_THAT(html, HasSubstr("2 families were never chosen: dct, lbp."));
}

TEST_F(RunPageTest, MarkdownSaysTheSame) {
  const auto made = page_of(record(7), data_);
  ASSERT_TRUE(made.ok());
  const std::string& text = made->markdown;
  EXPECT_THAT(text, ::testing::StartsWith("# demo\n\ntoy with adaboost.mh"));
  EXPECT_THAT(text, HasSubstr("| Test error | 50.00 % | on 6 examples |"));
  EXPECT_THAT(text, HasSubstr("\n## Learning curve\n\n**Error**\n\n"));
  EXPECT_THAT(text, HasSubstr("| round | test error | training error |\n|---:|---:|---:|\n| 1 |"));
  EXPECT_THAT(text, HasSubstr("Bob \\<b>"));
  EXPECT_THAT(text, HasSubstr("- test image 2 (test.idx#2): true two & \\<more>, predicted zero, margin −0.38\n"));
  EXPECT_THAT(text, HasSubstr("```\nmash run demo.yaml\n```\n"));
}

TEST_F(RunPageTest, EscapesNames) {
  const std::string html = report(record());
  EXPECT_THAT(html, HasSubstr("Bob &lt;b&gt;"));
  EXPECT_THAT(html, HasSubstr("two &amp; &lt;more&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("Bob <b>")));
}

TEST_F(RunPageTest, MistakesAreSortedByMargin) {
  const std::string html = report(record());
  // Example 2 is the worst: f = (1.5, 0, 0) with the label 2, so its margin is -1.5 / 4.
  const std::size_t worst =
      html.find("true <b>two &amp; &lt;more&gt;</b>, predicted <b>zero</b>, margin −0.38");
  const std::size_t next =
      html.find("true <b>one</b>, predicted <b>two &amp; &lt;more&gt;</b>, margin −0.25");
  ASSERT_NE(worst, std::string::npos);
  ASSERT_NE(next, std::string::npos);
  EXPECT_LT(worst, next);
  EXPECT_EQ(count(html, "data:image/png;base64,"), 3u);
  EXPECT_THAT(html, HasSubstr("alt=\"Test image 2: true two &amp; &lt;more&gt;, predicted zero\""));
}

TEST_F(RunPageTest, ConfusionCountsAreInTheirCells) {
  const std::string html = report(record());
  // The first of the two "zero" was taken for "one".
  EXPECT_THAT(
      html, HasSubstr("<th scope=\"row\">zero</th><td class=\"right\">1</td><td style=\"--share:1.00\">1</td>"
                      "<td class=\"none\">·</td><td class=\"right number\">50.00 %</td>"));
}

TEST_F(RunPageTest, SeveralRunsHaveAMeanWithAnInterval) {
  record(1, 1);
  record(2, 2);
  // 1/6 and 2/6: mean 25 %, deviation 1/12 * sqrt(2), times 12.7062 / sqrt(2).
  EXPECT_THAT(report(record(3, 3)), HasSubstr("over 3 runs"));
  EXPECT_THAT(report(1), HasSubstr("33.33 % ± 41.40 over 3 runs"));
}

TEST_F(RunPageTest, NoMistakesIsSaid) {
  EXPECT_THAT(report(record(1, 0)), HasSubstr("Every test example is classified rightly"));
}

TEST_F(RunPageTest, TablesHaveNoPictures) {
  data_.shape = {};
  data_.test.pixels.clear();
  data_.column_names = {"width", "height"};
  const std::string html = report(record());
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"number\">test row</th>"));
}

TEST_F(RunPageTest, ManyClassesAreListedAsPairs) {
  for (std::size_t i = data_.class_names.size(); i < 40; ++i)
    data_.class_names.push_back("class " + std::to_string(i));
  const std::string html = report(record());
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(html, HasSubstr("confused most often, of 40 classes"));
}

TEST_F(RunPageTest, ARunWithoutAnEndIsReportedAsFarAsItGot) {
  const auto id = records_->begin(sample::start(), data_, families_);
  ASSERT_TRUE(id.ok());
  records_->recorder(*id)->on_round(sample::round(1));
  const std::string html = report(*id);
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(html, HasSubstr("status: <b>running</b>"));
  EXPECT_THAT(html, HasSubstr("No prediction of a test example is recorded"));
  EXPECT_THAT(html, HasSubstr("Training loss, log10"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
}

TEST_F(RunPageTest, AnUnknownRunIsRefused) {
  record();
  const Result<page::Piece> page = page_of(99, data_);
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kInput);
  EXPECT_THAT(page.error().message, HasSubstr("has no run 99; the latest are: 1 (demo)"));
}

TEST_F(RunPageTest, AnotherDataSetIsRefused) {
  const std::int64_t id = record();
  const Result<page::Piece> page = page_of(id, sample::dataset(6, "other"));
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kInput);
  EXPECT_THAT(page.error().message, HasSubstr("fingerprint f0, found toy with other"));
}

TEST_F(RunPageTest, WhatTheFamiliesContributeStandsBehindTheirLeaderboard) {
  const auto read = read_run(*records_, record());
  ASSERT_TRUE(read.ok());
  const page::Section contribution[] = {{"gains", "Gains <of all>", page::note("here")}};
  const auto page = run_page(*read, data_, contribution);
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(is_well_formed(page->html.markup));
  const auto place = [&](const char* text) { return page->html.markup.find(text); };
  EXPECT_LT(place("id=\"families\""), place("id=\"gains\""));
  EXPECT_LT(place("id=\"gains\""), place("id=\"confusion\""));
  EXPECT_LT(place("href=\"#gains\""), place("<main>"));
  EXPECT_THAT(page->html.markup, HasSubstr("Gains &lt;of all&gt;"));
}

// The pixels of a picture in an address, in three channels.
std::vector<std::uint8_t> decode(const std::string& address) {
  const std::string prefix = "data:image/png;base64,";
  EXPECT_EQ(address.substr(0, prefix.size()), prefix);
  const std::string text = address.substr(prefix.size());
  std::string png(text.size(), '\0');
  EVP_DecodeBlock(reinterpret_cast<unsigned char*>(png.data()),
                  reinterpret_cast<const unsigned char*>(text.data()), int(text.size()));
  const auto image = decode_image({png, {"page", "", 0}});
  EXPECT_TRUE(image.ok());
  return image.ok() ? image->pixels : std::vector<std::uint8_t>();
}

TEST(Picture, GreyPixelsComeBack) {
  const std::vector<std::uint8_t> pixels = {0, 50, 100, 150, 200, 255};
  const std::vector<std::uint8_t> found = decode(*png_data_uri(pixels, {3, 2, 1}));
  ASSERT_EQ(found.size(), 3 * pixels.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], pixels[i / 3]) << i;
}

TEST(Picture, RedIsRed) {
  const std::vector<std::uint8_t> red = {255, 10, 0};
  EXPECT_EQ(decode(*png_data_uri(red, {1, 1, 3})), red);
}

TEST(Picture, NoPixelsIsAnError) { EXPECT_FALSE(png_data_uri({}, {0, 0, 1}).ok()); }

}  // namespace
}  // namespace mash
