// SPDX-License-Identifier: Apache-2.0
// Heuristics whose features follow from more than the picture are refused before anything of them is stored.
#include "framework/families/computed_again.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "framework/base/file.hpp"
#include "framework/families/lazy_family.hpp"
#include "framework/families/stored_family.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::size_t kNumOfTraining = 900, kNumOfTest = 300;
constexpr std::uint32_t kStrangeDim = 4;

// Knowledge of a heuristic beside the picture: the pictures that it has seen, and dice.
struct Memory {
  std::size_t num_seen = 0;
  std::uint32_t last = 0;
  std::mt19937 dice{1};
};

struct Heuristic {
  const char* name;
  bool is_honest;
  float (*value)(std::uint32_t example, Memory& memory);
};

constexpr Heuristic kHeuristics[] = {
    {"honest", true, [](std::uint32_t example, Memory&) { return float(example * 7 % 31); }},
    {"honest with holes", true,
     [](std::uint32_t example, Memory&) { return example % 9 == 0 ? std::nanf("") : float(example); }},
    {"counts pictures", false, [](std::uint32_t, Memory& memory) { return float(memory.num_seen); }},
    {"counts pictures, by class", false,
     [](std::uint32_t, Memory& memory) { return float(memory.num_seen % 10); }},
    {"knows the picture before", false, [](std::uint32_t, Memory& memory) { return float(memory.last); }},
    {"throws dice", false, [](std::uint32_t, Memory& memory) { return float(memory.dice()); }},
    {"throws dice on pictures of the training side that it knows", false,
     [](std::uint32_t example, Memory& memory) {
       return example < 90 ? float(memory.dice()) : float(example);
     }},
    {"counts on the test side alone", false,
     [](std::uint32_t example, Memory& memory) {
       return example >= kNumOfTraining ? float(memory.num_seen) : float(example);
     }},
    {"has a hole now and then", false,
     [](std::uint32_t, Memory& memory) { return memory.dice() % 8 == 0 ? std::nanf("") : 0.f; }},
    {"tells zeros of two signs", false,
     [](std::uint32_t, Memory& memory) { return memory.dice() % 2 == 0 ? -0.f : 0.f; }},
};

class ComputedAgain : public ::testing::TestWithParam<Heuristic> {
 protected:
  ComputedAgain() {
    host.is_every_family_shipped = false;
    spec = host.add({"stranger", kStrangeDim, [this](std::uint32_t example, std::uint32_t feature_idx) {
                       return feature_idx == 2 ? GetParam().value(example, memory) : float(example);
                     }});
    host.before_image = [this](std::uint32_t example) -> Status {
      ++memory.num_seen;
      memory.last = std::exchange(last, example);
      return Done{};
    };
  }

  ExtractionContext context() { return {host, dataset, {workers, no_progress(), no_remarks(), stop}}; }

  testing::ScratchFolder folder;
  testing::FakeHost host;
  Memory memory;
  std::uint32_t last = 0;
  FamilySpec spec;
  Dataset dataset = testing::numbered_images(std::vector<std::uint16_t>(kNumOfTraining),
                                             std::vector<std::uint16_t>(kNumOfTest), 2);
  StoreSettings settings{folder / "store"};
  Workers workers{1};
  StopFlag stop;
};

TEST_P(ComputedAgain, IsStoredOnlyWhereItIsTheSame) {
  FamilyInfo info;
  info.spec = spec;
  info.dim = kStrangeDim;
  const auto family = StoredFamily::obtain(info, settings, context());
  const fs::path place = settings.folder / store_key(spec, dataset);
  EXPECT_EQ(fs::exists(place / "codes.mash"), GetParam().is_honest);
  EXPECT_FALSE(fs::exists(place / "values.part"));
  ASSERT_EQ(family.ok(), GetParam().is_honest);
  if (family.ok()) return;
  EXPECT_EQ(family.error().kind, ErrorKind::kInput);
  EXPECT_THAT(family.error().message, ::testing::AllOf(HasSubstr("heuristic 'stranger'"),
                                                       HasSubstr("not the same when they are computed again"),
                                                       HasSubstr("feature 2 of image ")));
}

TEST_P(ComputedAgain, AlsoOnDemand) {
  settings.limit = 0;
  spec.named = false;
  const FamilySpec specs[] = {spec};
  const auto features = FeatureSet::open(specs, settings, context());
  ASSERT_EQ(features.ok(), GetParam().is_honest);
  if (!features.ok()) {
    EXPECT_THAT(features.error().message, HasSubstr("not the same when they are computed again"));
  }
}

// As a board does before hidden pictures are shown.
TEST_P(ComputedAgain, OnTheTrainingSideAloneSeesNoOther) {
  const std::string name = GetParam().name;
  const Status status = try_on_training_side(spec, kStrangeDim, context());
  EXPECT_TRUE(
      std::ranges::all_of(host.shown(), [](std::uint32_t example) { return example < kNumOfTraining; }));
  EXPECT_EQ(host.num_images, status.ok() ? 2 * kFewestComparedAgain : host.num_images.load());
  ASSERT_EQ(status.ok(), name == "honest" || name == "counts on the test side alone");
  if (status.ok()) return;
  EXPECT_EQ(status.error().kind, ErrorKind::kInput);
  EXPECT_THAT(status.error().message,
              ::testing::AnyOf(HasSubstr("not the same when they are computed again"),
                               HasSubstr("heuristic 'stranger': feature 2 of image ")));
  if (name == "honest with holes") {
    EXPECT_THAT(status.error().message, HasSubstr("is not a finite number"));
  }
}

// A name makes no shipped heuristic: the host says which is one.
TEST_P(ComputedAgain, IsNotAskedOfWhatIsShipped) {
  host.is_every_family_shipped = true;
  FamilyInfo info;
  info.spec = spec;
  info.dim = kStrangeDim;
  EXPECT_TRUE(StoredFamily::obtain(info, settings, context()).ok());
  EXPECT_EQ(host.num_images, kNumOfTraining + kNumOfTest);
  EXPECT_TRUE(std::ranges::is_sorted(host.shown())) << "rows beside each other are written faster";
}

INSTANTIATE_TEST_SUITE_P(Heuristics, ComputedAgain, ::testing::ValuesIn(kHeuristics), [](const auto& info) {
  std::string name;
  for (const char c : std::string(info.param.name))
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
});

class Strangers : public ::testing::Test {
 protected:
  Strangers() {
    host.is_every_family_shipped = false;
    spec = host.add({"stranger", kStrangeDim, [](std::uint32_t example, std::uint32_t feature_idx) {
                       return float((example + feature_idx) % 100);
                     }});
  }
  Result<std::unique_ptr<StoredFamily>> obtain(const Dataset& dataset) {
    info = FamilyInfo{};
    info.spec = spec;
    info.dim = kStrangeDim;
    return StoredFamily::obtain(info, settings,
                                {host, dataset, {workers, no_progress(), no_remarks(), stop}});
  }
  static Dataset images(std::size_t num_train, std::size_t num_test) {
    return testing::numbered_images(std::vector<std::uint16_t>(num_train),
                                    std::vector<std::uint16_t>(num_test), 2);
  }

  testing::ScratchFolder folder;
  testing::FakeHost host;
  FamilySpec spec;
  FamilyInfo info;
  StoreSettings settings{folder / "store"};
  Workers workers{1};
  StopFlag stop;
};

TEST_F(Strangers, CostAFewPerCentMore) {
  for (const std::size_t count : {100, 300, 2000, 20000}) {
    host.forget_images();
    const Dataset dataset = images(count - count / 4, count / 4);
    ASSERT_TRUE(obtain(dataset).ok());
    const std::size_t num_timed = kRoundsOfToldCost * 64,
                      num_again = std::min(count, std::max(kFewestComparedAgain, count / kComparedAgainPart));
    EXPECT_GE(host.num_images, count + num_again);
    EXPECT_LE(host.num_images, count + num_again + num_timed + 64) << count;  // whole groups
    fs::remove_all(settings.folder);
  }
}

// Whose time is published: it must not follow from pictures that nobody may know.
TEST_F(Strangers, AreTimedBeforeTheySeeAPictureOfTheTestSide) {
  const Dataset dataset = images(kNumOfTraining, kNumOfTest);
  ASSERT_TRUE(obtain(dataset).ok());
  EXPECT_GT(info.microseconds_per_image, 0);
  ASSERT_GT(host.shown().size(), kMostTimed);
  EXPECT_EQ(host.shown()[0], 0u) << "for its set-up";
  for (std::size_t i = 0; i < kMostTimed; ++i) {
    EXPECT_LT(host.shown()[1 + i], kNumOfTraining);
    EXPECT_EQ(host.shown()[1 + i], i * kNumOfTraining / kMostTimed) << "from all over the side";
  }
}

TEST_F(Strangers, SeePicturesInAnOrderThatIsNeverTheSame) {
  const Dataset dataset = images(kNumOfTraining, kNumOfTest);
  std::vector<std::vector<std::uint32_t>> orders;
  for (int time = 0; time < 2; ++time) {
    host.forget_images();
    fs::remove_all(settings.folder);
    ASSERT_TRUE(obtain(dataset).ok());
    const auto first = host.shown().begin() + 1 + kRoundsOfToldCost * kMostTimed;
    orders.emplace_back(first, first + kNumOfTraining + kNumOfTest);
    std::vector<std::uint32_t> sorted = orders.back();
    std::sort(sorted.begin(), sorted.end());
    EXPECT_NE(sorted, orders.back());
    EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end()) << "each once";
  }
  EXPECT_NE(orders[0], orders[1]);
}

// An extraction that began in the order of the data set is no start for a secret one.
TEST_F(Strangers, DoNotGoOnWithAnExtractionInTheOrderOfTheDataset) {
  const Dataset dataset = images(kNumOfTraining, kNumOfTest);
  const fs::path path = settings.folder / store_key(spec, dataset) / "values.part";
  fs::create_directories(path.parent_path());
  const ExtractionContext context{host, dataset, {workers, no_progress(), no_remarks(), stop}};
  {
    auto values =
        ValuesFile::open_or_create(path, kStrangeDim, kNumOfTraining + kNumOfTest, ExampleOrder::kOfDataset);
    ASSERT_TRUE(values.ok() && extract_values(spec, context, *values).ok());
    EXPECT_TRUE(std::ranges::is_sorted(host.shown()));
  }
  host.forget_images();
  ASSERT_TRUE(obtain(dataset).ok());
  EXPECT_EQ(host.num_distinct_images(), kNumOfTraining + kNumOfTest);
}

// Which pictures a training asks for tells of their labels.
TEST_F(Strangers, OnDemandSeeOthersBesideThePicturesThatAreAskedFor) {
  const Dataset dataset = images(kNumOfTraining, kNumOfTest);
  info.spec = spec;
  info.dim = kStrangeDim;
  const std::vector<std::uint32_t> features{1, 3}, rows{3, 5, 70, 71, 400, 888};
  for (const bool is_shipped : {false, true}) {
    host.is_every_family_shipped = is_shipped;
    const LazyFamily family(info, {host, dataset, {workers, no_progress(), no_remarks(), stop}});
    std::set<std::uint32_t> others;
    for (int time = 0; time < 10; ++time) {
      host.forget_images();
      std::vector<float> values(features.size() * rows.size());
      family.values(Side::kTrain, features, rows, values.data(), rows.size());
      for (std::size_t i = 0; i < features.size(); ++i)
        for (std::size_t r = 0; r < rows.size(); ++r)
          EXPECT_EQ(values[i * rows.size() + r], float((rows[r] + features[i]) % 100));
      EXPECT_EQ(host.num_images, is_shipped ? rows.size() : 2 * rows.size());
      EXPECT_EQ(host.num_distinct_images(), host.num_images);
      for (const std::uint32_t example : host.shown())
        if (!std::ranges::binary_search(rows, example)) others.insert(example);
    }
    EXPECT_EQ(others.empty(), is_shipped);
    if (!is_shipped) {
      EXPECT_GT(others.size(), 30u) << "others each time";
    }
    std::vector<std::uint32_t> all(kNumOfTraining);
    std::iota(all.begin(), all.end(), 0u);
    host.forget_images();
    std::vector<float> values(all.size());
    family.values(Side::kTrain, {features.data(), 1}, all, values.data(), all.size());
    EXPECT_EQ(host.num_images, all.size()) << "there are no others";
  }
}

// Files of former versions: their pictures came in the order of the data set, and nothing was compared.
TEST_F(Strangers, AreComputedAgainWhereTheStoreDoesNotSayThatTheyWereCompared) {
  const Dataset dataset = images(kNumOfTraining, kNumOfTest);
  ASSERT_TRUE(obtain(dataset).ok());
  const fs::path codes = settings.folder / store_key(spec, dataset) / "codes.mash";
  {
    auto file = FamilyFile::create(codes, {kStrangeDim, kNumOfTraining, kNumOfTest});
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->seal(R"({"num_faults":0})").ok());
  }
  host.forget_images();
  host.is_every_family_shipped = true;
  ASSERT_TRUE(obtain(dataset).ok());
  EXPECT_EQ(host.num_images, 0u);
  host.is_every_family_shipped = false;
  ASSERT_TRUE(obtain(dataset).ok());
  EXPECT_GE(host.num_images, kNumOfTraining + kNumOfTest);
  host.forget_images();
  ASSERT_TRUE(obtain(dataset).ok());
  EXPECT_EQ(host.num_images, 0u);
}

TEST_F(Strangers, ThatWouldFillTheDiskAreRefusedBeforeTheySeeAPicture) {
  const Dataset dataset = images(kNumOfTraining, kNumOfTest);
  settings.family_limit = 1 << 20;
  info.spec = spec;
  for (const auto& [dim, is_taken] :
       {std::pair(10u, true), std::pair(100'000u, false), std::pair(1u << 24, false)}) {
    host.forget_images();
    info.dim = dim;
    const auto family =
        StoredFamily::obtain(info, settings, {host, dataset, {workers, no_progress(), no_remarks(), stop}});
    EXPECT_EQ(check_family_limit(dim, settings, dataset).ok(), is_taken);
    if (is_taken) continue;
    ASSERT_FALSE(family.ok());
    EXPECT_EQ(family.error().kind, ErrorKind::kInput);
    EXPECT_THAT(family.error().message, HasSubstr(fmt::format("its {} features of 1200 pictures take", dim)));
    EXPECT_EQ(host.num_images, 0u);
    EXPECT_FALSE(fs::exists(settings.folder / store_key(spec, dataset) / "values.part"));
  }
}

}  // namespace
}  // namespace mash
