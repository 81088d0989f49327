// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/budget_model.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/random.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

struct BudgetModels : ::testing::Test {
  BudgetModels() {
    RandomStream stream(1, "budget.model");
    model.class_names = {"a", "b", "c"};
    model.column_names = {"u", "v", "w"};
    model.families = {{"columns", "columns", "1.0.0", {}, 3}};
    for (int t = 0; t < 20; ++t)
      model.hypotheses.push_back({stream.uniform(0.1, 1),
                                  {{0, std::uint32_t(stream.below(3)), float(stream.uniform())}},
                                  {stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)},
                                  {}});
    std::ofstream(folder / "costs.csv")
        << "family,feature,cost\ncolumns,setup,2\ncolumns,0,9\ncolumns,*,0.5\n";
  }
  Result<BudgetModel> made(HypothesisOrder order) {
    std::ofstream(folder / "model.json") << serialise(model);
    return budget_model({folder / "model.json", folder / "costs.csv", order});
  }
  testing::ScratchFolder folder;
  StrongClassifier model;
};

TEST_F(BudgetModels, ClassifyAsBeforeInAnyOrder) {
  const auto cheap = made(HypothesisOrder::kWorth);
  ASSERT_TRUE(cheap.ok()) << cheap.error().message;
  EXPECT_EQ(cheap->price, 2 + 9 + 0.5 + 0.5);
  const Model reordered = *parse_model(cheap->file);
  EXPECT_NE(reordered.additive()->hypotheses, model.hypotheses);
  RandomStream stream(2, "budget.rows");
  Split split;
  split.num_examples = 200;
  for (int i = 0; i < 600; ++i) split.values.push_back(float(stream.uniform()));
  Catalogue none = Catalogue::scan({});
  const auto before = *Predictor::open(model, none)->scores(split, Workers(1));
  const auto after = *Predictor::open(reordered, none)->scores(split, Workers(1));
  EXPECT_EQ(predicted_classes(after, 3), predicted_classes(before, 3));
}

TEST_F(BudgetModels, KeepTheirOrderWhereThatIsWanted) {
  const auto kept = made(HypothesisOrder::kKept);
  ASSERT_TRUE(kept.ok());
  const Model again = *parse_model(kept->file);
  EXPECT_EQ(again.additive()->hypotheses, model.hypotheses);
  ASSERT_TRUE(again.additive()->costs);
  EXPECT_EQ(again.additive()->costs->families[0].costs.front(), 9);
}

TEST_F(BudgetModels, HaveTwoClassesAtLeast) {
  model.class_names = {"all"};
  for (Hypothesis& hypothesis : model.hypotheses) hypothesis.votes = {1};
  const auto one = made(HypothesisOrder::kWorth);
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.error().kind, ErrorKind::kInput);
  EXPECT_THAT(one.error().message, HasSubstr("model.json: found a model of 1 class, expected at least two"));
}

}  // namespace
}  // namespace mash
