// SPDX-License-Identifier: Apache-2.0
#include "framework/records/offers.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Heuristic `name`, built as `build`, beside the others of one, two, three and four.
OfferRow named_offer(const std::string& name, const std::string& build = "a", double gain = 2.5) {
  OfferRow row;
  row.heuristic = name;
  row.version = "1.0.0";
  row.settings = "cells=4";
  row.plugin_sha256 = build;
  row.dataset_fingerprint = "f0";
  row.dataset = "digits";
  for (const std::string other : {"four", "one", "three", "two"})
    (other == name ? row.newcomer : row.pool).push_back(other);
  if (row.newcomer.empty()) row.newcomer = {name};
  row.experiment = "demo";
  row.trained_by = "1.0.3";
  row.first_seed = 7;
  row.num_seeds = 8;
  row.gain = gain;
  row.standard_error = .25;
  row.low = gain - 1;
  row.high = gain + 1;
  row.relevant = .5;
  row.placebo_gain = .125;
  row.num_wins = 100;
  row.num_duels = 480;
  row.win_index = 1.5;
  row.speed_up = .75;
  row.finding = "adds";
  row.alpha_share = .0625;
  row.seconds = 3;
  row.nearest = "two";
  row.nearest_cka = .5;
  return row;
}

class OffersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }

  void keep(const OfferRow& row) {
    const Status kept = keep_offer(*records_, row);
    EXPECT_TRUE(kept.ok()) << (kept.ok() ? "" : kept.error().message);
  }
  std::vector<PastOffer> past(const OfferRow& row) {
    const auto offers = past_offers(*records_, row);
    EXPECT_TRUE(offers.ok()) << (offers.ok() ? "" : offers.error().message);
    return offers.ok() ? *offers : std::vector<PastOffer>();
  }
  std::vector<PastOffer> latest(std::span<const std::string> families, std::string_view side = kHeldOutSide) {
    const auto offers = latest_offers(*records_, "f0", side, family_set_key(families));
    EXPECT_TRUE(offers.ok()) << (offers.ok() ? "" : offers.error().message);
    return offers.ok() ? *offers : std::vector<PastOffer>();
  }

  sample::Folder folder_;
  std::unique_ptr<Records> records_;
};

std::vector<double> gains_of(std::span<const PastOffer> offers) {
  std::vector<double> gains;
  for (const PastOffer& past : offers) gains.push_back(past.offer.gain);
  return gains;
}

std::vector<std::string> names_of(std::span<const PastOffer> offers) {
  std::vector<std::string> names;
  for (const PastOffer& past : offers) names.push_back(past.offer.heuristic);
  return names;
}

TEST_F(OffersTest, EveryFigureComesBack) {
  keep(named_offer("one"));
  const auto offers = past(named_offer("one"));
  ASSERT_EQ(offers.size(), 1u);
  EXPECT_THAT(offers[0].measured_at, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  const OfferRow &row = offers[0].offer, expected = named_offer("one");
  EXPECT_EQ(row.heuristic, expected.heuristic);
  EXPECT_EQ(row.version, expected.version);
  EXPECT_EQ(row.settings, expected.settings);
  EXPECT_EQ(row.plugin_sha256, expected.plugin_sha256);
  EXPECT_EQ(row.dataset_fingerprint, expected.dataset_fingerprint);
  EXPECT_EQ(row.dataset, expected.dataset);
  EXPECT_EQ(row.side, "held out");
  EXPECT_THAT(row.pool, ElementsAre("four", "three", "two"));
  EXPECT_EQ(row.experiment, expected.experiment);
  EXPECT_EQ(row.base, "own");
  EXPECT_EQ(row.trained_by, expected.trained_by);
  EXPECT_EQ(row.first_seed, 7u);
  EXPECT_EQ(row.num_seeds, 8u);
  EXPECT_EQ(row.gain, 2.5);
  EXPECT_EQ(row.standard_error, .25);
  EXPECT_EQ(row.low, 1.5);
  EXPECT_EQ(row.high, 3.5);
  EXPECT_EQ(row.relevant, .5);
  EXPECT_EQ(row.placebo_gain, .125);
  EXPECT_EQ(row.num_wins, 100u);
  EXPECT_EQ(row.num_duels, 480u);
  EXPECT_EQ(row.win_index, 1.5);
  EXPECT_EQ(row.speed_up, .75);
  EXPECT_EQ(row.finding, "adds");
  EXPECT_EQ(row.alpha_share, .0625);
  EXPECT_EQ(row.seconds, 3);
}

TEST_F(OffersTest, ATestThatIsTakenFurtherKeepsItsRow) {
  keep(named_offer("one", "a"));
  keep(named_offer("one", "b", 4));
  OfferRow further = named_offer("one", "a", 3);
  further.num_seeds = 16;
  further.alpha_share.reset();
  further.seconds = 1;
  keep(further);
  auto offers = past(named_offer("one"));
  EXPECT_THAT(gains_of(offers), ElementsAre(3, 4)) << "in the order of the first looks";
  EXPECT_EQ(offers[0].offer.num_seeds, 16u);
  EXPECT_EQ(offers[0].offer.seconds, 3) << "of the longer go: the second took up what it had trained";
  EXPECT_EQ(offers[0].offer.alpha_share, .0625) << "the second look has none";

  keep(named_offer("one", "a", 99));
  offers = past(named_offer("one"));
  EXPECT_EQ(offers[0].offer.gain, 3) << "fewer seeds say less";
}

TEST_F(OffersTest, TheHistoryHasARowForEachBuild) {
  keep(named_offer("one", "a", 1));
  OfferRow again = named_offer("one", "b", 2);
  keep(again);
  again.first_seed = 100;  // the same build, tried with other seeds
  again.gain = 3;
  keep(again);
  OfferRow other = named_offer("one", "b", 4);
  other.settings = "cells=8";
  keep(other);
  EXPECT_THAT(gains_of(past(named_offer("one"))), ElementsAre(1, 3, 4));
}

TEST_F(OffersTest, TheHistoryIsOfOneHeuristicOnTheSameDataSideAndPool) {
  keep(named_offer("one", "a", 1));
  keep(named_offer("two", "a", 2));
  OfferRow row = named_offer("one", "a", 3);
  row.dataset_fingerprint = "f1";
  keep(row);
  row = named_offer("one", "a", 4);
  row.side = std::string(kTestSide);
  keep(row);
  row = named_offer("one", "a", 5);
  row.pool.pop_back();
  keep(row);
  EXPECT_THAT(gains_of(past(row)), ElementsAre(5));
  EXPECT_THAT(gains_of(past(named_offer("one"))), ElementsAre(1));
  EXPECT_THAT(past(named_offer("nobody")), IsEmpty());
}

TEST_F(OffersTest, TheHeuristicsOfAPoolCompare) {
  keep(named_offer("two", "a", 2));
  keep(named_offer("one", "a", 1));
  keep(named_offer("one", "b", 1.5));
  keep(named_offer("new", "a", 9));  // beside all four
  OfferRow elsewhere = named_offer("three");
  elsewhere.side = std::string(kTestSide);
  keep(elsewhere);
  const std::vector<std::string> members{"one", "two", "three", "four"};
  const auto offers = latest(members);
  EXPECT_THAT(names_of(offers), ElementsAre("one", "two"));
  EXPECT_THAT(gains_of(offers), ElementsAre(1.5, 2)) << "the last build that was tried";
  EXPECT_THAT(names_of(latest(members, kTestSide)), ElementsAre("three"));
  EXPECT_EQ(sample::database(*records_)
                .execAndGet("SELECT n.pool_key = o.together_key FROM offer_tests n, latest_offers o "
                            "WHERE n.heuristic = 'new' AND o.heuristic = 'two'")
                .getInt(),
            1)
      << "its pool is that of the four";
  keep(named_offer("one", "a", 1));  // back to the first build
  EXPECT_THAT(gains_of(latest(members)), ElementsAre(1, 2));
}

TEST(FamilySetKey, IsOfTheNamesWhateverTheirOrder) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(family_set_key(Names{"a", "b"}), family_set_key(Names{"b", "a"}));
  EXPECT_NE(family_set_key(Names{"a", "b"}), family_set_key(Names{"ab"}));
  EXPECT_NE(family_set_key(Names{"a"}), family_set_key(Names{"a", "a"}));
}

}  // namespace
}  // namespace mash
