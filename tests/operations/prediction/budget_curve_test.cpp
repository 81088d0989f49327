// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/budget_curve.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "classifiers/model/model_file.hpp"
#include "framework/base/random.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;

// A model with a stump on each of eight columns.
struct BudgetCurves : ::testing::Test {
  static constexpr std::uint32_t kNumColumns = 8;

  BudgetCurves() {
    StrongClassifier model;
    model.class_names = {"a", "b"};
    model.families = {{"columns", "columns", "1.0.0", {}, kNumColumns}};
    for (std::uint32_t column = 0; column < kNumColumns; ++column) {
      model.column_names.push_back("c" + std::to_string(column));
      model.hypotheses.push_back({1, {{0, column, .5f}}, {1, -1}, {}});
    }
    std::ofstream(folder / "model.json") << serialise(model);
    std::ofstream rows(folder / "rows.csv");
    for (const std::string& name : model.column_names) rows << name << ',';
    rows << "class\n";
    RandomStream stream(1, "budget.curve.rows");
    for (int n = 0; n < 40; ++n) {
      for (std::uint32_t column = 0; column < kNumColumns; ++column) rows << stream.uniform() << ',';
      rows << model.class_names[std::size_t(n % 2)] << '\n';
    }
  }
  // The budgets of the curve. costs: the rows of a file; empty: those of the model.
  std::vector<double> budgets_under(const std::string& costs, std::vector<double> budgets = {}) {
    DatasetToPredict table;
    table.name = "csv";
    table.settings.add("path", (folder / "rows.csv").string(), "");
    table.settings.add("train", "20", "");
    if (!costs.empty()) std::ofstream(folder / "costs.csv") << "family,feature,cost\n" << costs;
    const auto curve = budget_curve({folder / "model.json", {}}, table,
                                    costs.empty() ? std::filesystem::path() : folder / "costs.csv",
                                    std::move(budgets), work);
    EXPECT_TRUE(curve.ok()) << curve.error().message;
    std::vector<double> found;
    if (!curve.ok()) return found;
    for (const BudgetPoint& point : curve->points) {
      found.push_back(point.budget);
      EXPECT_LE(point.spending.largest, point.budget);
    }
    return found;
  }
  testing::ScratchFolder folder;
  Workers workers{2};
  StopFlag stop;
  WorkContext work{workers, no_progress(), no_remarks(), stop};
};

TEST_F(BudgetCurves, CountFeaturesWhereTheModelHasNoCosts) {
  EXPECT_THAT(budgets_under(""), ElementsAre(1, 2, 4, 8));
}

TEST_F(BudgetCurves, EndWhereHalfWouldNotBuyTheCheapestHypothesis) {
  EXPECT_THAT(budgets_under("columns,*,3\n"), ElementsAre(3, 6, 12, 24)) << "its price is a budget";
  EXPECT_THAT(budgets_under("columns,0,3.5\ncolumns,*,2.5\n"), ElementsAre(2.625, 5.25, 10.5, 21));
  EXPECT_THAT(budgets_under("columns,0,0.5\ncolumns,*,3.5\n"),
              ElementsAre(.78125, 1.5625, 3.125, 6.25, 12.5, 25));
}

TEST_F(BudgetCurves, PayTheSetUpForTheCheapestHypothesisToo) {
  EXPECT_THAT(budgets_under("columns,setup,4\ncolumns,*,1\n"), ElementsAre(6, 12));
}

TEST_F(BudgetCurves, HalveForTheCheapestThatCostsSomething) {
  EXPECT_THAT(budgets_under("columns,0,0\ncolumns,*,8\n"), ElementsAre(14, 28, 56));
  EXPECT_THAT(budgets_under("columns,*,0\n"), ElementsAre(0)) << "nothing costs anything";
}

TEST_F(BudgetCurves, HaveTwelveBudgetsAtMost) {
  EXPECT_THAT(budgets_under("columns,0,1\ncolumns,*,585\n"),
              ElementsAre(2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096));
}

TEST_F(BudgetCurves, TakeTheGivenBudgetsInIncreasingOrder) {
  EXPECT_THAT(budgets_under("", {5, 0, 3}), ElementsAre(0, 3, 5));
}

}  // namespace
}  // namespace mash
