// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/tuning/halves.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace mash {
namespace {

std::map<std::uint16_t, std::size_t> counts(const std::vector<std::size_t>& places,
                                            const std::vector<std::uint16_t>& labels) {
  std::map<std::uint16_t, std::size_t> of_class;
  for (const std::size_t place : places) ++of_class[labels[place]];
  return of_class;
}

// Every place once.
void expect_all(const Halves& halves, std::size_t count) {
  std::vector<std::size_t> all = halves.choosing;
  all.insert(all.end(), halves.measuring.begin(), halves.measuring.end());
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(all[i], i);
}

TEST(DrawHalves, AreOfEqualSizeInEachClass) {
  std::vector<std::uint16_t> labels;
  for (std::size_t i = 0; i < 101; ++i) labels.push_back(std::uint16_t(i % 4 == 0 ? 2 : i % 2));
  const Halves halves = draw_halves(labels, {}, 7);
  expect_all(halves, labels.size());
  EXPECT_TRUE(std::ranges::is_sorted(halves.choosing));
  EXPECT_TRUE(std::ranges::is_sorted(halves.measuring));
  EXPECT_LE(halves.choosing.size() - halves.measuring.size(), 1u);
  const auto one = counts(halves.choosing, labels), other = counts(halves.measuring, labels);
  for (const std::uint16_t label : std::vector<std::uint16_t>{0, 1, 2})
    EXPECT_NEAR(double(one.at(label)), double(other.at(label)), 1) << "class " << label;
}

TEST(DrawHalves, FollowTheSeed) {
  const std::vector<std::uint16_t> labels(40, 0);
  EXPECT_EQ(draw_halves(labels, {}, 3).choosing, draw_halves(labels, {}, 3).choosing);
  EXPECT_NE(draw_halves(labels, {}, 3).choosing, draw_halves(labels, {}, 4).choosing);
}

TEST(DrawHalves, LeaveGroupsWhole) {
  std::vector<std::uint16_t> labels;
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < 90; ++i) {
    labels.push_back(std::uint16_t(i % 3));
    groups.push_back(i / 6);
  }
  const Halves halves = draw_halves(labels, groups, 1);
  expect_all(halves, labels.size());
  for (const std::size_t place : halves.choosing)
    for (const std::size_t other : halves.measuring) EXPECT_NE(groups[place], groups[other]);
  EXPECT_NEAR(double(halves.choosing.size()), 45, 6);
}

TEST(DrawHalves, GiveEachHalfGroupsOfEveryClass) {
  std::vector<std::uint16_t> labels;
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < 80; ++i) {
    groups.push_back(i / 4);
    labels.push_back(std::uint16_t(i / 4 % 2));  // a group has one class
  }
  const Halves halves = draw_halves(labels, groups, 5);
  expect_all(halves, labels.size());
  for (const std::uint16_t label : std::vector<std::uint16_t>{0, 1})
    EXPECT_EQ(counts(halves.choosing, labels).at(label), 20u);
}

TEST(DrawHalves, DivideGroupsThatAreTooLarge) {
  const std::vector<std::uint16_t> labels(40, 0);
  std::vector<std::uint32_t> groups(40, 7);
  EXPECT_EQ(draw_halves(labels, groups, 1).measuring.size(), 20u) << "there is one group only";
  std::fill(groups.begin(), groups.begin() + 10, 3);
  EXPECT_EQ(draw_halves(labels, groups, 1).measuring.size(), 20u) << "a quarter is too little";
  std::fill(groups.begin(), groups.begin() + 14, 3);
  const Halves halves = draw_halves(labels, groups, 1);
  EXPECT_EQ(std::min(halves.choosing.size(), halves.measuring.size()), 14u);
}

}  // namespace
}  // namespace mash
