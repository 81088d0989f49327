// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/budget_model.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/random.hpp"
#include "framework/operations/prediction/budgeted.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

struct BudgetModels : ::testing::Test {
  BudgetModels() {
    RandomStream stream(1, "budget.model");
    model.class_names = {"a", "b", "c"};
    model.column_names = columns;
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
    BudgetModelSettings settings{folder / "model.json", costs, order};
    settings.dataset = table();
    settings.num_examples = 150;
    return budget_model(settings, work);
  }
  // So that each is paid for, and whether the class is certain is asked after each.
  void give_each_hypothesis_its_own_column() {
    columns.clear();
    for (std::uint32_t t = 0; t < model.hypotheses.size(); ++t) {
      columns.push_back("column " + std::to_string(t));
      model.hypotheses[t].cuts[0].feature_idx = t;
    }
    model.column_names = columns;
    model.families[0].dim = std::uint32_t(columns.size());
  }
  // Rows of the columns and a class.
  DatasetToPredict table() const {
    const auto path = folder / "rows.csv";
    std::ofstream file(path);
    for (const std::string& column : columns) file << column << ',';
    file << "class\n";
    RandomStream stream(2, "budget.rows");
    for (int n = 0; n < 400; ++n) {
      for (std::size_t column = 0; column < columns.size(); ++column) file << stream.uniform() << ',';
      file << model.class_names[std::size_t(n) % model.class_names.size()] << '\n';
    }
    DatasetToPredict table;
    table.name = "csv";
    table.settings.add("path", path.string(), "");
    table.settings.add("train", "200", "");
    return table;
  }
  // Predictions of the test side, and what they took.
  PaidDataset predicted_with(const BudgetModel& model) {
    const auto path = folder / "ordered.json";
    std::ofstream(path) << model.file;
    auto paid = predict_dataset_within({path, {}}, table(), {}, work);
    EXPECT_TRUE(paid.ok()) << paid.error().message;
    return *std::move(paid);
  }
  testing::ScratchFolder folder;
  std::vector<std::string> columns{"u", "v", "w"};
  std::filesystem::path costs = folder / "costs.csv";
  StrongClassifier model;
  Workers workers{2};
  StopFlag stop;
  WorkContext work{workers, no_progress(), no_remarks(), stop};
};

TEST_F(BudgetModels, ClassifyAsBeforeInAnyOrder) {
  const auto cheap = made(HypothesisOrder::kWorth);
  ASSERT_TRUE(cheap.ok()) << cheap.error().message;
  EXPECT_EQ(cheap->price, 2 + 9 + 0.5 + 0.5);
  const Model reordered = *parse_model(cheap->file);
  EXPECT_NE(reordered.sum().hypotheses, model.hypotheses);
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
  EXPECT_EQ(again.sum().hypotheses, model.hypotheses);
  ASSERT_TRUE(again.sum().costs);
  EXPECT_EQ(again.sum().costs->families[0].costs.front(), 9);
}

// The whole model says the same, and exact early stopping too; it stops after fewer hypotheses.
TEST_F(BudgetModels, OrderedByDecisionsAreCertainEarlier) {
  costs.clear();  // each feature costs 1
  give_each_hypothesis_its_own_column();
  for (Hypothesis& hypothesis : model.hypotheses) hypothesis.alpha *= hypothesis.alpha;
  const auto kept = made(HypothesisOrder::kKept), ordered = made(HypothesisOrder::kDecisions);
  ASSERT_TRUE(ordered.ok()) << ordered.error().message;
  const PaidDataset before = predicted_with(*kept), after = predicted_with(*ordered);
  EXPECT_EQ(after.prediction.classes, before.prediction.classes);
  const auto whole = predict_dataset({folder / "ordered.json", {}}, table(), work);
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->classes, before.prediction.classes);
  EXPECT_EQ(after.spending.num_hypotheses, 20u);
  EXPECT_LT(after.spending.mean_evaluated, 0.8 * before.spending.mean_evaluated);
}

TEST_F(BudgetModels, OrderedByDecisionsDoNotDependOnThreads) {
  const auto with_two = made(HypothesisOrder::kDecisions);
  Workers one(1);
  WorkContext alone{one, no_progress(), no_remarks(), stop};
  BudgetModelSettings settings{folder / "model.json", costs, HypothesisOrder::kDecisions};
  settings.dataset = table();
  settings.num_examples = 150;
  EXPECT_EQ(budget_model(settings, alone)->file, with_two->file);
  settings.num_examples = 151;
  EXPECT_EQ(budget_model(settings, work)->num_hypotheses, 20u) << "no whole number of them fits between two";
}

TEST_F(BudgetModels, RefuseADataSetOfAnotherKind) {
  model.column_names.push_back("x");
  model.families[0].dim = 4;
  const auto other = made(HypothesisOrder::kDecisions);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind, ErrorKind::kInput);
  EXPECT_THAT(other.error().message, HasSubstr("found no column 'x'"));
  EXPECT_TRUE(made(HypothesisOrder::kWorth).ok()) << "which looks at no data set";
}

TEST_F(BudgetModels, StopWhereTheUserWantsIt) {
  stop.raise();
  const auto stopped = made(HypothesisOrder::kDecisions);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
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
