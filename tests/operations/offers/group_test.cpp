// SPDX-License-Identifier: Apache-2.0
// Several heuristics that are offered at once.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/base/file.hpp"
#include "framework/operations/offers/offer.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

class Groups : public ::testing::Test {
 protected:
  Groups() { put_pool("grayscale"); }
  OfferTrySettings settings() const {
    OfferTrySettings settings;
    settings.against = (folder_ / "pool.yaml").string();
    settings.seeds = 4;
    settings.seconds = 1e9;
    settings.judges = Judges::kTest;
    settings.workspace = {.database = folder_ / "records.db", .store = folder_ / "store"};
    settings.shows_commands = false;
    settings.for_a_board = true;
    return settings;
  }
  Result<TrialSetup> prepare(const std::vector<std::string>& ids, const Settings& of_first = {}) {
    std::vector<GroupMember> members;
    for (const std::string& id : ids) members.push_back({{id}, {}});
    members[0].own = of_first;
    return prepare_checked_group(settings(), members, work_);
  }
  // The last one is offered, the others stand in the pool.
  Result<TrialSetup> prepare_beside(const std::vector<GroupMember>& others, const std::string& id) {
    std::vector<GroupMember> members = others;
    for (GroupMember& other : members) other.part = GroupPart::kPool;
    members.push_back({{id}, {}});
    return prepare_checked_group(settings(), members, work_);
  }
  void put_pool(const std::string& heuristics) {
    EXPECT_TRUE(
        write_file_atomically(folder_ / "pool.yaml",
                              fmt::format("dataset: {{name: digits, train: 600, test: 400, size: 16}}\n"
                                          "heuristics: [{}]\n"
                                          "booster: {{name: adaboost.mh, rounds: 40}}\n",
                                          heuristics))
            .ok());
  }
  double gain(TrialSetup& setup) {
    const auto tested = test_group(setup, settings(), work_);
    EXPECT_TRUE(tested.ok()) << tested.error().message;
    return tested.ok() ? offer_row(tested->offer).gain : 0;
  }

  testing::ScratchFolder folder_;
  const WorkContext& work_ = testing::quiet_work();
};

TEST_F(Groups, AreTheFamiliesOfAllBesideThePool) {
  auto setup = prepare({"lbp", "hog"});
  ASSERT_TRUE(setup.ok()) << setup.error().message;
  EXPECT_EQ(setup->space.features.num_families(), 3u);
  ASSERT_EQ(setup->newcomer.families.size(), 2u);
  EXPECT_EQ(setup->seeds.size(), 4u);
  EXPECT_EQ(setup->neighbours.size(), 1u) << "of the pool";
  const double together = gain(*setup);
  EXPECT_EQ(gain(*setup), together) << "the same again, to the bit";
  auto alone = prepare({"lbp"});
  ASSERT_TRUE(alone.ok());
  EXPECT_GT(together, gain(*alone)) << "hog adds to it";
  alone = prepare({"hog"});
  ASSERT_TRUE(alone.ok());
  EXPECT_GT(together, gain(*alone) - 1) << "hog has the candidates that it has alone";
}

TEST_F(Groups, MembersHaveTheirSettings) {
  Settings own;
  own.add("cell", "8", "setting cell=8");
  auto setup = prepare({"hog", "lbp"}, own);
  ASSERT_TRUE(setup.ok()) << setup.error().message;
  std::string settings;
  for (const std::size_t k : setup->newcomer.families)
    settings += setup->space.features.families()[k].spec.settings;
  EXPECT_THAT(settings, HasSubstr("cell=8"));
}

TEST_F(Groups, OfTwoWithOneIdThereIsNone) {
  const auto setup = prepare({"hog", "hog"});
  ASSERT_FALSE(setup.ok());
  EXPECT_EQ(setup.error().kind, ErrorKind::kInput);
  EXPECT_THAT(setup.error().message, HasSubstr("heuristic hog: is twice among those"));
  EXPECT_THAT(prepare({"hog", "of-nobody"}).error().message, HasSubstr("of-nobody"));
}

TEST_F(Groups, MembersOfThePoolStandBesideItsOwn) {
  auto beside = prepare_beside({{{"hog"}, {}}}, "lbp");
  ASSERT_TRUE(beside.ok()) << beside.error().message;
  EXPECT_TRUE(beside->left_out.empty());
  EXPECT_EQ(beside->heuristic.id, "lbp");
  EXPECT_EQ(beside->newcomer.name, "lbp");
  EXPECT_EQ(beside->space.features.num_families(), 3u);
  EXPECT_EQ(beside->newcomer.families.size(), 1u);
  EXPECT_EQ(beside->neighbours.size(), 2u);
  const double gain_beside = gain(*beside);
  auto alone = prepare({"lbp"});
  ASSERT_TRUE(alone.ok());
  EXPECT_NE(gain_beside, gain(*alone));
  // The same as beside a pool that has it in its experiment.
  put_pool("grayscale, hog");
  auto offered = prepare({"lbp"});
  ASSERT_TRUE(offered.ok());
  EXPECT_EQ(gain_beside, gain(*offered));
}

TEST_F(Groups, MembersOfThePoolThatFailHereAreLeftOut) {
  Settings unknown;
  unknown.add("cells", "8", "setting cells=8");
  auto beside = prepare_beside({{{"of-nobody"}, {}}, {{"hog"}, unknown}, {{"gradient"}, {}}}, "lbp");
  ASSERT_TRUE(beside.ok()) << beside.error().message;
  ASSERT_EQ(beside->left_out.size(), 2u);
  EXPECT_EQ(beside->left_out[0].member_idx, 0u);
  EXPECT_THAT(beside->left_out[0].reason, HasSubstr("of-nobody"));
  EXPECT_EQ(beside->left_out[1].member_idx, 1u);
  EXPECT_THAT(beside->left_out[1].reason, HasSubstr("cells"));
  EXPECT_EQ(beside->space.features.num_families(), 3u) << "grayscale, gradient and lbp";
  EXPECT_EQ(beside->newcomer.families.size(), 1u);
  // A member that is offered has to be there.
  EXPECT_THAT(prepare_beside({{{"hog"}, {}}}, "of-nobody").error().message, HasSubstr("of-nobody"));
}

}  // namespace
}  // namespace mash
