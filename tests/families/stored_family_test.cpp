// SPDX-License-Identifier: Apache-2.0
#include "framework/families/stored_family.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "framework/base/cpu_watch.hpp"
#include "framework/base/file.hpp"
#include "tests/support/resident_bytes.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::FakeFamily;
using testing::FakeHost;
using testing::ScratchFolder;

constexpr std::size_t kTrain = 900, kTest = 300;  // five tiles, the last not full
constexpr std::uint32_t kDim = 40;

float stored_value_of(std::uint32_t example, std::uint32_t feature_idx) {
  return float((example * (2 * feature_idx + 1) + feature_idx) % (20 + 30 * feature_idx));
}

class Store : public ::testing::Test {
 protected:
  Store() { spec = host.add({"fake", kDim, stored_value_of}); }

  Result<std::unique_ptr<StoredFamily>> obtain(int num_threads = 2, std::uint32_t dim = kDim) {
    const Workers workers(num_threads);
    info = FamilyInfo{};
    info.spec = spec;
    info.dim = dim;
    return StoredFamily::obtain(info, settings,
                                {host, dataset, {workers, no_progress(), no_remarks(), stop}});
  }
  fs::path codes_path() const { return settings.folder / store_key(spec, dataset) / "codes.mash"; }
  fs::path values_path() const { return settings.folder / store_key(spec, dataset) / "values.part"; }

  ScratchFolder folder;
  FakeHost host;
  FamilySpec spec;
  Dataset dataset =
      testing::numbered_images(std::vector<std::uint16_t>(kTrain), std::vector<std::uint16_t>(kTest), 2);
  StoreSettings settings{folder / "store", ~std::uint64_t(0), false, false};
  StopFlag stop;
  FamilyInfo info;
};

void expect_codes_of_values(const StoredFamily& family) {
  for (std::uint32_t j = 0; j < kDim; ++j) {
    const Thresholds thresholds(family.file().thresholds(j));
    const auto train = family.column(Side::kTrain, j).codes, test = family.column(Side::kTest, j).codes;
    ASSERT_EQ(train.size(), kTrain);
    ASSERT_EQ(test.size(), kTest);
    for (std::uint32_t n = 0; n < kTrain; ++n) ASSERT_EQ(train[n], thresholds.code(stored_value_of(n, j)));
    for (std::uint32_t n = 0; n < kTest; ++n)
      ASSERT_EQ(test[n], thresholds.code(stored_value_of(kTrain + n, j)));
    std::vector<float> values(kTrain);
    for (std::uint32_t n = 0; n < kTrain; ++n) values[n] = stored_value_of(n, j);
    const Thresholds expected = choose_thresholds(values);
    ASSERT_TRUE(std::ranges::equal(thresholds.values(), expected.values()))
        << "chosen on the training side alone";
  }
}

TEST_F(Store, HoldsTheCodesOfTheValues) {
  const auto family = obtain();
  ASSERT_TRUE(family.ok()) << family.error().message;
  EXPECT_GT((*family)->seconds(), 0);
  EXPECT_EQ(host.num_images, kTrain + kTest);
  EXPECT_EQ(info.num_faults, 0u);
  EXPECT_GT(info.extract_seconds, 0);
  EXPECT_FALSE(fs::exists(values_path())) << "the values are not kept unless asked for";
  expect_codes_of_values(**family);
}

TEST_F(Store, SecondTimeExtractsNothing) {
  ASSERT_TRUE(obtain().ok());
  const double seconds = info.extract_seconds;
  host.forget_images();
  const auto family = obtain();
  ASSERT_TRUE(family.ok());
  EXPECT_EQ((*family)->seconds(), 0);
  EXPECT_EQ(host.num_images, 0u);
  EXPECT_EQ(info.extract_seconds, seconds) << "what it took then is remembered";
  expect_codes_of_values(**family);
}

TEST_F(Store, FileIsTheSameForAnyNumberOfThreads) {
  std::string expected;
  for (const int num_threads : {1, 2, 3, 8}) {
    fs::remove_all(settings.folder);
    const auto family = obtain(num_threads);
    ASSERT_TRUE(family.ok());
    // All but the first page and the note, which say how long it took.
    std::string codes;
    for (std::uint32_t j = 0; j < kDim; ++j)
      for (const Side side : {Side::kTrain, Side::kTest}) {
        const auto column = (*family)->column(side, j).codes;
        codes.append(column.begin(), column.end());
      }
    if (expected.empty()) expected = codes;
    EXPECT_EQ(codes, expected) << num_threads;
  }
}

TEST_F(Store, CodesAreTheSameForBandsOfAnyWidth) {
  auto values = ValuesFile::open_or_create(folder / "values", kDim, kTrain + kTest);
  ASSERT_TRUE(values.ok());
  for (std::uint32_t n = 0; n < kTrain + kTest; ++n)
    for (std::uint32_t j = 0; j < kDim; ++j)
      values->tile(n / ValuesFile::kTileExamples)[n % ValuesFile::kTileExamples * kDim + j] =
          stored_value_of(n, j);
  const auto content = [&](int num_threads, std::size_t band_bytes) {
    const fs::path path = folder / "codes";
    auto file = FamilyFile::create(path, {kDim, kTrain, kTest});
    EXPECT_TRUE(file.ok());
    quantise(*values, Workers(num_threads), *file, band_bytes);
    EXPECT_TRUE(file->seal("").ok());
    return *read_file(path);
  };
  const std::string expected = content(1, std::size_t(1) << 30);  // one band of all features
  for (const int num_threads : {1, 2}) EXPECT_TRUE(content(num_threads, 1) == expected) << num_threads;
}

TEST_F(Store, ExtractionLeavesNoValuesInMemory) {
  constexpr std::uint32_t kWide = 1024;  // a tile is 1 MiB
  // The search for what is not finite has to read to the end.
  spec = host.add({"wide", kWide, [](std::uint32_t example, std::uint32_t feature_idx) {
                     return example + 1 == kTrain + kTest ? std::numeric_limits<float>::quiet_NaN()
                                                          : float(example % (feature_idx + 2));
                   }});
  settings.keep_values = true;
  const auto family = obtain(2, kWide);
  ASSERT_TRUE(family.ok()) << family.error().message;
  EXPECT_EQ(info.num_faults, kWide);
  EXPECT_LT(testing::resident_bytes(values_path()), 1u << 20);
}

TEST_F(Store, DamagedFileIsComputedAnew) {
  ASSERT_TRUE(obtain().ok());
  std::string content = *read_file(codes_path());
  content[content.size() / 2] ^= 1;
  std::ofstream(codes_path(), std::ios::binary) << content;
  host.forget_images();
  const auto family = obtain();
  ASSERT_TRUE(family.ok()) << family.error().message;
  EXPECT_GT((*family)->seconds(), 0);
  EXPECT_EQ(host.num_images, kTrain + kTest);
  expect_codes_of_values(**family);
}

TEST_F(Store, StoppedExtractionGoesOnWhereItWas) {
  ASSERT_TRUE(obtain().ok());
  const std::string expected = *read_file(codes_path());
  fs::remove_all(settings.folder);
  host.forget_images();

  host.before_image = [&](std::uint32_t) -> Status {
    if (host.num_images == 2 * ValuesFile::kTileExamples + 5) stop.raise();
    return Done{};
  };
  const auto stopped = obtain(1);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
  EXPECT_FALSE(fs::exists(codes_path()));
  const std::size_t num_done = host.num_images / ValuesFile::kTileExamples * ValuesFile::kTileExamples;
  EXPECT_GE(num_done, 2 * ValuesFile::kTileExamples);

  host.forget_images();
  host.before_image = [](std::uint32_t) -> Status { return Done{}; };
  StopFlag fresh;
  const Workers workers(2);
  info = FamilyInfo{};
  info.spec = spec;
  info.dim = kDim;
  const auto family =
      StoredFamily::obtain(info, settings, {host, dataset, {workers, no_progress(), no_remarks(), fresh}});
  ASSERT_TRUE(family.ok());
  EXPECT_EQ(host.num_images, kTrain + kTest - num_done) << "tiles that were done are not done again";
  expect_codes_of_values(**family);
  EXPECT_EQ((read_file(codes_path()))->size(), expected.size());
}

// As after a kill between the codes and the end of their extraction, with values and without.
TEST_F(Store, CodesThatWereNotYetInTheirPlaceAreTaken) {
  fs::path partial_path = codes_path();
  partial_path.replace_extension(".part");
  for (const bool are_values_left : {true, false}) {
    ASSERT_TRUE(obtain().ok());
    const double seconds = info.extract_seconds;
    fs::rename(codes_path(), partial_path);
    if (are_values_left) std::ofstream(values_path()) << "some";
    host.forget_images();
    const auto family = obtain();
    ASSERT_TRUE(family.ok()) << family.error().message;
    EXPECT_EQ(host.num_images, 0u);
    EXPECT_EQ(info.extract_seconds, seconds);
    EXPECT_FALSE(fs::exists(partial_path));
    EXPECT_FALSE(fs::exists(values_path())) << "nobody else would remove them";
    expect_codes_of_values(**family);
  }
}

// As after a kill between the last image and the codes.
TEST_F(Store, MeasuresWhatItCostsWhereAllValuesAreThere) {
  settings.keep_values = true;
  ASSERT_TRUE(obtain().ok());
  EXPECT_GT(info.microseconds_per_image, 0);
  fs::remove(codes_path());
  host.forget_images();
  const auto family = obtain();
  ASSERT_TRUE(family.ok());
  EXPECT_LE(host.num_images, 1 + kRoundsOfToldCost * kMostTimed);
  EXPECT_GT(info.microseconds_per_image, 0);
  EXPECT_GT((*family)->seconds(), 0);
}

// A process that starts, and tables that are made once, would else be costs of the few pictures that are
// timed.
TEST_F(Store, WhatHappensOnceIsNoCostOfAPicture) {
  settings.keep_values = true;
  ASSERT_TRUE(obtain().ok());
  fs::remove(codes_path());
  host.forget_images();
  host.before_image = [&](std::uint32_t) -> Status {
    const CpuWatch watch(CpuWatch::Whose::kThread);
    while (host.num_images == 0 && watch.seconds() < .25) {
    }
    return Done{};
  };
  ASSERT_TRUE(obtain().ok());
  EXPECT_GT(info.microseconds_per_image, 0);
  EXPECT_LT(info.microseconds_per_image, 2000) << "a quarter of a second over 64 pictures is 3900";
}

TEST_F(Store, TellsOfExtractionForValuesAlone) {
  ASSERT_TRUE(obtain().ok());
  settings.keep_values = true;
  const auto family = obtain();
  ASSERT_TRUE(family.ok());
  EXPECT_GT((*family)->seconds(), 0);
  EXPECT_EQ((*obtain())->seconds(), 0);
}

TEST_F(Store, AHeuristicsErrorIsReportedAndNothingIsKeptAsWhole) {
  host.before_image = [](std::uint32_t example) -> Status {
    if (example == 700) return input_error("cannot look at this");
    return Done{};
  };
  const auto family = obtain();
  ASSERT_FALSE(family.ok());
  EXPECT_EQ(family.error().kind, ErrorKind::kInput);
  EXPECT_THAT(family.error().message, ::testing::HasSubstr("cannot look at this"));
  EXPECT_FALSE(fs::exists(codes_path()));
}

class FaultyStore : public Store {
 protected:
  FaultyStore() {
    spec = host.add({"faulty", kDim, [](std::uint32_t example, std::uint32_t feature_idx) {
                       if (feature_idx == 3 && example % 100 == 7)
                         return std::numeric_limits<float>::quiet_NaN();
                       if (feature_idx == 4 && example == kTrain + 5)
                         return std::numeric_limits<float>::infinity();
                       return stored_value_of(example, feature_idx);
                     }});
  }
};

TEST_F(FaultyStore, CountsWhatIsNotFiniteAndRemembersIt) {
  for (int time = 0; time < 2; ++time) {
    const auto family = obtain();
    ASSERT_TRUE(family.ok());
    EXPECT_EQ((*family)->seconds() > 0, time == 0);
    EXPECT_EQ(info.num_faults, 13u);  // twelve examples end in 07, and one is infinite
    EXPECT_EQ(info.num_training_faults, 9u);
    ASSERT_EQ(info.first_faults.size(), 5u);
    EXPECT_THAT(info.first_faults[0].message, ::testing::HasSubstr("feature 3 of image 7"));
    EXPECT_EQ((*family)->file().summary(3).num_missing, 12u);
    EXPECT_EQ((*family)->column(Side::kTrain, 3).codes[107], 0);
    EXPECT_EQ((*family)->column(Side::kTest, 4).codes[5], 0);
  }
}

TEST_F(FaultyStore, StrictRefusesAtOnceAndWhenStored) {
  settings.strict = true;
  for (int time = 0; time < 2; ++time) {
    const auto family = obtain();
    ASSERT_FALSE(family.ok());
    EXPECT_EQ(family.error().kind, ErrorKind::kInput);
    EXPECT_THAT(family.error().message,
                ::testing::AllOf(::testing::HasSubstr("faulty"), ::testing::HasSubstr("13"),
                                 ::testing::HasSubstr("strict")));
  }
}

TEST_F(Store, KeepsTheValuesWhereALearnerNeedsThem) {
  ASSERT_TRUE(obtain().ok());
  host.forget_images();
  settings.keep_values = true;
  auto family = obtain();
  ASSERT_TRUE(family.ok());
  EXPECT_EQ(host.num_images, kTrain + kTest) << "they were not kept the first time";
  const std::vector<std::uint32_t> features{2, 6}, rows{0, 3, kTest - 1};
  std::vector<float> values(features.size() * rows.size());
  (*family)->values(Side::kTest, features, rows, values.data(), rows.size());
  for (std::size_t i = 0; i < features.size(); ++i)
    for (std::size_t r = 0; r < rows.size(); ++r)
      EXPECT_EQ(values[i * rows.size() + r], stored_value_of(kTrain + rows[r], features[i]));
  family = obtain();
  EXPECT_EQ(host.num_images, kTrain + kTest);
}

TEST_F(Store, GathersTheSameByRowsAndByColumns) {
  const auto family = obtain();
  ASSERT_TRUE(family.ok());
  std::vector<std::uint32_t> all(kDim), few{3, 17}, dense, sparse{5, 400, 899};
  for (std::uint32_t j = 0; j < kDim; ++j) all[j] = j;
  for (std::uint32_t n = 0; n < kTrain; n += 2) dense.push_back(n);
  for (const auto& features : {all, few})
    for (const auto& rows : {dense, sparse}) {
      const std::size_t stride = rows.size() + 3;
      std::vector<std::uint8_t> out(features.size() * stride, 0xee);
      (*family)->gather(features, rows, out.data(), stride);
      for (std::size_t i = 0; i < features.size(); ++i) {
        for (std::size_t r = 0; r < rows.size(); ++r)
          ASSERT_EQ(out[i * stride + r], (*family)->column(Side::kTrain, features[i]).codes[rows[r]]);
        for (std::size_t r = rows.size(); r < stride; ++r)
          ASSERT_EQ(out[i * stride + r], 0xee) << "beyond the rows";
      }
    }
}

TEST_F(Store, ModeIsTheMostFrequentCode) {
  spec = host.add(
      {"skewed", kDim, [](std::uint32_t example, std::uint32_t) { return example % 10 == 0 ? 1.f : 5.f; }});
  const auto family = obtain();
  ASSERT_TRUE(family.ok());
  EXPECT_EQ((*family)->mode(0).first, 1u);
  EXPECT_DOUBLE_EQ((*family)->mode(0).second, 0.9);
}

TEST_F(Store, OneOfTwoProcessesComputes) {
  const fs::path log = folder / "log";
  for (int child = 0; child < 2; ++child)
    if (fork() == 0) {
      const auto family = obtain(1);
      // Appends are whole, so that both children may write.
      std::ofstream(log, std::ios::app) << (family.ok() && host.num_images > 0 ? 'c'
                                            : family.ok()                      ? 'w'
                                                                               : 'e')
                                        << std::flush;
      _exit(family.ok() ? 0 : 1);
    }
  for (int child = 0; child < 2; ++child) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  std::string outcomes = *read_file(log);
  std::sort(outcomes.begin(), outcomes.end());
  EXPECT_EQ(outcomes, "cw");
}

TEST(StoreKey, ChangesWithWhateverFeaturesDependOn) {
  FamilySpec spec;
  spec.heuristic.id = "hog";
  spec.heuristic.plugin_sha256 = "abc";
  spec.settings = "cell=4";
  Dataset dataset = testing::numbered_images({0, 1}, {}, 2);
  const std::string key = store_key(spec, dataset);
  EXPECT_EQ(key, store_key(spec, dataset));
  EXPECT_THAT(key, ::testing::StartsWith("hog-"));

  FamilySpec other = spec;
  other.settings = "cell=8";
  EXPECT_NE(store_key(other, dataset), key);
  other = spec;
  other.heuristic.plugin_sha256 = "abd";
  EXPECT_NE(store_key(other, dataset), key);
  other = spec;
  other.name = "hog(cell=4)";
  EXPECT_EQ(store_key(other, dataset), key) << "its name in an experiment is no part of it";
  dataset.fingerprint = "other";
  EXPECT_NE(store_key(spec, dataset), key);
}

TEST(StoreKey, IsOneFolderForAnyId) {
  FamilySpec spec;
  spec.heuristic.id = "a/../b";
  EXPECT_EQ(fs::path(store_key(spec, {})).filename(), store_key(spec, {}));
}

}  // namespace
}  // namespace mash
