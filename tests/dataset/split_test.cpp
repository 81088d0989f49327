// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/split.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::histogram;

// One column, whose value is the example's number.
Split numbered(const std::vector<std::uint16_t>& labels) {
  Split split;
  split.num_examples = labels.size();
  split.labels = labels;
  split.values.resize(labels.size());
  std::iota(split.values.begin(), split.values.end(), 0.0f);
  return split;
}

Dataset table_of(const std::vector<std::uint16_t>& train, const std::vector<std::uint16_t>& test = {}) {
  Dataset dataset;
  dataset.class_names = {"a", "b", "c"};
  dataset.column_names = {"number"};
  dataset.train = numbered(train);
  dataset.test = numbered(test);
  return dataset;
}

Dataset pool_of(std::size_t num_examples) {
  std::vector<std::uint16_t> labels(num_examples);
  for (std::size_t i = 0; i < num_examples; ++i) labels[i] = std::uint16_t(i % 3);
  return table_of(labels);
}

SplitRequest asking(std::optional<Amount> train, std::optional<Amount> test) {
  SplitRequest request;
  request.train = train;
  request.test = test;
  return request;
}

using Values = std::vector<float>;

TEST(ReadSplitRequest, TellsCountsFromFractions) {
  Settings settings;
  settings.add("train", "60000", "x.yaml:2");
  settings.add("test", "0.25", "x.yaml:3");
  const auto request = read_split_request(settings);
  ASSERT_LOADS(request);
  EXPECT_EQ(std::get<std::size_t>(*request->train), 60000u);
  EXPECT_EQ(std::get<double>(*request->test), 0.25);
}

TEST(ReadSplitRequest, CountsPerClass) {
  Settings settings;
  settings.add("train", "30 per class", "x.yaml:2");
  settings.add("test", "50 per class", "x.yaml:3");
  const auto request = read_split_request(settings);
  ASSERT_LOADS(request);
  EXPECT_EQ(std::get<PerClass>(*request->train).count, 30u);
  EXPECT_FALSE(std::get<PerClass>(*request->train).at_most);
  EXPECT_TRUE(std::get<PerClass>(*request->test).at_most);
}

TEST(ReadSplitRequest, RefusesEverythingElse) {
  for (const char* bad : {"0", "-1", "1.5", "0.0", "-0.5", "ten", "", "5x", "nan", "99999999999999999999",
                          "0 per class", "x per class", " per class", "0.5 per class", "3 per  class"}) {
    Settings settings;
    settings.add("test", bad, "x.yaml:3");
    expect_input_error(read_split_request(settings),
                       {"x.yaml:3", "test", fmt::format("'{}'", bad), "fraction"});
  }
}

TEST(ApplySplit, LeavesPublishedSidesWhole) {
  Dataset dataset = table_of({0, 1, 2}, {2, 1});
  ASSERT_TRUE(apply_split({}, 1, dataset).ok());
  EXPECT_EQ(dataset.train.values, (Values{0, 1, 2}));
  EXPECT_EQ(dataset.test.values, (Values{0, 1}));
  EXPECT_TRUE(dataset.warnings.empty());
}

TEST(ApplySplit, CutsPublishedSidesToTheFirst) {
  Dataset dataset = table_of({0, 1, 2}, {2, 1});
  ASSERT_TRUE(apply_split(asking(std::size_t(2), std::size_t(1)), 1, dataset).ok());
  EXPECT_EQ(dataset.train.values, (Values{0, 1}));
  EXPECT_EQ(dataset.train.labels, (std::vector<std::uint16_t>{0, 1}));
  EXPECT_EQ(dataset.test.values, (Values{0}));
}

TEST(ApplySplit, TakesTestFromBehindTraining) {
  Dataset dataset = pool_of(10);
  ASSERT_TRUE(apply_split(asking(std::size_t(4), std::size_t(3)), 1, dataset).ok());
  EXPECT_EQ(dataset.train.values, (Values{0, 1, 2, 3}));
  EXPECT_EQ(dataset.test.values, (Values{4, 5, 6}));
}

TEST(ApplySplit, TestAloneTakesTheLast) {
  Dataset dataset = pool_of(10);
  ASSERT_TRUE(apply_split(asking({}, std::size_t(3)), 1, dataset).ok());
  EXPECT_EQ(dataset.train.values, (Values{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(dataset.test.values, (Values{7, 8, 9}));
}

TEST(ApplySplit, DividesAPoolByDefaultAndSaysSo) {
  Dataset dataset = pool_of(30);
  ASSERT_TRUE(apply_split({}, 1, dataset).ok());
  EXPECT_EQ(histogram(dataset, dataset.train), (std::vector<std::size_t>{8, 8, 8}));
  EXPECT_EQ(histogram(dataset, dataset.test), (std::vector<std::size_t>{2, 2, 2}));
  EXPECT_THAT(dataset.warnings, ::testing::ElementsAre(::testing::HasSubstr("6 of the 30")));
}

TEST(ApplySplit, LeavesOneForTestingHoweverFewThereAre) {
  Dataset two = pool_of(2), one = pool_of(1);
  ASSERT_TRUE(apply_split({}, 1, two).ok());
  EXPECT_EQ(two.test.num_examples, 1u);
  expect_input_error(apply_split({}, 1, one), {"train", "found 1 example, expected more"});
}

// 5 of class 0, 3 of class 1, 2 of class 2; half is 5: the shares 2.5, 1.5, 1 leave one more for the first
// half.
TEST(ApplySplit, GivesTheLargestRemainderItsShare) {
  Dataset dataset = table_of({0, 0, 0, 0, 0, 1, 1, 1, 2, 2});
  ASSERT_TRUE(apply_split(asking(0.5, {}), 7, dataset).ok());
  EXPECT_EQ(histogram(dataset, dataset.train), (std::vector<std::size_t>{3, 1, 1}));
}

// Both halves of 1001 round up, as do 0.7 and 0.3 of 15.
TEST(ApplySplit, SharesThatAddUpToAllTakeAll) {
  for (const auto& [train, test, num_examples] :
       {std::tuple(0.5, 0.5, 1001), std::tuple(0.75, 0.25, 10), std::tuple(0.7, 0.3, 15)}) {
    Dataset dataset = pool_of(std::size_t(num_examples));
    ASSERT_TRUE(apply_split(asking(train, test), 1, dataset).ok()) << num_examples;
    EXPECT_EQ(dataset.train.num_examples, std::size_t(std::llround(train * num_examples)));
    EXPECT_EQ(dataset.train.num_examples + dataset.test.num_examples, std::size_t(num_examples));
  }
  Dataset dataset = pool_of(10);
  expect_input_error(apply_split(asking(0.8, 0.3), 1, dataset), {"test", "found 2", "expected the 3"});
}

TEST(ApplySplit, DependsOnTheSeedAlone) {
  Dataset a = pool_of(60), b = pool_of(60), c = pool_of(60);
  ASSERT_TRUE(apply_split(asking(0.5, {}), 1, a).ok());
  ASSERT_TRUE(apply_split(asking(0.5, {}), 1, b).ok());
  ASSERT_TRUE(apply_split(asking(0.5, {}), 2, c).ok());
  EXPECT_EQ(a.train.values, b.train.values);
  EXPECT_NE(a.train.values, c.train.values);
}

RC_GTEST_PROP(ApplySplit, DividesIntoDisjointStratifiedSides, ()) {
  const auto labels = *rc::gen::container<std::vector<std::uint16_t>>(*rc::gen::inRange<std::size_t>(4, 60),
                                                                      rc::gen::inRange<std::uint16_t>(0, 3));
  const double fraction = *rc::gen::inRange(30, 70) / 100.0;
  Dataset dataset = table_of(labels);
  const std::vector<std::size_t> all = histogram(dataset, dataset.train);
  RC_ASSERT(apply_split(asking(fraction, {}), *rc::gen::arbitrary<std::uint64_t>(), dataset).ok());

  const auto total = std::size_t(std::llround(fraction * double(labels.size())));
  RC_ASSERT(dataset.train.num_examples == total);
  RC_ASSERT(std::is_sorted(dataset.train.values.begin(), dataset.train.values.end()));
  Values joined = dataset.train.values;
  joined.insert(joined.end(), dataset.test.values.begin(), dataset.test.values.end());
  std::sort(joined.begin(), joined.end());
  RC_ASSERT(joined == numbered(labels).values);
  for (std::size_t i = 0; i < dataset.train.num_examples; ++i)
    RC_ASSERT(dataset.train.labels[i] == labels[std::size_t(dataset.train.values[i])]);
  const std::vector<std::size_t> chosen = histogram(dataset, dataset.train);
  for (std::size_t k = 0; k < 3; ++k) {
    const double share = double(all[k]) * double(total) / double(labels.size());
    RC_ASSERT(std::fabs(double(chosen[k]) - share) < 1);
  }
}

// 6 of class a, 4 of b, 3 of c.
Dataset uneven() { return table_of({0, 0, 1, 0, 2, 1, 0, 1, 2, 0, 0, 1, 2}); }

TEST(ApplySplit, TakesSoManyOfEachClass) {
  Dataset dataset = uneven();
  ASSERT_TRUE(apply_split(asking(PerClass{2}, {}), 1, dataset).ok());
  EXPECT_EQ(histogram(dataset, dataset.train), (std::vector<std::size_t>{2, 2, 2}));
  EXPECT_EQ(histogram(dataset, dataset.test), (std::vector<std::size_t>{4, 2, 1}));
  EXPECT_TRUE(std::ranges::is_sorted(dataset.train.values)) << "in published order";

  Dataset both = uneven();
  ASSERT_TRUE(apply_split(asking(PerClass{2}, PerClass{2, true}), 1, both).ok());
  EXPECT_EQ(both.train.values, dataset.train.values) << "what is tested on does not change the training";
  EXPECT_EQ(histogram(both, both.test), (std::vector<std::size_t>{2, 2, 1})) << "or all that there are";

  Dataset test_alone = uneven();
  ASSERT_TRUE(apply_split(asking({}, PerClass{1, true}), 1, test_alone).ok());
  EXPECT_EQ(histogram(test_alone, test_alone.test), (std::vector<std::size_t>{1, 1, 1}));
  EXPECT_EQ(histogram(test_alone, test_alone.train), (std::vector<std::size_t>{5, 3, 2}));
}

TEST(ApplySplit, EachSeedHasASplitPerClassOfItsOwn) {
  std::set<Values> splits;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Dataset dataset = pool_of(60);
    ASSERT_TRUE(apply_split(asking(PerClass{5}, {}), seed, dataset).ok());
    splits.insert(dataset.train.values);
  }
  EXPECT_EQ(splits.size(), 8u);
}

TEST(ApplySplit, RefusesAClassThatIsTooSmall) {
  Dataset dataset = uneven();
  expect_input_error(apply_split(asking(PerClass{4}, {}), 1, dataset),
                     {"train", "class 'c'", "found 3 examples", "the 4 asked for"});
  Dataset all = uneven();
  expect_input_error(apply_split(asking({}, PerClass{6, true}), 1, all), {"test", "found 13", "train on"});
}

TEST(ApplySplit, RefusesMoreThanThereIs) {
  Dataset dataset = table_of({0, 1, 2}, {2, 1});
  expect_input_error(apply_split(asking(std::size_t(4), {}), 1, dataset),
                     {"train", "found 3", "4 asked for"});
  Dataset pool = pool_of(10);
  expect_input_error(apply_split(asking(0.8, 0.4), 1, pool), {"test", "found 2", "4 asked for"});
}

TEST(ApplySplit, RefusesAnEmptySide) {
  Dataset all = pool_of(10), none = pool_of(10), rest = pool_of(10);
  expect_input_error(apply_split(asking(std::size_t(10), {}), 1, all), {"train", "found 10", "test"});
  expect_input_error(apply_split(asking(0.01, {}), 1, none), {"train", "found 10 examples, expected more"});
  expect_input_error(apply_split(asking({}, std::size_t(10)), 1, rest),
                     {"test", "found 10", "more than the 10"});
}

TEST(HoldOut, PutsAPartOfTheTrainingSideInPlaceOfTheTestSide) {
  std::vector<std::uint16_t> labels(100);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = i < 60 ? 0 : i < 90 ? 1 : 2;
  Dataset dataset = table_of(labels, {0, 1, 2});
  ASSERT_TRUE(hold_out(0.2, 1, dataset).ok());
  EXPECT_EQ(histogram(dataset, dataset.train), (std::vector<std::size_t>{48, 24, 8}));
  EXPECT_EQ(histogram(dataset, dataset.test), (std::vector<std::size_t>{12, 6, 2}));
  Values all = dataset.train.values;
  all.insert(all.end(), dataset.test.values.begin(), dataset.test.values.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, table_of(labels).train.values) << "every training example is on one side";
  EXPECT_TRUE(dataset.warnings.empty());

  Dataset same = table_of(labels, {0}), other = table_of(labels, {0});
  ASSERT_TRUE(hold_out(0.2, 1, same).ok());
  ASSERT_TRUE(hold_out(0.2, 2, other).ok());
  EXPECT_EQ(same.test.values, dataset.test.values);
  EXPECT_NE(other.test.values, dataset.test.values);
}

TEST(HoldOut, MustLeaveBothSidesSomething) {
  Dataset dataset = table_of({0, 1}, {0});
  expect_input_error(hold_out(0.1, 1, dataset), {"validation"});
  Dataset other = table_of({0, 1}, {0});
  expect_input_error(hold_out(0.9, 1, other), {"validation"});
}

// Films of such lengths, of the classes by turns.
Dataset films_of(const std::vector<std::size_t>& lengths) {
  std::vector<std::uint16_t> labels;
  std::vector<Frame> frames;
  for (std::size_t s = 0; s < lengths.size(); ++s)
    for (std::uint32_t place = 0; place < lengths[s]; ++place) {
      labels.push_back(std::uint16_t(s % 3));
      frames.push_back({place, 0});
    }
  Dataset dataset = table_of(labels);
  dataset.train.frames = frames;
  return dataset;
}

// Whether every film is whole, its pictures in order, none on both sides.
void expect_whole_films(const Dataset& dataset, const std::vector<std::size_t>& lengths) {
  std::map<float, std::size_t> length_from;  // of the film that begins with this number
  float first = 0;
  for (const std::size_t length : lengths) {
    length_from[first] = length;
    first += float(length);
  }
  std::set<float> seen;
  for (const Split* side : {&dataset.train, &dataset.test})
    for (std::size_t n = 0; n < side->num_examples;) {
      ASSERT_EQ(side->frames[n].place, 0u);
      const float begin = side->values[n];
      ASSERT_TRUE(length_from.contains(begin));
      ASSERT_TRUE(seen.insert(begin).second);
      for (std::size_t i = 0; i < length_from[begin]; ++i, ++n) {
        ASSERT_LT(n, side->num_examples);
        ASSERT_EQ(side->values[n], begin + float(i));
        ASSERT_EQ(side->frames[n].place, i);
      }
    }
}

RC_GTEST_PROP(Films, StayWhole, ()) {
  const auto lengths = *rc::gen::resize(
      20,
      rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9))));
  RC_PRE(lengths.size() >= 4);
  Dataset dataset = films_of(lengths);
  const Amount train = double(*rc::gen::inRange(3, 7)) / 10;
  RC_ASSERT(apply_split(asking(train, std::nullopt), 1, dataset).ok());
  RC_ASSERT(dataset.train.num_examples + dataset.test.num_examples ==
            std::accumulate(lengths.begin(), lengths.end(), std::size_t(0)));
  expect_whole_films(dataset, lengths);
  RC_ASSERT(!::testing::Test::HasFailure());
}

TEST(Films, AFractionIsOfTheFilms) {
  const std::vector<std::size_t> lengths{50, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  Dataset dataset = films_of(lengths);
  ASSERT_TRUE(apply_split(asking(0.75, std::nullopt), 1, dataset).ok());
  EXPECT_EQ(std::ranges::count_if(dataset.train.frames, [](const Frame& f) { return f.place == 0; }), 9);
  Dataset other = films_of(lengths);
  ASSERT_TRUE(apply_split(asking(0.5, 0.25), 1, other).ok());
  EXPECT_EQ(std::ranges::count_if(other.train.frames, [](const Frame& f) { return f.place == 0; }), 6);
  EXPECT_EQ(std::ranges::count_if(other.test.frames, [](const Frame& f) { return f.place == 0; }), 3);
}

TEST(Films, ACountMayNotCutOneInTwo) {
  Dataset dataset = films_of({4, 3, 2});
  expect_input_error(
      apply_split(asking(std::size_t(5), std::nullopt), 1, dataset),
      {"train: found 5 examples for training", "within a sequence", "expected 4, 7 or a fraction"});
  dataset = films_of({4, 3, 2});
  expect_input_error(apply_split(asking(std::size_t(1), std::nullopt), 1, dataset),
                     {"expected 4 or a fraction"});
  dataset = films_of({4, 3, 2});
  expect_input_error(apply_split(asking(std::nullopt, std::size_t(4)), 1, dataset),
                     {"test: found 5 examples"});
  dataset = films_of({4, 3, 2});
  ASSERT_TRUE(apply_split(asking(std::size_t(7), std::nullopt), 1, dataset).ok());
  expect_whole_films(dataset, {4, 3, 2});
}

RC_GTEST_PROP(PartOfTraining, KeepsTheClassesInTheirProportions, ()) {
  const auto num_examples = *rc::gen::inRange<std::size_t>(3, 400);
  const auto wanted = *rc::gen::inRange<std::size_t>(1, 500);
  std::vector<std::uint16_t> labels =
      *rc::gen::container<std::vector<std::uint16_t>>(num_examples, rc::gen::inRange<std::uint16_t>(0, 3));
  const Dataset whole = table_of(labels, {0, 1, 2});
  const Dataset part = part_of_training(whole, wanted, 7);
  const std::size_t expected = std::min(wanted, num_examples);
  RC_ASSERT(part.train.num_examples == expected);
  RC_ASSERT(part.test.num_examples == 0u);
  RC_ASSERT(std::ranges::is_sorted(part.train.values));
  RC_ASSERT(std::set<float>(part.train.values.begin(), part.train.values.end()).size() == expected);
  const auto of_part = class_counts(part.train, 3), of_whole = class_counts(whole.train, 3);
  for (std::size_t k = 0; k < 3; ++k)
    RC_ASSERT(std::abs(double(of_part[k]) - double(of_whole[k]) * double(expected) / double(num_examples)) <
              1);
  for (std::size_t i = 0; i < expected; ++i)
    RC_ASSERT(part.train.labels[i] == labels[std::size_t(part.train.values[i])] &&
              float(part.train.listed[i]) == part.train.values[i]);
  RC_ASSERT(part.num_listed == num_examples + 3);
}

}  // namespace
}  // namespace mash
