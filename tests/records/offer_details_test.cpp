// SPDX-License-Identifier: Apache-2.0
#include "framework/records/offer_details.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include "framework/records/experiment_runs.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

OfferRow detailed_offer(const std::string& version) {
  OfferRow row;
  row.heuristic = "mine";
  row.version = version;
  row.plugin_sha256 = "build of " + version;
  row.dataset_fingerprint = "f0";
  row.dataset = "digits";
  row.pool = {"one", "two"};
  row.newcomer = {"mine"};
  row.first_seed = 7;
  row.num_seeds = 4;
  row.finding = "adds";
  return row;
}

OfferDetails details(float loss) {
  return {{"zero", "one"}, {0, 1, 1}, {{7, 1.5, {loss, .5f, .25f}}, {8, -2, {loss, 1e-9f, 12}}}};
}

class OfferDetailsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }
  void keep(const OfferRow& row, const OfferDetails& of) {
    ASSERT_TRUE(keep_offer(*records_, row).ok());
    const Status kept = keep_offer_details(*records_, row, of);
    ASSERT_TRUE(kept.ok()) << kept.error().message;
  }
  std::vector<KeptOffer> offers(const std::string& version) {
    auto found = offers_of_version(*records_, "mine", version);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::vector<KeptOffer>();
  }
  std::string error_of(const std::string& heuristic, const std::string& version) {
    const auto found = offers_of_version(*records_, heuristic, version);
    EXPECT_FALSE(found.ok());
    return found.ok() ? "" : found.error().message;
  }

  sample::Folder folder_;
  std::unique_ptr<Records> records_;
};

TEST_F(OfferDetailsTest, AllOfItComesBack) {
  keep(detailed_offer("1.0.0"), details(2));
  const auto kept = offers("1.0.0");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].num_detailed, 2u);
  EXPECT_EQ(kept[0].pool_key, family_set_key(detailed_offer("1.0.0").pool));
  EXPECT_EQ(kept[0].past.offer.plugin_sha256, "build of 1.0.0");
  const auto read = read_offer_details(*records_, kept[0].id);
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(read->class_names, ElementsAre("zero", "one"));
  EXPECT_THAT(read->labels, ElementsAre(0, 1, 1));
  ASSERT_EQ(read->seeds.size(), 2u);
  EXPECT_EQ(read->seeds[1].seed, 8u);
  EXPECT_EQ(read->seeds[1].gain, -2);
  EXPECT_THAT(read->seeds[1].losses, ElementsAre(2.f, 1e-9f, 12.f));
}

TEST_F(OfferDetailsTest, SeedsThatAreThereStay) {
  keep(detailed_offer("1.0.0"), details(2));
  OfferDetails further = details(99);
  further.seeds[0].seed = 9;
  keep(detailed_offer("1.0.0"), further);
  const auto read = read_offer_details(*records_, offers("1.0.0")[0].id);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->seeds.size(), 3u);
  EXPECT_EQ(read->seeds[0].losses[0], 2.f);
  EXPECT_EQ(read->seeds[1].losses[0], 2.f) << "seed 8, which was there";
  EXPECT_EQ(read->seeds[2].losses[0], 99.f);
}

TEST_F(OfferDetailsTest, TheLatestLookComesFirst) {
  keep(detailed_offer("1.0.0"), details(1));
  OfferRow other = detailed_offer("1.0.0");
  other.settings = "cells=8";
  ASSERT_TRUE(keep_offer(*records_, other).ok());
  auto kept = offers("1.0.0");
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].past.offer.settings, "cells=8");
  EXPECT_EQ(kept[0].num_detailed, 0u);
  const auto none = read_offer_details(*records_, kept[0].id);
  ASSERT_TRUE(none.ok());
  EXPECT_THAT(none->seeds, IsEmpty());
}

TEST_F(OfferDetailsTest, AnOfferThatIsNotKeptHasNone) {
  const Status kept = keep_offer_details(*records_, detailed_offer("1.0.0"), details(1));
  ASSERT_FALSE(kept.ok());
  EXPECT_THAT(kept.error().message, HasSubstr("mine 1.0.0 is not recorded"));
}

TEST_F(OfferDetailsTest, UnknownOnesAreToldWhichThereAre) {
  EXPECT_THAT(error_of("mine", "1.0.0"), HasSubstr("the heuristics that have one: none"));
  keep(detailed_offer("1.0.0"), details(1));
  keep(detailed_offer("1.1.0"), details(1));
  EXPECT_THAT(
      error_of("mine", "2"),
      HasSubstr("mine@2: no offer test of this version is recorded; those of mine are: 1.0.0, 1.1.0"));
  EXPECT_THAT(error_of("yours", "2"), HasSubstr("the heuristics that have one: mine"));
}

TEST_F(OfferDetailsTest, GoWithTheirOffer) {
  keep(detailed_offer("1.0.0"), details(1));
  SQLite::Database& database = sample::database(*records_);
  database.exec("DELETE FROM offer_tests");
  EXPECT_EQ(database.execAndGet("SELECT (SELECT COUNT(*) FROM offer_details) + COUNT(*) FROM offer_judges")
                .getInt(),
            0);
}

TEST_F(OfferDetailsTest, AnExperimentIsAllSeedsOfOneSetup) {
  const Dataset data = sample::dataset();
  const std::vector<FamilyRow> families{sample::family("hog")};
  const auto record = [&](const RunStart& start, const Dataset& on) {
    const auto id = sample::record(*records_, start, on, families, {sample::use()}, 1);
    EXPECT_TRUE(id.ok());
    return id.ok() ? *id : -1;
  };
  const auto second = record(sample::start("demo", 2), data), first = record(sample::start("demo", 1), data);
  const auto other = record(sample::start("other", 1), data);
  RunStart elsewhere = sample::start("demo", 3);
  const auto other_data = record(elsewhere, sample::dataset(6, "f1"));
  const auto again = record(sample::start("demo", 1), data);
  const auto runs = [&](std::int64_t id) {
    const auto found = runs_of_experiment(*records_, id);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::vector<std::int64_t>();
  };
  EXPECT_THAT(runs(second), ElementsAre(again, second)) << "by seed, each seed's latest";
  EXPECT_THAT(runs(first), ElementsAre(again, second)) << "it was made again";
  EXPECT_THAT(runs(other), ElementsAre(other));
  EXPECT_THAT(runs(other_data), ElementsAre(other_data));
  EXPECT_THAT(runs(99), IsEmpty());
}

}  // namespace
}  // namespace mash
