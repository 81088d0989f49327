// SPDX-License-Identifier: Apache-2.0
// Another split of the same pictures: the codes of a fresh extraction, and nothing is computed again.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "framework/base/file.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/extractors/in_process_host.hpp"
#include "framework/families/by_content/store_setting.hpp"
#include "framework/families/extraction_plan.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/families/store_content.hpp"
#include "framework/families/stored_family.hpp"
#include "tests/support/film.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::FakeHost;
using testing::ScratchFolder;

constexpr std::uint32_t kSplitDim = 30;

// Pictures with these numbers, as numbered_images has them.
Dataset split_of(const std::vector<std::uint32_t>& train, const std::vector<std::uint32_t>& test,
                 const std::string& fingerprint) {
  Dataset dataset = testing::numbered_images(std::vector<std::uint16_t>(train.size()),
                                             std::vector<std::uint16_t>(test.size()), 2);
  const auto put = [](Split& side, const std::vector<std::uint32_t>& numbers) {
    for (std::size_t n = 0; n < numbers.size(); ++n)
      std::memcpy(&side.pixels[n * sizeof(std::uint32_t)], &numbers[n], sizeof(std::uint32_t));
  };
  put(dataset.train, train);
  put(dataset.test, test);
  dataset.fingerprint = fingerprint;
  return dataset;
}

std::vector<std::uint32_t> numbers(std::uint32_t first, std::uint32_t count, std::uint32_t step = 1) {
  std::vector<std::uint32_t> all(count);
  for (std::uint32_t i = 0; i < count; ++i) all[i] = first + i * step;
  return all;
}

// All of a file of codes but the first page, which has the checksum, and the note, which has seconds.
std::string codes_in(const fs::path& store, const FamilySpec& spec, const Dataset& dataset) {
  const fs::path path = store / store_key(spec, dataset) / "codes.mash";
  const auto file =
      FamilyFile::open(path, {kSplitDim, dataset.train.num_examples, dataset.test.num_examples});
  if (!file.ok()) return file.error().message;
  const std::string content = *read_file(path);
  constexpr std::size_t kPage = 4096;
  const std::size_t note = content.rfind(file->note());
  return content.substr(kPage, note - kPage);
}

class AnotherSplit : public ::testing::Test {
 protected:
  AnotherSplit() {
    spec = host.add({"mine", kSplitDim, [](std::uint32_t number, std::uint32_t feature) {
                       const std::uint32_t noise = (number * 2654435761u + feature * 40503u) >> 9;
                       if (noise % 97 == 0) return std::numeric_limits<float>::quiet_NaN();
                       return float(noise % 1000) / 7;
                     }});
  }

  Result<FeatureSet> open(const Dataset& dataset, const fs::path& store, int num_threads = 2) {
    const Workers workers(num_threads);
    host.forget_images();
    StoreSettings settings{store, limit, keep_values, false};
    return FeatureSet::open(std::vector{spec}, settings,
                            {host, dataset, {workers, no_progress(), no_remarks(), stop}});
  }
  // The codes with the values that are kept are those of a fresh store.
  void expect_codes_of_a_fresh_store(const Dataset& dataset, int num_threads = 2) {
    ASSERT_TRUE(open(dataset, kept, num_threads).ok());
    const std::size_t num_images = host.num_images;
    const fs::path fresh = folder / ("fresh-" + dataset.fingerprint);
    ASSERT_TRUE(open(dataset, fresh).ok());
    EXPECT_TRUE(codes_in(kept, spec, dataset) == codes_in(fresh, spec, dataset));
    num_computed = num_images;
  }

  ScratchFolder folder;
  fs::path kept = folder / "kept";
  FakeHost host;
  FamilySpec spec;
  StopFlag stop;
  std::uint64_t limit = ~std::uint64_t(0);
  bool keep_values = false;
  std::size_t num_computed = 0;
  Dataset first = split_of(numbers(0, 600), numbers(600, 300), "first");
};

TEST_F(AnotherSplit, ComputesNothingAgain) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(first);
  EXPECT_EQ(num_computed, 900u);
  expect_codes_of_a_fresh_store(split_of(numbers(1, 450, 2), numbers(0, 450, 2), "second"), 3);
  EXPECT_EQ(num_computed, 0u);
  expect_codes_of_a_fresh_store(split_of(numbers(899, 300, std::uint32_t(-1)), numbers(0, 9), "third"), 1);
  EXPECT_EQ(num_computed, 0u);
}

TEST_F(AnotherSplit, ComputesThePicturesThatAreNew) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(first);
  std::vector<std::uint32_t> train = numbers(300, 500);
  for (const std::uint32_t more : numbers(5000, 70)) train.insert(train.begin() + more % 300, more);
  const Dataset more = split_of(train, numbers(10, 20), "more");
  for (const int num_threads : {1, 3}) {
    fs::remove_all(kept / store_key(spec, more));
    expect_codes_of_a_fresh_store(more, num_threads);
    EXPECT_EQ(num_computed, num_threads == 1 ? 70u : 0u);
  }
}

TEST_F(AnotherSplit, IsComputedWhereTheStoreKeepsNone) {
  expect_codes_of_a_fresh_store(first);
  expect_codes_of_a_fresh_store(split_of(numbers(300, 600), numbers(0, 300), "second"));
  EXPECT_EQ(num_computed, 900u);
  EXPECT_FALSE(fs::exists(kept / kByContentFolder));
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(split_of(numbers(200, 700), numbers(0, 200), "third"));
  EXPECT_EQ(num_computed, 900u) << "nothing was kept until now";
  ASSERT_TRUE(set_keeps_values(kept, false).ok());
  expect_codes_of_a_fresh_store(split_of(numbers(100, 800), numbers(0, 100), "fourth"));
  EXPECT_EQ(num_computed, 900u) << "what is kept is not looked at";
}

// Values of another build, other settings or another seed are others.
TEST_F(AnotherSplit, OfAnotherBuildIsComputed) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(first);
  const Dataset second = split_of(numbers(300, 600), numbers(0, 300), "second");
  spec.heuristic.plugin_sha256 = "rebuilt";
  expect_codes_of_a_fresh_store(second);
  EXPECT_EQ(num_computed, 900u);
  spec.values = {17};  // a seed that was drawn
  spec.settings = "seed=17";
  expect_codes_of_a_fresh_store(second);
  EXPECT_EQ(num_computed, 900u);
}

// Values of a foreign heuristic are compared before they are kept, and need it no more when they are taken.
TEST_F(AnotherSplit, OfAForeignHeuristicToo) {
  host.is_every_family_shipped = false;
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(first);
  EXPECT_GT(num_computed, 900u) << "a part is computed again, and timed";
  expect_codes_of_a_fresh_store(split_of(numbers(300, 600), numbers(0, 300), "second"));
  EXPECT_EQ(num_computed, 0u);
  expect_codes_of_a_fresh_store(split_of(numbers(300, 601), numbers(0, 300), "third"));
  EXPECT_GT(num_computed, 1u) << "the one that is new is compared as well";
}

TEST_F(AnotherSplit, HasItsValuesForExactCuts) {
  keep_values = true;
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(first);
  const Dataset second = split_of(numbers(450, 450), numbers(0, 450), "second");
  const auto features = open(second, kept);
  ASSERT_TRUE(features.ok());
  EXPECT_EQ(host.num_images, 0u);
  const auto fresh = open(second, folder / "fresh");
  std::vector<float> taken(450), computed(450);
  for (std::uint32_t j = 0; j < kSplitDim; ++j) {
    features->values(Side::kTrain, j, taken);
    fresh->values(Side::kTrain, j, computed);
    ASSERT_TRUE(std::ranges::equal(std::as_bytes(std::span(taken)), std::as_bytes(std::span(computed)))) << j;
  }
}

// Ended after any picture, the store is readable, and the next extraction takes what was kept.
TEST_F(AnotherSplit, GoesOnAfterAnErrorInTheMiddle) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(split_of(numbers(0, 300), numbers(300, 100), "few"));
  const Dataset many = split_of(numbers(100, 700), numbers(0, 100), "many");
  std::atomic<int> left = 300;
  host.before_image = [&](std::uint32_t) -> Status {
    return --left < 0 ? failure("the process is ended here") : Status(Done{});
  };
  EXPECT_FALSE(open(many, kept, 1).ok());
  host.before_image = [](std::uint32_t) -> Status { return Done{}; };
  expect_codes_of_a_fresh_store(many);
  EXPECT_LT(num_computed, 400u) << "of 400 that are new";
}

TEST_F(AnotherSplit, DamagedValuesAreComputedAgain) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  expect_codes_of_a_fresh_store(first);
  fs::path rows;
  for (const auto& entry : fs::recursive_directory_iterator(kept / kByContentFolder))
    if (entry.path().extension() == ".rows") rows = entry.path();
  std::string content = *read_file(rows);
  content[content.size() - 5] = char(content[content.size() - 5] ^ 4);
  ASSERT_TRUE(write_file_atomically(rows, content).ok());
  expect_codes_of_a_fresh_store(split_of(numbers(300, 600), numbers(0, 300), "second"));
  EXPECT_EQ(num_computed, 1u);
}

TEST_F(AnotherSplit, IsCountedWithItsValues) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  const StoreSettings settings{kept}, other{folder / "other"};
  EXPECT_EQ(store_bytes(kSplitDim, settings, first),
            store_bytes(kSplitDim, other, first) + value_rows_bytes(kSplitDim, 900));
  ASSERT_TRUE(open(first, kept).ok());
  EXPECT_EQ(stored_bytes(spec, settings, first), store_bytes(kSplitDim, settings, first));
  limit = store_bytes(kSplitDim, settings, first) - 1;
  const auto features = open(split_of(numbers(300, 600), numbers(0, 300), "second"), kept);
  ASSERT_TRUE(features.ok());
  EXPECT_TRUE(features->families()[0].lazy) << "codes alone would have room";
}

TEST_F(AnotherSplit, IsListedAndPruned) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  const auto features = open(first, kept);
  ASSERT_TRUE(features.ok());
  const StoreContent content = *read_store(kept);
  ASSERT_EQ(content.families.size(), 2u);
  const auto values = std::ranges::find_if(content.families, &StoredEntry::is_by_content);
  ASSERT_NE(values, content.families.end());
  EXPECT_EQ(values->label.heuristic, "mine");
  EXPECT_EQ(values->label.dataset, "");
  EXPECT_TRUE(values->is_whole);
  EXPECT_GE(values->num_bytes, value_rows_bytes(kSplitDim, 900));
  EXPECT_TRUE(content.others.empty());
  const auto now = std::chrono::system_clock::now();
  EXPECT_TRUE(prune_store(kept, {.dataset = first.name, .dry_run = true}, now)->removed.empty())
      << "they are of no data set, and the codes are in use";
  EXPECT_TRUE(prune_store(kept, {.only_unfinished = true}, now)->removed.empty());
  const auto pruned = prune_store(kept, {}, now);
  ASSERT_TRUE(pruned.ok()) << pruned.error().message;
  ASSERT_EQ(pruned->removed.size(), 1u) << "the codes are in use";
  EXPECT_TRUE(pruned->removed[0].is_by_content);
  EXPECT_FALSE(fs::exists(values->folder));
  EXPECT_TRUE(keeps_values(kept)) << "the setting stays";
}

TEST_F(AnotherSplit, CostsNothingInThePlan) {
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  ASSERT_TRUE(open(first, kept).ok());
  const Workers workers(1);
  const Dataset half = split_of(numbers(450, 900), numbers(0, 10), "half");
  PictureKeys keys(half, workers);
  const ExtractionContext context{host, half, {workers, no_progress(), no_remarks(), stop}, &keys};
  EXPECT_NEAR(share_missing(spec, kSplitDim, {kept}, context), 450.0 / 910, 1e-12);
}

// Films are kept as a whole: what a picture looks back at decides its values.
TEST(AnotherSplitOfFilms, ComputesNothingAgain) {
  const ScratchFolder folder;
  const auto films_in = [](std::vector<std::size_t> train, std::uint64_t seed,
                           const std::string& fingerprint) {
    Dataset dataset;
    dataset.name = "films";
    dataset.class_names = {"a", "b"};
    dataset.shape = {3, 2, 1, 2};
    dataset.train = testing::films(train, dataset.shape, seed);
    dataset.test = testing::films({30, 80}, dataset.shape, 2);
    dataset.fingerprint = fingerprint;
    return dataset;
  };
  FamilySpec spec;
  spec.name = "film";
  spec.heuristic = describe_in_process(*read_plugin_file(MASH_FILM))->front();
  spec.values = {0};
  InProcessHost host{no_remarks()};
  const Workers workers(2);
  StopFlag stop;
  const fs::path kept = folder / "kept", fresh = folder / "fresh";
  ASSERT_TRUE(set_keeps_values(kept, true).ok());
  const auto open = [&](const Dataset& dataset, const fs::path& store) {
    return FeatureSet::open(std::vector{spec}, {store},
                            {host, dataset, {workers, no_progress(), no_remarks(), stop}});
  };
  const Dataset first = films_in({300, 1, 2, 400, 7}, 1, "first");
  Dataset swapped = first;  // the sides change places
  std::swap(swapped.train, swapped.test);
  swapped.fingerprint = "swapped";
  ASSERT_TRUE(open(first, kept).ok());
  PictureKeys keys(swapped, workers);
  const ExtractionContext context{host, swapped, {workers, no_progress(), no_remarks(), stop}, &keys};
  const std::uint32_t dim = *family_dim(spec, context);
  EXPECT_EQ(share_missing(spec, dim, {kept}, context), 0);
  const auto taken = open(swapped, kept), computed = open(swapped, fresh);
  ASSERT_TRUE(taken.ok() && computed.ok());
  for (std::uint32_t j = 0; j < dim; ++j)
    for (const Side side : {Side::kTrain, Side::kTest})
      ASSERT_TRUE(std::ranges::equal(taken->column(side, j).codes, computed->column(side, j).codes)) << j;
}

}  // namespace
}  // namespace mash
