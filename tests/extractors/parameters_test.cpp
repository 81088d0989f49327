// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/parameters.hpp"

#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

HeuristicInfo info() {
  HeuristicInfo info;
  info.id = "hog";
  info.parameters = {{"cell", "", ParameterInfo::Type::kInteger, 8, 1, 64, {}},
                     {"clip", "", ParameterInfo::Type::kReal, 0.2, 0, 1, {}},
                     {"norm", "", ParameterInfo::Type::kChoice, 1, 0, 2, {"none", "l1", "l2"}}};
  return info;
}

Settings settings(std::initializer_list<std::pair<const char*, const char*>> pairs) {
  Settings settings;
  for (const auto& [key, value] : pairs) settings.add(key, value, "demo.yaml:7");
  return settings;
}

TEST(ParameterValues, FillInDefaults) {
  EXPECT_THAT(*parameter_values(info(), settings({})), ElementsAre(8, 0.2, 1));
  EXPECT_THAT(*parameter_values(info(), settings({{"norm", "l2"}, {"cell", "4"}})), ElementsAre(4, 0.2, 2));
}

TEST(ParameterValues, ErrorsNameThePlaceAndWhatWasExpected) {
  EXPECT_THAT(message_of(parameter_values(info(), settings({{"cell", "65"}}))),
              AllOf(HasSubstr("demo.yaml:7"), HasSubstr("'65'"), HasSubstr("from 1 to 64")));
  EXPECT_THAT(message_of(parameter_values(info(), settings({{"cell", "4.5"}}))), HasSubstr("a whole number"));
  EXPECT_THAT(message_of(parameter_values(info(), settings({{"clip", "much"}}))),
              HasSubstr("a number from 0 to 1"));
  EXPECT_THAT(message_of(parameter_values(info(), settings({{"norm", "l3"}}))), HasSubstr("none, l1, l2"));
  EXPECT_THAT(message_of(parameter_values(info(), settings({{"cel", "4"}}))),
              AllOf(HasSubstr("heuristic hog: unknown key 'cel'"), HasSubstr("cell, clip, norm")));
}

TEST(DescribeValues, WritesAllInOrder) {
  EXPECT_EQ(describe_values(info(), std::vector<double>{4, 0.25, 2}), "cell=4,clip=0.25,norm=l2");
  EXPECT_EQ(describe_values({}, {}), "");
}

// The text is part of cache keys: what it was made from must be what reading it gives.
TEST(DescribeValues, ReadsBackToTheSameValues) {
  const std::vector<double> values = {17, 0.1 + 0.2, 0};
  EXPECT_EQ(describe_values(info(), values), "cell=17,clip=0.30000000000000004,norm=none");
  EXPECT_EQ(*parameter_values(info(),
                              settings({{"cell", "17"}, {"clip", "0.30000000000000004"}, {"norm", "none"}})),
            values);
}

TEST(DrawSeed, IsOfTheExperimentsSeedAndTheId) {
  HeuristicInfo random;
  random.id = "alice/boxes";
  random.parameters = {{"seed", "", ParameterInfo::Type::kInteger, 0, 0, 2147483647, {}},
                       {"boxes", "", ParameterInfo::Type::kInteger, 0, 0, 9, {}}};
  const auto drawn = [](const HeuristicInfo& info, std::uint64_t seed, double given) {
    std::vector<double> values{given, 0};
    draw_seed(info, seed, values);
    EXPECT_EQ(values[1], 0);
    return values[0];
  };
  const double first = drawn(random, 1, 0);
  EXPECT_GE(first, 1);
  EXPECT_LE(first, 2147483647);
  EXPECT_EQ(drawn(random, 1, 0), first);
  EXPECT_NE(drawn(random, 2, 0), first);
  EXPECT_EQ(drawn(random, 1, 77), 77) << "as the user wants it";
  HeuristicInfo other = random;
  other.id = "bob/boxes";
  EXPECT_NE(drawn(other, 1, 0), first);
  other.parameters[0].default_value = 1;
  EXPECT_EQ(drawn(other, 1, 0), 0) << "a seed with a default of its own is the heuristic's business";
}

}  // namespace
}  // namespace mash
