// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/export_model.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace mash {
namespace {

using ::testing::ElementsAre;
using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Texts = std::vector<std::optional<std::string>>;

// A stump, a product, a tree and a constant of two classes.
StrongClassifier model() {
  StrongClassifier model;
  model.class_names = {"no", "yes"};
  model.shape = {4, 4, 1};
  model.families = {{"hog(cell=4)", "hog", "1.0.0", {4, 9}, 16}, {"lbp", "lbp", "1.2.0", {}, 256}};
  model.hypotheses = {
      {0.5, {{1, 7, 0.25f}}, {-1, 1}, {}},
      {0.25, {{0, 1, 1}, {1, 2, 2}}, {1, -1}, {}},
      {2, {{0, 3, 3}, {1, 4, 4}}, {1, 0, 0, 1, -1, -1}, {{-1, 1}, {-2, -3}}},
      {1, {{0, 0, -std::numeric_limits<float>::infinity()}}, {1, 1}, {}},
  };
  return model;
}

template <class Values>
Values column(const std::vector<DataTable>& tables, std::string_view table, std::string_view name) {
  for (const DataTable& one : tables)
    for (const DataColumn& column : one.columns)
      if (one.name == table && column.name == name) return std::get<Values>(column.values);
  ADD_FAILURE() << "no column " << table << "/" << name;
  return {};
}

TEST(ModelTables, HaveEveryPartOfTheModel) {
  const auto tables = model_tables(Model(model()));
  EXPECT_THAT(column<Texts>(tables, "classes", "name"), ElementsAre("no", "yes"));
  EXPECT_THAT(column<Texts>(tables, "families", "values"), ElementsAre("4 9", ""));
  EXPECT_THAT(column<Texts>(tables, "hypotheses", "kind"),
              ElementsAre("stump", "product", "tree", "constant"));
  EXPECT_THAT(column<Reals>(tables, "hypotheses", "alpha"), ElementsAre(0.5, 0.25, 2, 1));
  EXPECT_THAT(column<Integers>(tables, "cuts", "hypothesis_idx"), ElementsAre(0, 1, 1, 2, 2, 3));
  EXPECT_THAT(column<Texts>(tables, "cuts", "feature"),
              ElementsAre("lbp/7", "hog(cell=4)/1", "lbp/2", "hog(cell=4)/3", "lbp/4", "hog(cell=4)/0"));
  EXPECT_THAT(column<Reals>(tables, "cuts", "threshold"),
              ElementsAre(0.25, 1, 2, 3, 4, -std::numeric_limits<double>::infinity()));
  EXPECT_THAT(column<Integers>(tables, "cuts", "below"), ElementsAre(-1, -1, -1, -1, -2, -1));
  EXPECT_THAT(column<Integers>(tables, "cuts", "above"), ElementsAre(-2, -2, -2, 1, -3, -2));
}

TEST(ModelTables, HaveTheCostsThatTheModelCarries) {
  StrongClassifier paid = model();
  const auto has_costs = [](const std::vector<DataTable>& tables) {
    return std::any_of(tables.begin(), tables.end(), [](const DataTable& t) { return t.name == "costs"; });
  };
  EXPECT_FALSE(has_costs(model_tables(Model(paid))));
  paid.costs = ModelCosts{"microseconds", {{12.5, {1, 3}, {0.5, 0.25}}, {0, {2, 4, 7}, {1, 2, 3}}}};
  const auto tables = model_tables(Model(paid));
  ASSERT_TRUE(has_costs(tables));
  EXPECT_THAT(column<Integers>(tables, "costs", "family_idx"), ElementsAre(0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(column<Integers>(tables, "costs", "feature_idx"), ElementsAre(-1, 1, 3, -1, 2, 4, 7));
  EXPECT_THAT(column<Texts>(tables, "costs", "feature"),
              ElementsAre("hog(cell=4)/setup", "hog(cell=4)/1", "hog(cell=4)/3", "lbp/setup", "lbp/2",
                          "lbp/4", "lbp/7"));
  EXPECT_THAT(column<Reals>(tables, "costs", "cost"), ElementsAre(12.5, 0.5, 0.25, 0, 1, 2, 3));
  EXPECT_THAT(column<Texts>(tables, "costs", "unit"), ::testing::Each(std::optional("microseconds")));
}

// The scores of a model, computed from nothing but its tables, are those of its scorer.
TEST(ModelTables, AreEnoughToPredict) {
  const Model whole(model());
  const auto tables = model_tables(whole);
  const auto alphas = column<Reals>(tables, "hypotheses", "alpha");
  const auto of_cut = column<Integers>(tables, "cuts", "hypothesis_idx");
  const auto below = column<Integers>(tables, "cuts", "below"),
             above = column<Integers>(tables, "cuts", "above");
  const auto thresholds = column<Reals>(tables, "cuts", "threshold");
  const auto kinds = column<Texts>(tables, "hypotheses", "kind");
  const auto vote_of = column<Integers>(tables, "votes", "hypothesis_idx"),
             cells = column<Integers>(tables, "votes", "cell"),
             classes = column<Integers>(tables, "votes", "class_idx");
  const auto votes = column<Reals>(tables, "votes", "vote");
  const auto scorer = whole.scorer();
  // Five features are needed: hog 1, 3 and lbp 2, 4, 7; the cuts in order ask for these. The last one always
  // holds.
  const std::array<std::size_t, 6> asks{4, 0, 2, 1, 3, 0};
  for (int bits = 0; bits < 32; ++bits) {
    std::vector<float> values;
    for (int i = 0; i < 5; ++i) values.push_back((bits >> i) & 1 ? 9.0f : 0.0f);
    std::vector<double> expected(2), found(2);
    scorer->scores(values, expected);
    for (std::int64_t h = 0; h < 4; ++h) {
      std::int64_t cell = 0, first = 0;
      while (of_cut[std::size_t(first)] != h) ++first;
      const auto holds = [&](std::int64_t cut) {
        return values[asks[std::size_t(cut)]] >= thresholds[std::size_t(cut)];
      };
      if (kinds[std::size_t(h)] == "tree") {
        std::int64_t place = 0;
        do
          place =
              holds(first + place) ? above[std::size_t(first + place)] : below[std::size_t(first + place)];
        while (place >= 0);
        cell = -1 - place;
      } else {
        bool is_even = true;
        for (std::int64_t cut = first; cut < 6 && of_cut[std::size_t(cut)] == h; ++cut)
          is_even ^= !holds(cut);
        cell = is_even;
      }
      for (std::size_t i = 0; i < votes.size(); ++i)
        if (vote_of[i] == h && cells[i] == cell)
          found[std::size_t(classes[i])] += alphas[std::size_t(h)] * votes[i];
    }
    EXPECT_EQ(found, expected) << "bits " << bits;
  }
}

}  // namespace
}  // namespace mash
