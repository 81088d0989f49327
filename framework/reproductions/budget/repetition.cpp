// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "classifiers/boosters/loop/staged_errors.hpp"
#include "classifiers/boosters/whole_side/budgeted.hpp"
#include "classifiers/budget/pruned_trees.hpp"
#include "classifiers/budget/random_spending.hpp"
#include "classifiers/samplers/full.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "classifiers/weak/stump.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/number.hpp"
#include "framework/base/random.hpp"
#include "framework/base/require.hpp"
#include "framework/operations/training/seed_run.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kRoundsOfRepetition = 500;

// Rows of a pool, the answers in memory.
class BinaryFamily final : public FamilyData {
 public:
  BinaryFamily(const BinaryPool& pool, std::span<const std::uint32_t> train,
               std::span<const std::uint32_t> test)
      : num_{train.size(), test.size()} {
    for (std::size_t j = 0; j < pool.num_features; ++j) {
      for (const std::uint32_t n : train) bits_[0].push_back(pool.feature(j)[n]);
      for (const std::uint32_t n : test) bits_[1].push_back(pool.feature(j)[n]);
    }
  }

  ColumnBlock columns(Side side, std::uint32_t first, std::uint32_t) const override {
    const std::size_t num = num_[side == Side::kTest];
    return {codes(side, first).data(), num, num};
  }
  std::uint32_t num_cuts(std::uint32_t) const override { return 1; }
  float threshold(std::uint32_t, std::uint32_t) const override { return 1; }
  std::pair<std::uint32_t, double> mode(std::uint32_t) const override { return {0, 0}; }
  void gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              std::uint8_t* out, std::size_t stride) const override {
    for (std::size_t i = 0; i < feature_indices.size(); ++i)
      for (std::size_t r = 0; r < rows.size(); ++r)
        out[i * stride + r] = codes(Side::kTrain, feature_indices[i])[rows[r]];
  }
  void values(Side side, std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              float* out, std::size_t stride) const override {
    for (std::size_t i = 0; i < feature_indices.size(); ++i)
      for (std::size_t r = 0; r < rows.size(); ++r)
        out[i * stride + r] = codes(side, feature_indices[i])[rows[r]];
  }
  std::uint32_t count_distinct(std::unordered_set<std::uint64_t>&) const override { return 0; }

  std::span<const std::uint8_t> all(Side side) const { return bits_[side == Side::kTest]; }

 private:
  std::span<const std::uint8_t> codes(Side side, std::uint32_t feature_idx) const {
    const std::size_t num = num_[side == Side::kTest];
    return all(side).subspan(feature_idx * num, num);
  }

  std::array<std::size_t, 2> num_;  // examples of the training and of the test side
  std::array<std::vector<std::uint8_t>, 2> bits_;
};

// Data and models of one repetition.
class Repetition {
 public:
  Repetition(const BudgetSet& set, const BinaryPool& pool, const BudgetRepetitionSettings& settings,
             const StopFlag& stop)
      : set_(set),
        settings_(settings),
        stop_(stop),
        costs_(budget_costs(set, pool.num_features, settings.seed)) {
    std::vector<std::uint32_t> order(pool.num_examples());
    std::iota(order.begin(), order.end(), 0u);
    RandomStream(settings.seed, "reproduce.budget.split", keyed_hash(0, set.name)).shuffle(std::span(order));
    const std::span<const std::uint32_t> all = order;
    const auto train = all.first(set.num_train);
    const auto test = all.subspan(train.size(), std::min(set.num_test, all.size() - train.size()));
    dataset_.class_names = {"0", "1"};
    dataset_.train = side_of(pool, train);
    dataset_.test = side_of(pool, test);
    family_ = std::make_shared<const BinaryFamily>(pool, train, test);
    FamilyInfo info;
    info.spec.name = info.spec.heuristic.id = kBinaryFamily;
    info.dim = std::uint32_t(pool.num_features);
    features_ = FeatureSet::of(std::move(info), family_, train.size(), test.size());
  }

  Result<BudgetRepetition> run() {
    BudgetRepetition repetition;
    MASH_ASSIGN(const StrongClassifier adaboost,
                train("adaboost-bt", adaboost_rounds(), Purchases::kUnlimited));
    MASH_ASSIGN(const StrongClassifier greedy, train("greedy", num_rounds(), kLargestBudget));
    MASH_ASSIGN(const StrongClassifier smoothed, train("smoothed", num_rounds(), kLargestBudget));
    MASH_ASSIGN(const StrongClassifier speedboost, train("speedboost", num_rounds(), kLargestBudget));
    const std::array<std::pair<BudgetMethod, const StrongClassifier*>, 4> boosted{
        {{BudgetMethod::kBasic, &adaboost},
         {BudgetMethod::kGreedy, &greedy},
         {BudgetMethod::kSmoothed, &smoothed},
         {BudgetMethod::kSpeedBoost, &speedboost}}};
    for (const auto& [method, model] : boosted) {
      MASH_ASSIGN(const std::vector<Needs> needs, costs_.needs(*model));
      repetition.errors[std::size_t(method)] = errors_within(needs, costs_, staged(*model));
      if (method == BudgetMethod::kGreedy) repetition.greedy_spent = cost_of(needs);
    }
    const StrongClassifier published = first_hypotheses(adaboost);
    repetition.adaboost_error = staged(published).back();
    MASH_ASSIGN(repetition.errors[std::size_t(BudgetMethod::kRandom)], spend_at_random(published));
    MASH_TRY(grow_trees(repetition));
    return repetition;
  }

 private:
  static Split side_of(const BinaryPool& pool, std::span<const std::uint32_t> rows) {
    Split side;
    side.num_examples = rows.size();
    for (const std::uint32_t n : rows) side.labels.push_back(pool.labels[n]);
    return side;
  }

  std::uint32_t num_rounds() const { return settings_.num_rounds.value_or(kRoundsOfRepetition); }
  std::uint32_t adaboost_rounds() const { return settings_.num_rounds.value_or(most_rounds_of(set_)); }

  // In 64 bits: rounded weights would give edges to features that have none, and a small price makes these
  // attractive.
  Result<StrongClassifier> train(std::string_view rule, std::uint32_t num_rounds, double budget) {
    Budgeted::Options options;
    options.rounds.num_rounds = num_rounds;
    options.scan = ScanMode::kF64;
    options.budget = budget;
    MASH_ASSIGN(options.selection.rule, find_selection_rule(rule));
    const SearchParts search{[] { return std::make_unique<FullSampler>(); },
                             std::make_shared<const StumpLearner>()};
    Observer silent;
    const std::unique_ptr<Progress> no_bar = silent_progress();
    MASH_ASSIGN(TrainingResult result, train_budgeted(options, costs_, search, settings_.seed,
                                                      {.dataset = dataset_,
                                                       .features = features_,
                                                       .work = {workers_, *no_bar, no_remarks(), stop_},
                                                       .observer = silent,
                                                       .checkpoint = {},
                                                       .run_key = {},
                                                       .purpose = Purpose::kModel}));
    if (result.status == TrainingStatus::kStopped) return stopped_error();
    return result.model.sum();
  }

  std::vector<double> staged(const StrongClassifier& model) const {
    return staged_test_errors(model, dataset_, features_, workers_);
  }

  double cost_of(const std::vector<Needs>& needs) const {
    Purchases purchases(costs_);
    for (const Needs& one : needs) purchases.pay(one);
    return purchases.spent();
  }

  // Those of AdaBoost with the paper's number of rounds.
  StrongClassifier first_hypotheses(StrongClassifier model) const {
    model.hypotheses.resize(std::min<std::size_t>(model.hypotheses.size(), set_.adaboost_rounds));
    return model;
  }

  Result<std::array<double, kNumBudgets>> spend_at_random(const StrongClassifier& model) const {
    std::vector<std::vector<std::uint8_t>> cells;
    for (const Hypothesis& hypothesis : model.hypotheses)
      cells.push_back(cells_of(hypothesis, features_, Side::kTest));
    std::array<double, kNumBudgets> errors{};
    for (std::size_t i = 0; i < kNumBudgets; ++i) {
      MASH_ASSIGN(const RandomSpending spending,
                  RandomSpending::make(model, costs_, {.budget = budget_at(i), .seed = settings_.seed}));
      errors[i] = test_error([&](std::size_t n) {
        return spending.predict(n, [&](std::size_t t) -> std::size_t { return cells[t][n]; }).predicted_class;
      });
      if (stop_.raised()) return stopped_error();
    }
    return errors;
  }

  Status grow_trees(BudgetRepetition& repetition) const {
    const auto bits = family_->all(Side::kTrain);
    const std::vector<float> values(bits.begin(), bits.end());
    MASH_ASSIGN(DecisionTree whole, grow_tree({values, dataset_.train.labels, 2}));
    const PrunedTrees trees(std::move(whole), costs_);
    const auto error_of_tree = [&](std::size_t tree) {
      return test_error([&](std::size_t n) {
        const auto value = [&](std::uint32_t j) { return float(features_.column(Side::kTest, j).codes[n]); };
        return trees.predict(tree, value).predicted_class;
      });
    };
    for (std::size_t i = 0; i < kNumBudgets; ++i)
      repetition.errors[std::size_t(BudgetMethod::kTrees)][i] =
          error_of_tree(trees.largest_within(budget_at(i), PrunedTrees::Limit::kExpected));
    for (std::size_t i = 0; i < kNumTreeSizes; ++i) {
      const auto fits = [&](const PrunedTree& tree) {
        return i + 1 == kNumTreeSizes || tree.num_leaves <= std::size_t(1) << i;
      };
      const auto found = std::find_if(trees.all().begin(), trees.all().end(), fits);
      repetition.tree_errors[i] = error_of_tree(std::size_t(found - trees.all().begin()));
    }
    return Done{};
  }

  // predict(n): the class that test example n is given.
  template <class Predict>
  double test_error(const Predict& predict) const {
    std::size_t num_wrong = 0;
    for (std::size_t n = 0; n < dataset_.test.num_examples; ++n)
      num_wrong += predict(n) != dataset_.test.labels[n];
    return double(num_wrong) / double(dataset_.test.num_examples);
  }

  const BudgetSet& set_;
  const BudgetRepetitionSettings& settings_;
  const StopFlag& stop_;
  const FeatureCosts costs_;
  const Workers workers_{1};
  Dataset dataset_;
  std::shared_ptr<const BinaryFamily> family_;
  FeatureSet features_;
};

// All numbers of a repetition, in a fixed order.
template <class Repetition, class Use>
void for_each_number(Repetition& repetition, const Use& use) {
  for (auto& errors : repetition.errors)
    for (auto& error : errors) use(error);
  for (auto& error : repetition.tree_errors) use(error);
  use(repetition.adaboost_error);
  use(repetition.greedy_spent);
}

}  // namespace

std::array<double, kNumBudgets> errors_within(const std::vector<Needs>& needs, const FeatureCosts& costs,
                                              const std::vector<double>& staged) {
  require(staged.size() == needs.size() + 1, "errors_within: an error before and after each hypothesis");
  std::array<double, kNumBudgets> errors{};
  errors.fill(staged[0]);
  Purchases purchases(costs);
  for (std::size_t t = 0; t < needs.size(); ++t) {
    purchases.pay(needs[t]);
    for (std::size_t i = 0; i < kNumBudgets; ++i)
      if (is_within(purchases.spent(), budget_at(i))) errors[i] = staged[t + 1];
  }
  return errors;
}

std::uint32_t most_rounds_of(const BudgetSet& set) {
  return std::max(kRoundsOfRepetition, set.adaboost_rounds);
}

Result<BudgetRepetition> run_budget_repetition(const BudgetSet& set, const BinaryPool& pool,
                                               const BudgetRepetitionSettings& settings,
                                               const StopFlag& stop) {
  return Repetition(set, pool, settings, stop).run();
}

std::string serialise(const BudgetRepetition& repetition) {
  std::string text;
  for_each_number(repetition, [&](double number) { text += fmt::format("{}\n", number); });
  return sha256(text) + "\n" + text;
}

std::optional<BudgetRepetition> parse_budget_repetition(std::string_view text) {
  const std::string_view hash = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), hash.size() + 1));
  if (hash != sha256(text)) return std::nullopt;
  BudgetRepetition repetition;
  bool is_whole = true;
  for_each_number(repetition, [&](double& number) {
    const auto read = take_number<double>(text);
    number = read.value_or(0);
    is_whole = is_whole && read && text.starts_with('\n');
    if (is_whole) text.remove_prefix(1);
  });
  if (!is_whole || !text.empty()) return std::nullopt;
  return repetition;
}

}  // namespace mash
